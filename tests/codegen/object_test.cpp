// Kernels as object files: what C calls computes what the loops mean, and the assembly gives the
// same bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/object_file.h"
#include "codegen/vector_ops.h"
#include "runtime/scalar_eval.h"
#include "tests/codegen/c_call.h"
#include "tests/codegen/jit_support.h"
#include "tests/codegen/kernel_builder.h"
#include "tests/codegen/loops_support.h"
#include "tests/codegen/object_batch.h"
#include "tests/codegen/random_generic.h"
#include "tests/support/element_bits.h"
#include "tests/support/elf_image.h"

namespace mo {
namespace {

using testing::ElfImage;
using testing::host_isas;
using testing::kElementTypes;
using testing::KernelBuilder;
using testing::ObjectBatch;
using testing::small_arguments;

constexpr Isa kAllIsas[] = {Isa::SSE42, Isa::AVX2, Isa::AVX512};

TEST(ObjectFile, RandomKernelsComputeWhatTheLoopsMeanWhenCalledFromC) {
  struct Case {
    size_t number;
    uint32_t seed;
    const Function function;
  };
  ObjectBatch batch;
  std::vector<Case> cases;
  for (uint32_t seed = 1000; seed < 1120; ++seed) {
    const Function function = testing::random_generic(seed);
    if (!testing::is_valid(function))
      continue;
    for (Isa isa : host_isas()) {
      CompileOptions options;
      options.isa = isa;
      options.nt_stores = seed % 2 ? NtStores::Always : NtStores::Never;
      std::string complaint;
      cases.push_back({batch.add(build_loops(function, options), isa, complaint), seed, function});
      ASSERT_EQ(complaint, "");
    }
  }
  ASSERT_EQ(batch.build(), "");
  for (const Case& c : cases)
    EXPECT_EQ(batch.mismatch(c.number, testing::random_arguments(c.function, c.seed),
                             c.seed % 5 * 4, true),
              "")
        << "seed " << c.seed;
  EXPECT_EQ(batch.difference_from_the_assembler(), "");
}

// One loop with one op, for every op, types and instruction set.
TEST(ObjectFile, TheAssemblerGivesTheSameBytesForEveryOp) {
  ObjectBatch batch;
  for (unsigned o = 0; o < num_scalar_ops(); ++o) {
    const auto op = static_cast<ScalarOp>(o);
    for (ElementType from : kElementTypes)
      for (ElementType to : kElementTypes) {
        if (!block_kernel(op, 1, from, to) || info(op).arity == 0)
          continue;
        for (Isa isa : kAllIsas) {
          KernelBuilder k;
          const unsigned arity = info(op).arity;
          std::vector<Reg> operands;
          k.begin_loop(77, true);
          for (unsigned n = 0; n < arity; ++n) {
            const bool condition = op == ScalarOp::Select && n == 0;
            operands.push_back(k.load(k.argument(condition ? ElementType::I1 : from, 77), {1}));
          }
          operands.resize(3);
          const Reg result = arity == 1 ? k.compute(op, to, {operands[0]}, 1)
                             : arity == 2
                                 ? k.compute(op, to, {operands[0], operands[1]}, 1)
                                 : k.compute(op, to, {operands[0], operands[1], operands[2]}, 1);
          k.store(result, k.argument(to, 77), {1});
          k.end_loop();
          std::string complaint;
          batch.add(k.finish(), isa, complaint);
          ASSERT_EQ(complaint, "") << info(op).spelling;
        }
      }
  }
  ASSERT_EQ(batch.build(), "");
  EXPECT_EQ(batch.difference_from_the_assembler(), "");
}

// Three of each kind of argument and ten pointers: more than there are registers for either class.
TEST(ObjectFile, TakesMoreArgumentsThanThereAreRegisters) {
  ObjectBatch batch;
  std::vector<std::pair<size_t, Kernel>> cases;
  for (Isa isa : host_isas()) {
    KernelBuilder k;
    for (int round = 0; round < 11; ++round)
      for (ElementType type : {ElementType::F64, ElementType::I1, ElementType::F32,
                               ElementType::I32, ElementType::Index}) {
        const Reg s = k.scalar(type);
        k.store(s, k.argument(type, 1), {});
      }
    Kernel kernel = k.finish();
    std::string complaint;
    const size_t number = batch.add(kernel, isa, complaint);
    ASSERT_EQ(complaint, "");
    cases.emplace_back(number, std::move(kernel));
  }
  ASSERT_EQ(batch.build(), "");
  for (const auto& [number, kernel] : cases)
    EXPECT_EQ(batch.mismatch(number, small_arguments(kernel)), "");
}

TEST(ObjectFile, AFunctionWithoutArgumentsCanBeCalled) {
  ObjectBatch batch;
  std::string complaint;
  const size_t number = batch.add(KernelBuilder().finish(), Isa::SSE42, complaint);
  ASSERT_EQ(batch.build(), "");
  EXPECT_EQ(batch.mismatch(number, {}), "");
}

TEST(ObjectFile, ReturnsWhichAllocationFailed) {
  ObjectBatch batch;
  KernelBuilder k;
  const uint32_t t = k.temp(ElementType::F32, 1);
  k.alloc(t);
  k.free(t);
  Kernel kernel = k.finish();
  kernel.buffers[t].elements = int64_t{1} << 60;
  std::string complaint;
  const size_t number = batch.add(kernel, Isa::SSE42, complaint);
  ASSERT_EQ(batch.build(), "");
  void* function = batch.function(number);
  ASSERT_NE(function, nullptr);
  EXPECT_EQ(testing::call_c_function(function, {}), 1);
  EXPECT_EQ(ElfImage::read(batch.object_path()).undefined_symbols(),
            (std::vector<std::string>{"free", "malloc"}));
}

TEST(ObjectFile, HasOneGlobalFunctionPerKernelAndNothingUndefinedWithoutTemps) {
  ObjectBatch batch;
  std::string complaint;
  for (int kernel = 0; kernel < 2; ++kernel) {
    KernelBuilder k;
    const uint32_t x = k.argument(ElementType::F32, 16);
    for (int nest = 0; nest < 60; ++nest) { // so many that the kernel is cut into parts
      k.begin_loop(16, true);
      k.store(k.load(x, {1}), x, {1});
      k.end_loop();
    }
    batch.add(k.finish(), Isa::AVX2, complaint);
  }
  ASSERT_EQ(batch.build(), "");
  std::vector<std::string> global, local;
  const ElfImage object = ElfImage::read(batch.object_path());
  for (const ElfImage::Symbol& symbol : object.symbols())
    if (symbol.function)
      (symbol.global ? global : local).push_back(symbol.name);
  EXPECT_EQ(global, (std::vector<std::string>{"kernel0", "kernel1"}));
  EXPECT_THAT(local, ::testing::Contains("kernel1.entry"));
  EXPECT_THAT(local, ::testing::Contains("kernel1.part2"));
  EXPECT_TRUE(object.undefined_symbols().empty());
}

} // namespace
} // namespace mo
