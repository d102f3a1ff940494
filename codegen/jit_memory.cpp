#include "codegen/jit_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

namespace mo {
namespace {

size_t round_up_to_pages(size_t bytes) {
  size_t page = JitPages::page_bytes();
  return (bytes + page - 1) / page * page;
}

} // namespace

size_t JitPages::page_bytes() {
  static const size_t bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::optional<JitPages> JitPages::map(size_t bytes) {
  if (bytes == 0 || bytes > SIZE_MAX - page_bytes())
    return std::nullopt;
  size_t rounded = round_up_to_pages(bytes);
  void* memory = mmap(nullptr, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return std::nullopt;
  JitPages pages;
  pages.data_ = static_cast<std::byte*>(memory);
  pages.bytes_ = rounded;
  return pages;
}

JitPages::JitPages(JitPages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

JitPages& JitPages::operator=(JitPages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

JitPages::~JitPages() {
  if (data_)
    munmap(data_, bytes_);
}

bool JitPages::seal(size_t code_bytes) {
  size_t executable = round_up_to_pages(code_bytes);
  if (executable > bytes_)
    return false;
  if (mprotect(data_, executable, PROT_READ | PROT_EXEC) != 0)
    return false;
  return executable == bytes_ || mprotect(data_ + executable, bytes_ - executable, PROT_READ) == 0;
}

} // namespace mo
