// A kernel gives its caller's registers back.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "codegen/compile.h"
#include "ir/parse.h"

namespace mo {
namespace {

// Two nests with many lanes of remf, whose instruction wants a fixed register: what once made the
// register allocator use r12 and r13 without saving them.
constexpr const char* kRemainders = R"(#map = affine_map<(d0) -> (d0)>
func.func @f(%x: memref<7xf32>, %y: memref<7xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : memref<7xf32>) outs(%y : memref<7xf32>) {
  ^bb0(%in: f32, %o: f32):
    %a = arith.remf %in, %in : f32
    %b = arith.remf %a, %in : f32
    linalg.yield %b : f32
  }
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : memref<7xf32>) outs(%y : memref<7xf32>) {
  ^bb0(%in: f32, %o: f32):
    %a = arith.remf %in, %o : f32
    %b = arith.remf %a, %in : f32
    linalg.yield %b : f32
  }
  return
}
)";

// Calls entry(arguments) with a pattern in rbx and r12 to r15 (rbp is the compiler's own here);
// returns the bits in which any of them came back changed.
uint64_t changed_registers(CompiledKernel::Entry entry, void* const* arguments) {
  uint64_t changed = 0;
  // Steps over the red zone and aligns the stack before the call.
  asm volatile("lea -128(%%rsp), %%rsp\n\t"
               "push %%rbp\n\t"
               "mov %%rsp, %%rbp\n\t"
               "and $-16, %%rsp\n\t"
               "mov $0x1111, %%rbx\n\t"
               "mov $0x2222, %%r12\n\t"
               "mov $0x3333, %%r13\n\t"
               "mov $0x4444, %%r14\n\t"
               "mov $0x5555, %%r15\n\t"
               "call *%[entry]\n\t"
               "mov %%rbp, %%rsp\n\t"
               "pop %%rbp\n\t"
               "lea 128(%%rsp), %%rsp\n\t"
               "xor $0x1111, %%rbx\n\t"
               "xor $0x2222, %%r12\n\t"
               "xor $0x3333, %%r13\n\t"
               "xor $0x4444, %%r14\n\t"
               "xor $0x5555, %%r15\n\t"
               "or %%r12, %%rbx\n\t"
               "or %%r13, %%rbx\n\t"
               "or %%r14, %%rbx\n\t"
               "or %%r15, %%rbx\n\t"
               "mov %%rbx, %[changed]\n\t"
               : [changed] "=&a"(changed), "+D"(arguments)
               : [entry] "0"(entry)
               : "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
                 "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                 "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
  return changed;
}

TEST(Kernels, GiveCalleeSavedRegistersBack) {
  Diagnostics diagnostics;
  const auto module = parse_and_verify({"f.tir", kRemainders}, diagnostics);
  ASSERT_TRUE(module);
  for (Isa isa : {Isa::SSE42, Isa::AVX2, Isa::AVX512}) {
    if (!host_supports(isa))
      continue;
    const auto kernel = compile(module->functions[0], {isa}, diagnostics);
    ASSERT_TRUE(kernel);
    float x[7] = {1, 2, 3, 4, 5, 6, 7}, y[7] = {};
    void* arguments[] = {x, y};
    EXPECT_EQ(changed_registers(kernel->entry, arguments), 0u) << spelling(isa);
  }
}

} // namespace
} // namespace mo
