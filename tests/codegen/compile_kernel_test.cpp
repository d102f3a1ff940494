// Whole kernels: arguments, constants, allocations, many nests, wide and long bodies, errors.
#include <gtest/gtest.h>
#include <malloc.h>

#include "tests/codegen/jit_support.h"
#include "tests/codegen/kernel_builder.h"

// An allocation that cannot be is to fail as it does without a sanitizer.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}

namespace mo {
namespace {

using testing::f32_bits;
using testing::host_isas;
using testing::jit_mismatch;
using testing::KernelBuilder;
using testing::small_arguments;

// A value through a temp: x to t, t to out.
void add_copy(KernelBuilder& k, uint32_t from, uint32_t to, int64_t n) {
  k.begin_loop(n, true);
  k.store(k.load(from, {1}), to, {1});
  k.end_loop();
}

TEST(CompileKernel, DoesNothingWhereThereIsNothingToDo) {
  EXPECT_EQ(jit_mismatch(KernelBuilder().finish(), {}), "");
}

TEST(CompileKernel, WorksOnSingleElementsOutsideOfLoops) {
  for (ElementType type : {ElementType::F32, ElementType::F64, ElementType::I1, ElementType::I32,
                           ElementType::Index}) {
    KernelBuilder k;
    uint32_t x = k.argument(type, 2), out = k.argument(type, 1);
    ScalarOp add = is_float(type) ? ScalarOp::AddF : ScalarOp::AddI;
    Reg s = k.scalar(type);
    Reg sum = k.compute(add, type, {k.load(x, {}), k.load(x, {}, 1)});
    k.store(k.compute(add, type, {sum, s}), out, {});
    Kernel kernel = k.finish();
    EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "") << spelling(type);
  }
}

TEST(CompileKernel, PutsLoopIndicesIntoEveryLane) {
  for (int64_t n : {1, 2, 7, 16, 19, 70}) {
    KernelBuilder k;
    uint32_t out = k.argument(ElementType::Index, 3 * n);
    uint32_t narrow = k.argument(ElementType::I32, 3 * n);
    k.begin_loop(3);
    k.begin_loop(n, true);
    Reg row = k.loop_index(0), column = k.loop_index(1);
    Reg sum = k.compute(ScalarOp::AddI, ElementType::Index,
                        {k.compute(ScalarOp::MulI, ElementType::Index, {row, row}), column});
    k.store(sum, out, {n, 1});
    k.store(k.compute(ScalarOp::IndexCast, ElementType::I32, {sum}), narrow, {n, 1});
    k.end_loop();
    k.end_loop();
    Kernel kernel = k.finish();
    EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "") << "n = " << n;
  }
}

TEST(CompileKernel, ReadsConstantsBesideTheCode) {
  for (int64_t n : {1, 5, 37}) {
    KernelBuilder k;
    std::vector<uint64_t> numbers, truths;
    for (int64_t i = 0; i < n; ++i) {
      numbers.push_back(f32_bits(static_cast<float>(i)));
      truths.push_back(i % 3 == 0);
    }
    uint32_t list = k.constant(ElementType::F32, numbers);
    uint32_t choice = k.constant(ElementType::I1, truths);
    uint32_t nines = k.splat(ElementType::F32, int64_t{1} << 60, f32_bits(9));
    uint32_t out = k.argument(ElementType::F32, n);
    k.begin_loop(n, true);
    k.store(k.compute(ScalarOp::Select, ElementType::F32,
                      {k.load(choice, {1}), k.load(list, {-1}, n - 1), k.load(nines, {1})}),
            out, {1});
    k.end_loop();
    Kernel kernel = k.finish();
    for (Isa isa : host_isas()) {
      // The evaluator would expand the splat: what it holds is said here instead.
      for (Buffer& buffer : kernel.buffers)
        if (buffer.splat)
          buffer.elements = n;
      EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel), isa), "") << "n = " << n;
    }
  }
}

TEST(CompileKernel, CompilesASplatOfAnySizeIntoNothing) {
  KernelBuilder k;
  uint32_t nines = k.splat(ElementType::F32, int64_t{1} << 60, f32_bits(9));
  uint32_t out = k.argument(ElementType::F32, 4);
  k.begin_loop(4, true);
  k.store(k.load(nines, {1}, int64_t{1} << 59), out, {1});
  k.end_loop();
  Diagnostics diagnostics;
  std::optional<CompiledKernel> compiled = compile(k.finish(), Isa::SSE42, diagnostics);
  ASSERT_TRUE(compiled);
  EXPECT_LT(compiled->pages.bytes(), 65536u);
}

TEST(CompileKernel, PassesValuesThroughTemps) {
  for (int64_t n : {0, 1, 37, 1000}) {
    KernelBuilder k;
    uint32_t x = k.argument(ElementType::F32, n), out = k.argument(ElementType::F32, n);
    uint32_t a = k.temp(ElementType::F32, n), b = k.temp(ElementType::F32, n);
    k.alloc(a);
    add_copy(k, x, a, n);
    k.alloc(b);
    add_copy(k, a, b, n);
    k.free(a);
    add_copy(k, b, out, n);
    k.free(b);
    Kernel kernel = k.finish();
    EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "") << "n = " << n;
  }
}

TEST(CompileKernel, AlignsATempAsItsBufferSays) {
  // Copies 64-byte aligned or not, a temp works; its address shows only in what streaming does.
  for (int64_t alignment : {1, 16, 64, 4096, 1 << 20}) {
    KernelBuilder k;
    uint32_t x = k.argument(ElementType::F64, 100), out = k.argument(ElementType::F64, 100);
    uint32_t t = k.temp(ElementType::F64, 100);
    k.alloc(t);
    k.begin_loop(100, true);
    k.store(k.load(x, {1}), t, {1}, 0, true);
    k.end_loop();
    add_copy(k, t, out, 100);
    k.free(t);
    Kernel kernel = k.finish();
    kernel.buffers[t].alignment = alignment;
    EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "") << alignment;
  }
}

TEST(CompileKernel, AFailedAllocationNamesItsBufferAndFreesTheOthers) {
  KernelBuilder k;
  uint32_t out = k.argument(ElementType::F32, 16);
  uint32_t small = k.temp(ElementType::F32, 1 << 12), huge = k.temp(ElementType::F64, 1);
  k.alloc(small);
  add_copy(k, small, out, 16);
  k.alloc(huge);
  k.free(huge);
  k.free(small);
  Kernel kernel = k.finish();
  kernel.buffers[huge].elements = int64_t{1} << 59;
  for (Isa isa : host_isas()) {
    Diagnostics diagnostics;
    std::optional<CompiledKernel> compiled = compile(kernel, isa, diagnostics);
    ASSERT_TRUE(compiled);
    std::vector<float> data(16);
    void* arguments[] = {data.data()};
    EXPECT_EQ(compiled->entry(arguments), 1u + huge);
    size_t in_use = mallinfo2().uordblks;
    for (int call = 0; call < 10; ++call)
      compiled->entry(arguments);
    EXPECT_LT(mallinfo2().uordblks, in_use + (4 << 12)); // less than one lost temp
  }
}

TEST(CompileKernel, FreesATempThatNobodyFrees) {
  KernelBuilder k;
  uint32_t t = k.temp(ElementType::F32, 1 << 10);
  k.alloc(t);
  Kernel kernel = k.finish();
  Diagnostics diagnostics;
  std::optional<CompiledKernel> compiled = compile(kernel, Isa::SSE42, diagnostics);
  ASSERT_TRUE(compiled);
  EXPECT_EQ(compiled->entry(nullptr), 0u);
  size_t in_use = mallinfo2().uordblks;
  for (int call = 0; call < 10; ++call)
    compiled->entry(nullptr);
  EXPECT_LT(mallinfo2().uordblks, in_use + (4 << 10)); // less than one lost temp
}

TEST(CompileKernel, AddsUpThreeHundredArguments) {
  KernelBuilder k;
  std::vector<uint32_t> inputs;
  std::vector<Reg> scalars;
  for (int a = 0; a < 280; ++a)
    inputs.push_back(k.argument(ElementType::F32, 21));
  for (int a = 0; a < 20; ++a)
    scalars.push_back(k.scalar(ElementType::F32));
  uint32_t out = k.argument(ElementType::F32, 21);
  k.begin_loop(21, true);
  Reg sum = k.constant_value(ElementType::F32, 0);
  for (uint32_t input : inputs)
    sum = k.compute(ScalarOp::AddF, ElementType::F32, {sum, k.load(input, {1})});
  for (Reg scalar : scalars)
    sum = k.compute(ScalarOp::AddF, ElementType::F32, {sum, scalar});
  k.store(sum, out, {1});
  k.end_loop();
  Kernel kernel = k.finish();
  EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "");
}

// Sixty values that are all needed after the last of them is made, in loops of two widths.
TEST(CompileKernel, SpillsWhatDoesNotFitIntoRegisters) {
  for (ElementType type : {ElementType::F32, ElementType::F64})
    for (int64_t n : {1, 7, 70}) {
      KernelBuilder k;
      uint32_t x = k.argument(type, n + 60), out = k.argument(type, n);
      k.begin_loop(n, true);
      std::vector<Reg> live;
      for (int64_t v = 0; v < 60; ++v)
        live.push_back(k.load(x, {1}, v));
      Reg sum = live[0];
      for (size_t v = 60; v-- > 1;)
        sum = k.compute(ScalarOp::SubF, type, {live[v], sum});
      for (size_t v = 0; v < 60; ++v)
        sum = k.compute(ScalarOp::AddF, type, {sum, live[v]});
      k.store(sum, out, {1});
      k.end_loop();
      Kernel kernel = k.finish();
      EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "") << "n = " << n;
    }
}

TEST(CompileKernel, RunsTenNestedLoops) {
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::I32, 512 * 19), out = k.argument(ElementType::I32, 512 * 19);
  std::vector<int64_t> forward, backward;
  for (int64_t d = 0; d < 9; ++d) {
    k.begin_loop(2);
    forward.push_back(int64_t{19} << (8 - d));
    backward.push_back(int64_t{1} << d);
  }
  forward.push_back(1);
  backward.push_back(512);
  k.begin_loop(19, true);
  Reg index = k.compute(ScalarOp::IndexCast, ElementType::I32, {k.loop_index(4)});
  k.store(k.compute(ScalarOp::AddI, ElementType::I32, {k.load(x, backward), index}), out, forward);
  for (int d = 0; d < 10; ++d)
    k.end_loop();
  Kernel kernel = k.finish();
  EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "");
}

// Cut into several machine functions; values of the outermost block and temps live across the cuts.
TEST(CompileKernel, PassesValuesBetweenHundredsOfNests) {
  constexpr int64_t kSize = 21, kNests = 300;
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::I32, kSize), out = k.argument(ElementType::I32, kSize);
  uint32_t temps[] = {k.temp(ElementType::I32, kSize), k.temp(ElementType::I32, kSize)};
  k.alloc(temps[0]);
  k.alloc(temps[1]);
  add_copy(k, x, temps[0], kSize);
  Reg total = k.load(x, {});
  Reg three = k.constant_value(ElementType::I32, 3);
  for (int64_t nest = 0; nest < kNests; ++nest) {
    k.begin_loop(kSize, true);
    Reg sum = k.carry(total);
    Reg element = k.load(temps[nest % 2], {1});
    k.store(k.compute(ScalarOp::AddI, ElementType::I32, {element, three}), temps[(nest + 1) % 2],
            {1});
    k.set_next(sum, k.compute(ScalarOp::AddI, ElementType::I32, {sum, element}), ScalarOp::AddI);
    k.end_loop();
    total = k.compute(ScalarOp::XOrI, ElementType::I32, {k.result_of(sum), three});
  }
  k.begin_loop(kSize, true);
  k.store(k.compute(ScalarOp::AddI, ElementType::I32, {k.load(temps[0], {1}), total}), out, {1});
  k.end_loop();
  k.free(temps[0]);
  k.free(temps[1]);
  Kernel kernel = k.finish();
  EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "");
}

TEST(CompileKernel, AFailureInALaterPartEndsTheKernel) {
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::I32, 16);
  uint32_t huge = k.temp(ElementType::I32, 1);
  for (int nest = 0; nest < 300; ++nest)
    add_copy(k, x, x, 16);
  k.alloc(huge);
  for (int nest = 0; nest < 300; ++nest) {
    k.begin_loop(16, true);
    k.store(k.loop_index(0), k.argument(ElementType::Index, 16), {1});
    k.end_loop();
  }
  Kernel kernel = k.finish();
  kernel.buffers[huge].elements = int64_t{1} << 60;
  Diagnostics diagnostics;
  std::optional<CompiledKernel> compiled = compile(kernel, Isa::SSE42, diagnostics);
  ASSERT_TRUE(compiled);
  std::vector<int64_t> data(16, 5);
  std::vector<void*> arguments(kernel.num_arguments, data.data());
  EXPECT_EQ(compiled->entry(arguments.data()), 1u + huge);
  EXPECT_EQ(data[3], 5); // nothing after the failure ran
}

TEST(CompileKernel, CompilesABodyOfTwoThousandOps) {
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::F32, 37), out = k.argument(ElementType::F32, 37);
  k.begin_loop(37, true);
  Reg v = k.load(x, {1});
  for (int op = 0; op < 1000; ++op) {
    Reg c = k.constant_value(ElementType::F32, f32_bits(static_cast<float>(op % 200)));
    v = k.compute(op % 2 ? ScalarOp::SubF : ScalarOp::AddF, ElementType::F32, {v, c});
  }
  k.store(v, out, {1}, 0, true);
  k.end_loop();
  Kernel kernel = k.finish();
  EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "");
}

// f32, f64, i64, i32 and i1 in one body: the widest decides how many lanes there are.
TEST(CompileKernel, MixesElementTypesInOneBody) {
  for (int64_t n = 0; n <= 40; ++n) {
    KernelBuilder k;
    uint32_t f = k.argument(ElementType::F32, n), d = k.argument(ElementType::F64, n);
    uint32_t l = k.argument(ElementType::I64, n), i = k.argument(ElementType::I32, n);
    uint32_t b = k.argument(ElementType::I1, n), out = k.argument(ElementType::F64, n);
    uint32_t out_i = k.argument(ElementType::I32, n), out_b = k.argument(ElementType::I1, n);
    Reg limit = k.scalar(ElementType::I1);
    k.begin_loop(n, true);
    Reg wide = k.compute(ScalarOp::ExtF, ElementType::F64, {k.load(f, {1})});
    Reg sum = k.compute(ScalarOp::AddF, ElementType::F64, {wide, k.load(d, {1})});
    Reg number = k.compute(ScalarOp::TruncI, ElementType::I32, {k.load(l, {1})});
    Reg less = k.compute(ScalarOp::CmpI, ElementType::I1, {number, k.load(i, {1})},
                         static_cast<uint8_t>(CmpIPredicate::SLT));
    Reg choice = k.compute(ScalarOp::XOrI, ElementType::I1, {less, k.load(b, {1})});
    Reg both = k.compute(ScalarOp::AndI, ElementType::I1, {choice, limit});
    k.store(k.compute(ScalarOp::Select, ElementType::F64, {choice, sum, wide}), out, {1}, 0, true);
    k.store(k.compute(ScalarOp::Select, ElementType::I32, {both, number, k.load(i, {1})}), out_i,
            {1});
    k.store(both, out_b, {1});
    k.end_loop();
    Kernel kernel = k.finish();
    EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "") << "n = " << n;
  }
}

TEST(CompileKernel, RefusesAnAllocationInALoop) {
  KernelBuilder k;
  uint32_t t = k.temp(ElementType::F32, 8);
  k.begin_loop(2);
  k.alloc(t);
  k.end_loop();
  Diagnostics diagnostics;
  EXPECT_FALSE(compile(k.finish(), Isa::SSE42, diagnostics));
  ASSERT_EQ(diagnostics.count(), 1u);
  EXPECT_EQ(diagnostics.all()[0].id, DiagId::CodegenFailed);
}

TEST(CompileKernel, RefusesMoreStateThanTheStackShouldHold) {
  KernelBuilder k;
  for (int t = 0; t < 140'000; ++t)
    k.temp(ElementType::F32, 1);
  Diagnostics diagnostics;
  EXPECT_FALSE(compile(k.finish(), Isa::SSE42, diagnostics));
  ASSERT_EQ(diagnostics.count(), 1u);
  EXPECT_EQ(diagnostics.all()[0].id, DiagId::CodegenFailed);
}

TEST(CompileKernel, ShowsTheOpsInItsAssembly) {
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::F32, 64);
  k.begin_loop(64, true);
  Reg v = k.load(x, {1});
  k.store(k.compute(ScalarOp::MulF, ElementType::F32, {v, v}), x, {1}, 0, true);
  k.end_loop();
  Diagnostics diagnostics;
  CodeForm form;
  form.text = true;
  const std::optional<MachineCode> code = assemble(k.finish(), Isa::SSE42, form, diagnostics);
  ASSERT_TRUE(code);
  for (const char* part :
       {"# loop d0", "# %r1 = arith.mulf %r0, %r0", "mulps", "movntps", "sfence"})
    EXPECT_NE(code->assembly.find(part), std::string::npos) << part;
}

} // namespace
} // namespace mo
