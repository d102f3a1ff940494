// What a debugger is told of code: the forms of loop bodies, and the image of code in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>

#include "codegen/compile.h"
#include "codegen/object_file.h"
#include "tests/codegen/kernel_builder.h"
#include "tests/codegen/loops_support.h"
#include "tests/codegen/random_generic.h"
#include "tests/support/elf_image.h"
#include "tests/support/process.h"

namespace mo {
namespace {

using testing::ElfImage;
using ::testing::HasSubstr;
using testing::KernelBuilder;
using ::testing::Not;
using testing::run_process;

constexpr Isa kAllIsas[] = {Isa::SSE42, Isa::AVX2, Isa::AVX512};

MachineCode code_of(const Kernel& kernel, Isa isa) {
  Diagnostics diagnostics;
  CodeForm form;
  form.values = true;
  auto code = assemble(kernel, isa, form, diagnostics);
  if (!code)
    throw std::runtime_error(diagnostics.all().at(0).message);
  return std::move(*code);
}

// rows times: out[r, :] = 2 in[r, :] over `columns` elements.
Kernel doubling(int64_t rows, int64_t columns) {
  KernelBuilder k;
  const uint32_t in = k.argument(ElementType::F32, rows * columns);
  const uint32_t out = k.argument(ElementType::F32, rows * columns);
  k.begin_loop(rows);
  k.begin_loop(columns, true);
  const Reg v = k.load(in, {columns, 1});
  k.store(k.compute(ScalarOp::AddF, ElementType::F32, {v, v}), out, {columns, 1});
  k.end_loop();
  k.end_loop();
  return k.finish();
}

// Temps, and so many nests that the kernel is several machine functions.
Kernel long_kernel() {
  KernelBuilder k;
  const uint32_t in = k.argument(ElementType::F64, 100);
  const uint32_t temp = k.temp(ElementType::F64, 100);
  k.alloc(temp);
  for (int nest = 0; nest < 60; ++nest) {
    k.begin_loop(99, true);
    k.store(k.load(in, {1}), temp, {1});
    k.end_loop();
  }
  k.free(temp);
  return k.finish();
}

struct Form {
  unsigned lanes, vectors;
  bool operator==(const Form&) const = default;
};
std::vector<Form> forms(const MachineCode& code) {
  std::vector<Form> all;
  for (const MachineCode::LoopBody& body : code.loop_bodies)
    all.push_back({body.lanes, body.vectors});
  return all;
}

TEST(LoopBodies, AreTheUnrolledVectorsASingleOneAndWhatIsLeft) {
  EXPECT_EQ(forms(code_of(doubling(1, 23), Isa::SSE42)),
            (std::vector<Form>{{1, 1}, {4, 4}, {4, 1}, {2, 1}, {1, 1}}));
  EXPECT_EQ(forms(code_of(doubling(1, 23), Isa::AVX512)),
            (std::vector<Form>{{1, 1}, {16, 1}, {16, 1}}))
      << "rows, a vector, and one under a mask";
}

TEST(LoopBodies, StandInTheBodyOfTheLoopAroundThem) {
  for (const Isa isa : kAllIsas) {
    const MachineCode code = code_of(doubling(3, 100), isa);
    ASSERT_GE(code.loop_bodies.size(), 3u);
    const MachineCode::LoopBody& row = code.loop_bodies[0];
    for (size_t k = 1; k < code.loop_bodies.size(); ++k) {
      EXPECT_GE(code.loop_bodies[k].begin, k == 1 ? row.begin : code.loop_bodies[k - 1].end);
      EXPECT_LE(code.loop_bodies[k].end, row.end);
      EXPECT_LT(code.loop_bodies[k].begin, code.loop_bodies[k].end);
    }
  }
}

TEST(LoopBodies, AreKnownForTransposesAndSums) {
  KernelBuilder transpose;
  const uint32_t in = transpose.argument(ElementType::F32, 64 * 64);
  const uint32_t out = transpose.argument(ElementType::F32, 64 * 64);
  transpose.begin_loop(64, true);
  transpose.begin_loop(64, true);
  transpose.store(transpose.load(in, {64, 1}), out, {1, 64});
  transpose.end_loop();
  transpose.end_loop();
  EXPECT_EQ(forms(code_of(transpose.finish(), Isa::AVX2)), (std::vector<Form>{{8, 8}}));

  KernelBuilder sum;
  const uint32_t x = sum.argument(ElementType::F32, 9), y = sum.argument(ElementType::F32, 1);
  const Reg zero = sum.constant_value(ElementType::F32, 0);
  sum.begin_loop(9, true);
  const Reg partial = sum.carry(zero);
  sum.set_next(partial, sum.compute(ScalarOp::AddF, ElementType::F32, {partial, sum.load(x, {1})}),
               ScalarOp::AddF);
  sum.end_loop();
  sum.store(sum.result_of(partial), y, {});
  const std::vector<Form> of_sum = forms(code_of(sum.finish(), Isa::SSE42));
  ASSERT_FALSE(of_sum.empty());
  EXPECT_EQ(of_sum.front().lanes, 4u);
  EXPECT_EQ(of_sum.back(), (Form{1, 1}));
}

TEST(Values, AreKnownFromTheInstructionThatMakesThemOn) {
  for (const Isa isa : kAllIsas) {
    const MachineCode code = code_of(doubling(3, 100), isa);
    ASSERT_FALSE(code.values.empty());
    for (const MachineCode::Value& value : code.values) {
      EXPECT_LE(value.begin, value.end);
      EXPECT_LE(value.end, code.text.size());
      EXPECT_EQ(value.type, ElementType::F32);
      EXPECT_LE(value.lanes * 4, vector_bytes(isa));
    }
  }
}

// What a register holds is known of one instruction: whatever writes to it ends what was there.
TEST(Values, NoRegisterHoldsWhatTwoInstructionsMade) {
  for (const Isa isa : kAllIsas)
    for (uint32_t seed = 1; seed < 60; ++seed) {
      const Function function = testing::random_generic(seed);
      if (!testing::is_valid(function))
        continue;
      CompileOptions options;
      options.isa = isa;
      const MachineCode code = code_of(build_loops(function, options), isa);
      std::map<uint8_t, std::pair<size_t, size_t>> last; // by register: begin and end
      for (const MachineCode::Value& value : code.values) {
        const auto [place, is_new] = last.try_emplace(value.reg, value.begin, value.end);
        // The instruction that overwrites is where the old value may be looked at for the last
        // time, and the new one begins behind it. One instruction may make two values: a copy of
        // one.
        if (!is_new && place->second.first != value.begin) {
          EXPECT_LE(place->second.second, value.begin) << "seed " << seed;
        }
        place->second = {value.begin, value.end};
      }
    }
}

TEST(Values, EndWhereOtherCodeMayJumpTo) {
  KernelBuilder k;
  const uint32_t in = k.argument(ElementType::F32, 8), out = k.argument(ElementType::F32, 64);
  k.begin_loop(8);
  const Reg outer = k.load(in, {1});
  k.begin_loop(8, true);
  k.store(outer, out, {8, 1});
  k.end_loop();
  k.end_loop();
  const MachineCode code = code_of(k.finish(), Isa::AVX2);
  ASSERT_GE(code.loop_bodies.size(), 2u);
  ASSERT_EQ(code.values.size(), 1u);
  EXPECT_LE(code.values[0].end, code.loop_bodies[1].begin) << "it ends ahead of the inner loop";
}

// The image of code at an address, and the jumps behind it, as a file.
struct ImageFile {
  static constexpr uint64_t kAddress = 0x7f1234567000;
  testing::TemporaryDirectory dir;
  std::string path = dir / "image.o";

  explicit ImageFile(const Kernel& kernel, Isa isa = Isa::AVX2) {
    const MachineCode code = code_of(kernel, isa);
    Diagnostics diagnostics;
    const auto loaded = load(kernel, code, diagnostics);
    const std::vector<std::byte> image =
        debug_image(code, loaded.value().jumps, {"kernel.tir", "/nowhere"}, kAddress);
    testing::write_file(path, {reinterpret_cast<const char*>(image.data()), image.size()});
  }
};

TEST(DebugImage, VerifiesAsTheToolsOfTheTradeSeeIt) {
  const std::string dwarfdump = testing::find_dwarfdump();
  if (dwarfdump.empty())
    GTEST_SKIP() << "no llvm-dwarfdump on the PATH (Debian package llvm-22)";
  for (const Isa isa : kAllIsas)
    for (const Kernel& kernel : {doubling(3, 100), long_kernel()}) {
      const ImageFile image(kernel, isa);
      const auto verified =
          run_process({dwarfdump, "--verify", "--error-display=full", image.path});
      EXPECT_EQ(verified.status, 0) << verified.out;
      EXPECT_THAT(verified.out, Not(HasSubstr("warning")));
      const auto readelf = run_process({"readelf", "--all", "--wide", image.path});
      EXPECT_EQ(readelf.err, "");
      EXPECT_THAT(readelf.out, Not(HasSubstr("readelf: ")));
    }
}

TEST(DebugImage, SaysWhereTheCodeIsAndHoldsNone) {
  const ImageFile image(doubling(1, 5));
  const std::string sections = run_process({"readelf", "--sections", "--wide", image.path}).out;
  EXPECT_THAT(sections, ::testing::ContainsRegex("\\.text +NOBITS +00007f1234567000 .* AX "));
}

TEST(DebugImage, NamesFunctionsRelativeToTheirSection) {
  const ImageFile image(long_kernel());
  std::vector<std::string> names;
  for (const ElfImage::Symbol& symbol : ElfImage::read(image.path).symbols())
    if (symbol.function) {
      names.push_back(symbol.name);
      EXPECT_LT(symbol.value, uint64_t{1} << 20) << symbol.name;
      EXPECT_GT(symbol.size, 0u) << symbol.name;
    }
  EXPECT_THAT(names, ::testing::IsSupersetOf({"kernel", "kernel.part0", "kernel.part1",
                                              "jump_to_malloc", "jump_to_free"}));
}

TEST(DebugImage, KnowsTheCallerOfEveryFunctionAndOfTheJumps) {
  const ImageFile image(long_kernel());
  const std::string frames = run_process({"readelf", "--debug-dump=frames", image.path}).out;
  size_t entries = 0, functions = 0;
  for (size_t at = frames.find(" FDE "); at != frames.npos; at = frames.find(" FDE ", at + 1))
    ++entries;
  for (const ElfImage::Symbol& symbol : ElfImage::read(image.path).symbols())
    functions += symbol.function;
  EXPECT_EQ(entries, functions);
}

} // namespace
} // namespace mo
