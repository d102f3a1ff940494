// Machine code as a text that GNU as reads, which gives the same bytes.
#pragma once

#include <asmjit/x86.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "codegen/gnu_encoding.h"
#include "codegen/kernel_compiler.h"
#include "ir/located_text.h"

namespace mo {

/// As a symbol is written: in quotes where it holds what a plain one may not.
std::string quoted_symbol(std::string_view name);

/// Intel syntax, one instruction a line, what it is there for at the line's end. To be told the
/// names of labels first, then everything in the order of the code, then `finish`.
class AssemblyText {
public:
  /// `number` goes into the local labels, so that several kernels go into one text.
  explicit AssemblyText(unsigned number);

  void name_label(uint32_t label, std::string name) { names_[label] = std::move(name); }
  void name_constant(uint32_t label, size_t index);
  /// Labels that no instruction names are not shown.
  void note_labels(const asmjit::InstNode& node);

  /// What follows is there for `loc`.
  void from(Loc loc) { places_.push_back({text_.size(), loc}); }
  void begin_function(const std::string& symbol, bool global);
  void end_function(const std::string& symbol);
  void between_functions(size_t alignment);
  void label(uint32_t label);
  void instruction(const asmjit::InstNode& node, size_t bytes, const std::string& what);
  void padding(const Padding& nop, size_t alignment);

  /// The whole text, the constants behind the code.
  std::string finish(const std::vector<KernelCompiler::Constant>& constants);
  /// What its lines are there for.
  std::vector<LocatedText::Place> take_places() { return std::move(places_); }

private:
  void line(const std::string& instruction, const std::string& comment);
  std::string operand(const asmjit::Operand_& op);
  std::string memory(const asmjit::x86::Mem& mem);
  std::string name_of(uint32_t label);

  std::string prefix_; // of local labels
  std::string text_;
  std::vector<LocatedText::Place> places_;
  std::unordered_map<uint32_t, std::string> names_;
  std::unordered_set<uint32_t> referenced_;
  size_t num_local_labels_ = 0;
};

} // namespace mo
