#include "runtime/array.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace mo {

namespace {

constexpr size_t kElementAlignment = 64;
constexpr std::byte kGuardPattern{0xC3};

size_t page_size() {
  static const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

size_t round_up(size_t bytes, size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

/// Zero pages, or null.
std::byte* map_pages(size_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? nullptr : static_cast<std::byte*>(p);
}

/// The bytes of such an array where they leave room for guards and rounding in a size_t.
std::optional<size_t> mappable_bytes(const Shape& shape, ElementType element) {
  std::optional<int64_t> count = checked_element_count(shape, element);
  if (!count)
    return std::nullopt;
  size_t bytes = static_cast<size_t>(*count) * byte_size(element);
  if (bytes > size_t{1} << 62)
    return std::nullopt;
  return bytes;
}

} // namespace

void Array::Unmap::operator()(std::byte* p) const {
  munmap(p, bytes);
}

std::optional<Array> Array::allocate(Shape shape, ElementType element) {
  std::optional<size_t> bytes = mappable_bytes(shape, element);
  if (!bytes)
    return std::nullopt;
  // An empty array has an address too, so that a kernel can be handed it like any other.
  size_t mapped = round_up(std::max<size_t>(*bytes, 1), page_size());
  std::byte* pages = map_pages(mapped);
  if (!pages)
    return std::nullopt;
  Array array;
  array.memory_ = {pages, Unmap{mapped}};
  array.data_ = pages;
  array.count_ = static_cast<int64_t>(*bytes / byte_size(element));
  array.shape_ = std::move(shape);
  array.element_ = element;
  return array;
}

// Layout: one page without access, whole pages, one page without access. The elements lie as close
// to the end of the whole pages as `misalign` allows; what they leave free holds the pattern. So a
// write just outside spoils the pattern, and an access further off (a read past the end included)
// faults.
std::optional<Array> Array::allocate_guarded(Shape shape, ElementType element, size_t misalign) {
  std::optional<size_t> bytes = mappable_bytes(shape, element);
  if (!bytes)
    return std::nullopt;
  misalign %= kElementAlignment;
  const size_t page = page_size();
  const size_t usable = round_up(*bytes + 2 * kElementAlignment, page);
  const size_t mapped = usable + 2 * page;
  std::byte* pages = map_pages(mapped);
  if (!pages)
    return std::nullopt;
  Array array;
  array.memory_ = {pages, Unmap{mapped}};
  std::byte* begin = pages + page;
  std::byte* end = begin + usable;
  if (mprotect(pages, page, PROT_NONE) != 0 || mprotect(end, page, PROT_NONE) != 0)
    return std::nullopt;
  const size_t start =
      (usable - *bytes - misalign) / kElementAlignment * kElementAlignment + misalign;
  array.guard_ = page;
  array.data_ = begin + start;
  array.count_ = static_cast<int64_t>(*bytes / byte_size(element));
  array.shape_ = std::move(shape);
  array.element_ = element;
  std::fill(begin, array.data_, kGuardPattern);
  std::fill(array.data_ + *bytes, end, kGuardPattern);
  return array;
}

bool Array::guard_intact() const {
  if (guard_ == 0)
    return true;
  const std::byte* begin = memory_.get() + guard_;
  const std::byte* end = memory_.get() + memory_.get_deleter().bytes - guard_;
  auto is_pattern = [](std::byte b) { return b == kGuardPattern; };
  const std::byte* data = data_;
  return std::all_of(begin, data, is_pattern) && std::all_of(data + bytes(), end, is_pattern);
}

uint64_t Array::bits(int64_t i) const {
  const unsigned size = byte_size(element_);
  uint64_t value = 0;
  std::memcpy(&value, data_ + static_cast<size_t>(i) * size, size);
  return element_ == ElementType::I1 ? value & 1 : value;
}

void Array::set_bits(int64_t i, uint64_t value) {
  const unsigned size = byte_size(element_);
  if (element_ == ElementType::I1)
    value &= 1;
  std::memcpy(data_ + static_cast<size_t>(i) * size, &value, size);
}

std::optional<Array> Array::clone() const {
  std::optional<Array> copy = allocate(shape_, element_);
  if (copy && bytes() != 0)
    std::memcpy(copy->data_, data_, bytes());
  return copy;
}

} // namespace mo
