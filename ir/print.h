// IR to text that parse.h and mlir-opt read back.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ir/function.h"
#include "ir/located_text.h"

namespace mo {

/// Maps that occur become #map, #map1, ... aliases at the top, as mlir-opt writes them. Names are
/// kept; where two values of one scope have the same name, the later one gets a suffix (%r, %r_0).
std::string print(const Module& module);
/// One function alone, its maps written in place.
std::string print(const Function& function);
/// One op of it, maps in place, no trailing newline.
std::string print(const Function& function, OpId op);

class MapAliases;

/// One function after the other, or one again and again while it changes: each as a module of its
/// own, so that it parses. A map keeps its alias from one text to the next, and so two texts differ
/// only where the functions do.
class SnapshotPrinter {
public:
  SnapshotPrinter();
  ~SnapshotPrinter();
  SnapshotPrinter(SnapshotPrinter&&) noexcept;
  LocatedText print(const Function& function);

private:
  std::unique_ptr<MapAliases> aliases_;
};

/// A scalar constant as MLIR prints it: "1.000000e+00 : f32", "0xFF800000 : f32", "true", "7 :
/// index".
std::string print_constant(uint64_t bits, ElementType type);

/// The same without its type: "1.000000e+00", "0xFF800000", "true", "7".
std::string literal_text(uint64_t bits, ElementType type);

} // namespace mo
