// The header of a .npy file: a magic string, a version, a length, and a Python dict
//     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
// padded with spaces to a multiple of 64 bytes and closed by a newline.
#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "runtime/npy.h"

namespace mo {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

/// Reads the dict; the first error stays, and everything after it is false.
class DictReader {
public:
  /// `offset` is where the text starts in the file.
  DictReader(std::string_view text, size_t offset) : text_(text), offset_(offset) {}

  bool read(NpyHeader& header);
  const std::string& error() const { return error_; }

private:
  bool read_entry(NpyHeader& header);
  bool read_string(std::string& to, std::string_view what);
  bool read_truth(bool& to);
  bool read_shape(Shape& to);
  bool read_extent(Shape& to);
  bool expect(char c);
  bool accept(char c);
  bool accept_word(std::string_view word);
  void skip_spaces();
  bool fail(std::string message);

  std::string_view text_;
  size_t offset_;
  size_t at_ = 0;
  bool has_descr_ = false, has_order_ = false, has_shape_ = false;
  std::string error_;
};

bool DictReader::read(NpyHeader& header) {
  if (!expect('{'))
    return false;
  while (!accept('}')) {
    if (!read_entry(header))
      return false;
    if (!accept(',')) {
      if (!expect('}'))
        return false;
      break;
    }
  }
  skip_spaces();
  if (at_ != text_.size())
    return fail("something follows the dict");
  if (!has_descr_ || !has_order_ || !has_shape_)
    return fail(fmt::format("the dict has no '{}'", !has_descr_   ? "descr"
                                                    : !has_order_ ? "fortran_order"
                                                                  : "shape"));
  return true;
}

bool DictReader::read_entry(NpyHeader& header) {
  std::string key;
  if (!read_string(key, "a key in quotes") || !expect(':'))
    return false;
  bool* seen = key == "descr"           ? &has_descr_
               : key == "fortran_order" ? &has_order_
               : key == "shape"         ? &has_shape_
                                        : nullptr;
  if (!seen)
    return fail("a key is none of 'descr', 'fortran_order', 'shape'");
  if (*seen)
    return fail(fmt::format("the dict has '{}' twice", key));
  *seen = true;
  if (seen == &has_descr_)
    return read_string(header.dtype, "a simple dtype in quotes");
  return seen == &has_order_ ? read_truth(header.fortran_order) : read_shape(header.shape);
}

bool DictReader::read_string(std::string& to, std::string_view what) {
  skip_spaces();
  const char quote = at_ < text_.size() ? text_[at_] : '\0';
  if (quote != '\'' && quote != '"')
    return fail(fmt::format("{} is missing", what));
  const size_t end = text_.find(quote, at_ + 1);
  if (end == std::string_view::npos)
    return fail("a string does not end");
  to = text_.substr(at_ + 1, end - at_ - 1);
  if (!std::ranges::all_of(to, [](char c) { return c >= ' ' && c <= '~'; }))
    return fail("a string holds a byte that is not printable");
  at_ = end + 1;
  return true;
}

bool DictReader::read_truth(bool& to) {
  to = accept_word("True");
  return to || accept_word("False") || fail("'fortran_order' is neither True nor False");
}

/// (), (3,), (3, 4), (3, 4,)
bool DictReader::read_shape(Shape& to) {
  if (!expect('('))
    return false;
  while (!accept(')')) {
    if (!read_extent(to))
      return false;
    if (accept(','))
      continue;
    if (to.size() == 1)
      return fail("'shape' is not a tuple: (n) without a comma");
    return expect(')');
  }
  return true;
}

bool DictReader::read_extent(Shape& to) {
  skip_spaces();
  int64_t extent = 0;
  const char* begin = text_.data() + at_;
  auto [stopped, code] = std::from_chars(begin, text_.data() + text_.size(), extent);
  if (code == std::errc::result_out_of_range)
    return fail("an extent in 'shape' does not fit in 64 bits");
  if (code != std::errc() || extent < 0)
    return fail("'shape' has something that is not an extent");
  at_ += static_cast<size_t>(stopped - begin);
  to.push_back(extent);
  return true;
}

bool DictReader::expect(char c) {
  return accept(c) || fail(fmt::format("'{}' is missing", c));
}

bool DictReader::accept(char c) {
  skip_spaces();
  if (at_ >= text_.size() || text_[at_] != c)
    return false;
  ++at_;
  return true;
}

bool DictReader::accept_word(std::string_view word) {
  skip_spaces();
  if (!text_.substr(at_).starts_with(word))
    return false;
  at_ += word.size();
  return true;
}

void DictReader::skip_spaces() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
    ++at_;
}

bool DictReader::fail(std::string message) {
  if (error_.empty())
    error_ = fmt::format("{} (byte {})", message, offset_ + at_);
  return false;
}

RunError truncated(size_t needed, size_t has) {
  return RunError{
      fmt::format("the header is truncated: it takes {} bytes, the file has {}", needed, has)};
}

} // namespace

std::variant<NpyHeader, RunError> parse_npy_header(std::string_view start) {
  const size_t version_end = kMagic.size() + 2;
  if (!start.starts_with(kMagic.substr(0, std::min(start.size(), kMagic.size()))))
    return RunError{"not a .npy file: it does not start with \\x93NUMPY"};
  if (start.size() < version_end)
    return truncated(version_end, start.size());
  const unsigned major = static_cast<unsigned char>(start[kMagic.size()]);
  const unsigned minor = static_cast<unsigned char>(start[kMagic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0)
    return RunError{
        fmt::format("it has format version {}.{}, known are 1.0, 2.0 and 3.0", major, minor)};
  const size_t length_bytes = major == 1 ? 2 : 4;
  const size_t text_begin = version_end + length_bytes;
  if (start.size() < text_begin)
    return truncated(text_begin, start.size());
  uint32_t length = 0;
  std::memcpy(&length, start.data() + version_end, length_bytes); // little-endian
  if (text_begin + length > kLongestNpyHeader)
    return RunError{fmt::format("the header claims {} bytes, read are headers of up to {}",
                                text_begin + length, kLongestNpyHeader)};
  if (start.size() < text_begin + length)
    return truncated(text_begin + length, start.size());
  NpyHeader header;
  header.data_offset = text_begin + length;
  DictReader reader(start.substr(text_begin, length), text_begin);
  if (!reader.read(header))
    return RunError{"the header is malformed: " + reader.error()};
  return header;
}

} // namespace mo
