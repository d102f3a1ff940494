#include "runtime/debugger.h"

#include <cstdint>
#include <list>
#include <mutex>
#include <utility>

// What the debugger looks for, by these names.
extern "C" {

struct jit_code_entry {
  jit_code_entry* next_entry;
  jit_code_entry* prev_entry;
  const std::byte* symfile_addr;
  uint64_t symfile_size;
};

enum : uint32_t { JIT_NOACTION, JIT_REGISTER_FN, JIT_UNREGISTER_FN };

struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag;
  jit_code_entry* relevant_entry;
  jit_code_entry* first_entry;
};

jit_descriptor __jit_debug_descriptor = {1, JIT_NOACTION, nullptr, nullptr};

// The debugger has a breakpoint in here, and reads the descriptor when it is hit.
[[gnu::noinline, gnu::used]] void __jit_debug_register_code() {
  asm volatile("" ::: "memory");
}

} // extern "C"

namespace mo {
namespace {

struct Registered {
  JitPages pages;
  std::vector<std::byte> image;
  jit_code_entry entry;
};

} // namespace

void register_with_debugger(JitPages pages, std::vector<std::byte> image) {
  static std::mutex one_at_a_time;
  static auto& all = *new std::list<Registered>; // never destroyed: code may run until the very end
  const std::lock_guard lock(one_at_a_time);
  Registered& registered = all.emplace_back(Registered{std::move(pages), std::move(image), {}});
  jit_descriptor& descriptor = __jit_debug_descriptor;
  registered.entry = {descriptor.first_entry, nullptr, registered.image.data(),
                      registered.image.size()};
  if (descriptor.first_entry)
    descriptor.first_entry->prev_entry = &registered.entry;
  descriptor.first_entry = descriptor.relevant_entry = &registered.entry;
  descriptor.action_flag = JIT_REGISTER_FN;
  __jit_debug_register_code();
}

} // namespace mo
