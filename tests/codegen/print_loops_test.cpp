// Kernels as text, for what the other tests of loops do not show.
#include <gtest/gtest.h>

#include "codegen/compile.h"
#include "codegen/loop_walk.h"
#include "tests/codegen/loops_support.h"

namespace mo {
namespace {

std::string loops_of(std::string_view text) {
  CompileOptions options;
  options.cache_bytes = 1024;
  return print(build_loops(testing::parse_function(text), options));
}

TEST(PrintLoops, TheLabsFusedKernel) {
  EXPECT_EQ(loops_of(R"(
    func.func @fusion(%x: memref<16777216xf32>, %out: memref<16777216xf32>, %s: f32, %b: f32) {
      %zero = arith.constant 0.0 : f32
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                      iterator_types = ["parallel"]}
          ins(%x : memref<16777216xf32>) outs(%out : memref<16777216xf32>) {
      ^bb0(%in: f32, %o: f32):
        %m = arith.mulf %in, %s : f32
        %a = arith.addf %m, %b : f32
        %r = arith.maximumf %a, %zero : f32
        linalg.yield %r : f32
      }
      return
    })"),
            R"(kernel @fusion(%x: 16777216 x f32, %out: 16777216 x f32, %s: f32, %b: f32) {
  %zero = constant 0.000000e+00 : f32
  for d0 in 0..16777216 vector {
    %in = load %x[d0]
    %m = arith.mulf %in, %s : f32
    %a = arith.addf %m, %b : f32
    %r = arith.maximumf %a, %zero : f32
    store.stream %r, %out[d0]
  }
}
)");
}

TEST(PrintLoops, ComparesCastsAndSelectsAreSpelledAsInMlir) {
  EXPECT_EQ(loops_of(R"(
    func.func @f(%x: memref<8xf32>, %o: memref<8xi64>) {
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                      iterator_types = ["parallel"]}
          ins(%x : memref<8xf32>) outs(%o : memref<8xi64>) {
      ^bb0(%in: f32, %old: i64):
        %i = linalg.index 0 : index
        %n = arith.index_cast %i : index to i64
        %t = arith.fptosi %in : f32 to i64
        %c = arith.cmpf ogt, %in, %in : f32
        %d = arith.cmpi sle, %n, %t : i64
        %e = arith.andi %c, %d : i1
        %s = arith.select %e, %n, %t : i64
        linalg.yield %s : i64
      }
      return
    })"),
            R"(kernel @f(%x: 8 x f32, %o: 8 x i64) {
  for d0 in 0..8 vector {
    %in = load %x[d0]
    %i = index d0
    %n = arith.index_cast %i : index to i64
    %t = arith.fptosi %in : f32 to i64
    %c = arith.cmpf ogt, %in, %in : f32
    %d = arith.cmpi sle, %n, %t : i64
    %e = arith.andi %c, %d : i1
    %s = arith.select %e, %n, %t : i64
    store %s, %o[d0]
  }
}
)");
}

TEST(PrintLoops, NamesThatMeetGetASuffixAndNestsMayRepeatNames) {
  EXPECT_EQ(loops_of(R"(
    func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                      iterator_types = ["parallel"]}
          ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
      ^bb0(%v: f32, %old: f32):
        %r = arith.negf %v : f32
        linalg.yield %r : f32
      }
      memref.copy %y, %x : memref<8xf32> to memref<8xf32>
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                      iterator_types = ["parallel"]}
          ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
      ^bb0(%v: f32, %old: f32):
        %r = arith.negf %v : f32
        linalg.yield %r : f32
      }
      return
    })"),
            R"(kernel @f(%x: 8 x f32, %y: 8 x f32) {
  for d0 in 0..8 vector {
    %v = load %x[d0]
    %r = arith.negf %v : f32
    store %r, %y[d0]
  }
  for d0 in 0..8 vector {
    %y_0 = load %y[d0]
    store %y_0, %x[d0]
  }
  for d0 in 0..8 vector {
    %v = load %x[d0]
    %r = arith.negf %v : f32
    store %r, %y[d0]
  }
}
)");
}

TEST(PrintLoops, NegativeStridesAndOffsetsReadAsDifferences) {
  Kernel kernel;
  kernel.name = "f";
  kernel.num_arguments = 1;
  kernel.buffers.push_back({Buffer::Kind::Argument, "x", ElementType::I32, 100, 0, 64, {}, false});
  const Reg v = add_reg(kernel, "", ElementType::I32);
  Loop loop;
  loop.extent = 3;
  loop.name = "d0";
  loop.body.push_back(Node{Load{v, {0, 5, {-2}}, {}}});
  loop.body.push_back(Node{Store{v, {0, -1, {1}}, false, {}}});
  kernel.body.push_back(Node{loop});
  EXPECT_EQ(print(kernel), R"(kernel @f(%x: 100 x i32) {
  for d0 in 0..3 {
    %v = load %x[-2*d0 + 5]
    store %v, %x[d0 - 1]
  }
}
)");
}

TEST(PrintLoops, LongConstantsAreCutShort) {
  Kernel kernel;
  kernel.name = "f";
  kernel.buffers.push_back({Buffer::Kind::Constant, "c", ElementType::I1, 20, 0, 64,
                            std::vector<uint64_t>(20, 1), false});
  EXPECT_EQ(print(kernel), R"(kernel @f() {
  %c = data 20 x i1 [true, true, true, true, true, true, true, true, and 12 more]
}
)");
}

// The place of the line that holds `what`, and what its names mean.
struct Seen {
  Loc loc;
  std::vector<std::pair<std::string, Loc>> mentions; // as Value::name, and where it is defined
  bool operator==(const Seen&) const = default;
};
Seen line_with(const LocatedText& located, const std::string& what) {
  const size_t at = located.text.find(what);
  const size_t begin = located.text.rfind('\n', at) + 1, end = located.text.find('\n', at);
  Seen seen;
  for (const LocatedText::Place& place : located.places)
    if (place.at <= at)
      seen.loc = place.loc;
  for (const LocatedText::Mention& m : located.mentions)
    if (m.at >= begin && m.at < end)
      seen.mentions.push_back({m.name, m.defined});
  return seen;
}

constexpr std::string_view kTwoNests = R"(func.func @f(%x: memref<8xf32>, %out: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : memref<8xf32>) outs(%out : memref<8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %m = arith.mulf %in, %in : f32
    linalg.yield %m : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%out : memref<8xf32>) outs(%out : memref<8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %m = arith.addf %in, %in : f32
    linalg.yield %m : f32
  }
  return
})";

TEST(PrintLoops, EachStepKnowsItsPlaceAndTheValuesThatItNames) {
  const Function f = testing::parse_function(kTwoNests);
  const LocatedText located = print_located(build_loops(f, {}));
  const auto value = [&](ValueId v) { return std::pair(f.value(v).name, f.value(v).loc); };
  const auto& first = *f.ops[0].as<GenericOp>();
  const auto& second = *f.ops[1].as<GenericOp>();
  EXPECT_EQ(located.text, print(build_loops(f, {})));
  EXPECT_EQ(line_with(located, "arith.mulf"),
            (Seen{first.body.insts[0].loc,
                  {value(first.body.insts[0].result), value(first.body.args[0]),
                   value(first.body.args[0])}}));
  EXPECT_EQ(line_with(located, "arith.addf"), // the same names, other values
            (Seen{second.body.insts[0].loc,
                  {value(second.body.insts[0].result), value(second.body.args[0]),
                   value(second.body.args[0])}}));
  EXPECT_EQ(line_with(located, "load %x"),
            (Seen{f.ops[0].loc, {value(first.body.args[0]), value(f.args[0].value)}}));
  EXPECT_EQ(line_with(located, "for d0"), (Seen{f.ops[0].loc, {}}));
}

TEST(PrintLoops, TheAssemblyKnowsThePlacesOfItsLines) {
  const Function f = testing::parse_function(kTwoNests);
  CodeForm form;
  form.text = true;
  Diagnostics diagnostics;
  const auto code = assemble(build_loops(f, {}), Isa::SSE42, form, diagnostics);
  ASSERT_TRUE(code);
  const LocatedText located{code->assembly, code->assembly_places, {}};
  EXPECT_EQ(line_with(located, "mulps").loc, f.ops[0].as<GenericOp>()->body.insts[0].loc);
  EXPECT_EQ(line_with(located, "addps").loc, f.ops[1].as<GenericOp>()->body.insts[0].loc);
  EXPECT_EQ(line_with(located, "# loop d0").loc, f.ops[0].loc);
  EXPECT_EQ(line_with(located, "push").loc, f.loc);
}

} // namespace
} // namespace mo
