#include "runtime/npy.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mo {

namespace {

/// An open file; closes it.
class File {
public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0)
      close(descriptor_);
  }
  int get() const { return descriptor_; }
  /// Closes it now; false, with errno set, where the system reports that a write failed after all.
  bool close_now() { return close(std::exchange(descriptor_, -1)) == 0; }

private:
  int descriptor_;
};

RunError file_error(const std::string& path, std::string_view message) {
  return RunError{fmt::format("{}: {}", path, message)};
}

RunError system_error(const std::string& path, std::string_view doing) {
  return file_error(path, fmt::format("cannot {}: {}", doing, std::strerror(errno)));
}

/// Reads until `n` bytes are there or the file ends; how many, or -1 with errno set.
ssize_t read_fully(int file, char* to, size_t n) {
  size_t done = 0;
  while (done < n) {
    const ssize_t got = read(file, to + done, n - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    done += static_cast<size_t>(got);
  }
  return static_cast<ssize_t>(done);
}

bool write_fully(int file, const char* from, size_t n) {
  while (n > 0) {
    const ssize_t put = write(file, from, n);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return false;
    from += put;
    n -= static_cast<size_t>(put);
  }
  return true;
}

std::string shape_text(const Shape& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

/// What the header says against what is wanted; a message where they disagree.
std::optional<std::string> disagreement(const NpyHeader& header, const Type& expected,
                                        int64_t file_bytes) {
  const std::string_view wanted = npy_dtype(expected.element);
  if (header.dtype.starts_with('>'))
    return fmt::format("its dtype is '{}', big-endian; the argument is of type {}, read as '{}'",
                       header.dtype, to_string(expected), wanted);
  if (header.dtype != wanted)
    return fmt::format("its dtype is '{}'; the argument is of type {}, read as '{}'", header.dtype,
                       to_string(expected), wanted);
  if (header.fortran_order)
    return fmt::format("it is in Fortran order; the argument is of type {}, read in C order",
                       to_string(expected));
  if (header.shape != expected.shape)
    return fmt::format("its shape is {}; the argument is of type {}", shape_text(header.shape),
                       to_string(expected));
  const int64_t has = file_bytes - static_cast<int64_t>(header.data_offset);
  const int64_t needs = byte_count(expected);
  if (has != needs)
    return fmt::format("it is {}: shape {} of '{}' is {} bytes, behind the header are {}",
                       has < needs ? "truncated" : "too long", shape_text(header.shape), wanted,
                       needs, has);
  return std::nullopt;
}

void normalize_truth_values(Array& array) {
  std::transform(array.data(), array.data() + array.bytes(), array.data(),
                 [](std::byte b) { return b == std::byte{0} ? b : std::byte{1}; });
}

} // namespace

std::string_view npy_dtype(ElementType element) {
  switch (element) {
  case ElementType::F32: return "<f4";
  case ElementType::F64: return "<f8";
  case ElementType::I1: return "|b1";
  case ElementType::I32: return "<i4";
  case ElementType::I64:
  case ElementType::Index: return "<i8";
  }
  return "";
}

std::variant<Array, RunError> read_npy(const std::string& path, const Type& expected) {
  // Without waiting: opening a pipe would otherwise hang until somebody writes to it.
  File file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status = {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0)
    return system_error(path, "open it");
  if (!S_ISREG(status.st_mode))
    return file_error(path, S_ISDIR(status.st_mode) ? "is a directory, not a .npy file"
                                                    : "is not a regular file");
  std::string start(kLongestNpyHeader, '\0');
  const ssize_t start_bytes = read_fully(file.get(), start.data(), start.size());
  if (start_bytes < 0)
    return system_error(path, "read it");
  start.resize(static_cast<size_t>(start_bytes));
  const std::variant<NpyHeader, RunError> parsed = parse_npy_header(start);
  if (const auto* failed = std::get_if<RunError>(&parsed))
    return file_error(path, failed->message);
  const auto& header = std::get<NpyHeader>(parsed);
  if (const auto message = disagreement(header, expected, status.st_size))
    return file_error(path, *message);

  std::optional<Array> array = Array::allocate(expected.shape, expected.element);
  if (!array)
    return file_error(path, fmt::format("no memory for its {} bytes", byte_count(expected)));
  if (lseek(file.get(), static_cast<off_t>(header.data_offset), SEEK_SET) < 0)
    return system_error(path, "read it");
  const ssize_t got =
      read_fully(file.get(), reinterpret_cast<char*>(array->data()), array->bytes());
  if (got < 0)
    return system_error(path, "read it");
  if (static_cast<size_t>(got) != array->bytes())
    return file_error(path, "it became shorter while it was read");
  if (expected.element == ElementType::I1)
    normalize_truth_values(*array);
  return std::move(*array);
}

std::optional<RunError> write_npy(const std::string& path, const Array& array) {
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                 npy_dtype(array.element()), shape_text(array.shape()));
  std::string header = "\x93NUMPY";
  header += {'\x01', '\x00'};
  const size_t unpadded = header.size() + 2 + dict.size() + 1; // the length before, a newline after
  dict.append((64 - unpadded % 64) % 64, ' ');
  dict += '\n';
  header += static_cast<char>(dict.size() & 0xFF);
  header += static_cast<char>(dict.size() >> 8);
  header += dict;

  File file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0)
    return system_error(path, "create it");
  if (!write_fully(file.get(), header.data(), header.size()) ||
      !write_fully(file.get(), reinterpret_cast<const char*>(array.data()), array.bytes()) ||
      !file.close_now())
    return system_error(path, "write it");
  return std::nullopt;
}

} // namespace mo
