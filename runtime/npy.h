// NumPy's .npy files: one array, a header in front (format versions 1.0, 2.0 and 3.0).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "ir/type.h"
#include "runtime/array.h"
#include "runtime/interpret.h"

namespace mo {

/// The dtype of an element type as numpy spells it: "<f4", "<f8", "|b1", "<i4", and "<i8" for i64
/// and index.
std::string_view npy_dtype(ElementType element);

/// What a header says.
struct NpyHeader {
  std::string dtype;
  bool fortran_order = false;
  Shape shape;            // extents >= 0, not checked otherwise
  size_t data_offset = 0; // bytes from the start of the file
};

/// `start` is the file from its first byte, up to kLongestNpyHeader bytes of it, in any state.
/// The message says what is wrong and at which byte; it does not name the file.
std::variant<NpyHeader, RunError> parse_npy_header(std::string_view start);
constexpr size_t kLongestNpyHeader = 1 << 16;

/// Reads a file that holds an array of this element type and shape, in C order. Everything about it
/// is checked before memory is taken. An error names the file and both facts. Truth values other
/// than 0 and 1 become 1.
std::variant<Array, RunError> read_npy(const std::string& path, const Type& expected);

/// Writes format 1.0, the data at a multiple of 64 bytes. What was in the file before is lost.
std::optional<RunError> write_npy(const std::string& path, const Array& array);

} // namespace mo
