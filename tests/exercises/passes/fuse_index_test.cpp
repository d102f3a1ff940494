// Exercise: linalg.index when the loops are no longer the producer's.
#include <map>
#include <optional>

#include "tests/exercises/cases.h"
#include "tests/exercises/ir/map_text.h"
#include "tests/exercises/passes/edges.h"

namespace mo::exercise {
namespace {

/// The producer fills tensors with an index of its own; the consumer reads them through `read`.
std::string program(const std::string& producer_loops, const std::string& read,
                    const std::string& body) {
  const std::string write = producer_loops + " -> " + producer_loops;
  const std::string consumer_loops = read.substr(0, read.find(" ->"));
  const auto type = [](const std::string& loops) {
    std::string text = "tensor<";
    for (char c : loops)
      text += c == 'd' ? "9x" : "";
    return text + "index>";
  };
  const std::string value = type(producer_loops), out = type(consumer_loops);
  return "func.func @f(%e: " + value + ", %d: " + out + ") -> " + out + " {\n" +
         "  %p = linalg.generic {indexing_maps = [" + map_list({write}) + "], iterator_types = [" +
         parallel_loops(write) + "]}\n      outs(%e : " + value + ") {\n  ^bb0(%o: index):\n" +
         body + "    linalg.yield %r : index\n  } -> " + value +
         "\n  %c = linalg.generic {indexing_maps = [" +
         map_list({read, consumer_loops + " -> " + consumer_loops}) + "], iterator_types = [" +
         parallel_loops(read) + "]}\n      ins(%p : " + value + ") outs(%d : " + out +
         ") {\n  ^bb0(%x: index, %o: index):\n    linalg.yield %x : index\n  } -> " + out +
         "\n  return %c : " + out + "\n}";
}

/// The op's value as a row of a map over the loops; nothing where it is no such sum.
using Row = std::optional<AffineMap>;

Row sum_of(const AffineMap& a, const AffineMap& b, int64_t times_a, int64_t times_b) {
  AffineMap row(a.num_dims(), 1);
  for (unsigned d = 0; d < a.num_dims(); ++d)
    row.set_coefficient(0, d, a.coefficient(0, d) * times_a + b.coefficient(0, d) * times_b);
  row.set_constant(0, a.constant(0) * times_a + b.constant(0) * times_b);
  return row;
}

bool is_constant(const AffineMap& row) {
  for (unsigned d = 0; d < row.num_dims(); ++d)
    if (row.coefficient(0, d) != 0)
      return false;
  return true;
}

Row value_of(const ScalarInst& inst, const std::map<uint32_t, AffineMap>& known, unsigned loops) {
  AffineMap row(loops, 1);
  if (inst.op == ScalarOp::Constant) {
    row.set_constant(0, static_cast<int64_t>(inst.immediate));
    return row;
  }
  if (inst.op == ScalarOp::LoopIndex) {
    if (inst.immediate >= loops)
      return std::nullopt;
    row.set_coefficient(0, static_cast<unsigned>(inst.immediate), 1);
    return row;
  }
  const auto a = known.find(inst.operands[0].index), b = known.find(inst.operands[1].index);
  if (a == known.end() || b == known.end())
    return std::nullopt;
  if (inst.op == ScalarOp::AddI)
    return sum_of(a->second, b->second, 1, 1);
  if (inst.op == ScalarOp::MulI && is_constant(b->second))
    return sum_of(a->second, row, b->second.constant(0), 0);
  if (inst.op == ScalarOp::MulI && is_constant(a->second))
    return sum_of(b->second, row, a->second.constant(0), 0);
  return std::nullopt;
}

/// What the fused body yields, over the consumer's loops.
std::string yielded(const Function& function, OpId fused) {
  const GenericOp& op = *function.op(fused).as<GenericOp>();
  std::map<uint32_t, AffineMap> known;
  for (const ScalarInst& inst : op.body.insts) {
    const Row row = value_of(inst, known, static_cast<unsigned>(op.iterators.size()));
    if (!row)
      return "nothing: an instruction names a loop or a value that is not there, in\n" +
             print(function, fused);
    known.emplace(inst.result.index, *row);
  }
  const auto found = known.find(op.body.yields[0].index);
  return found == known.end()
             ? "nothing: what is yielded is not defined, in\n" + print(function, fused)
             : to_string(found->second);
}

struct IndexCase {
  const char* producer_loops;
  const char* read; // and so the consumer's loops -> the producer's, as its write is the identity
  const char* body; // of the producer, which yields %r
  const char* expected;
};

void expect_indices(const char* rule, const std::vector<IndexCase>& table) {
  for (const IndexCase& c : table) {
    const std::string text = program(c.producer_loops, c.read, c.body);
    Function function = function_from(text);
    const FusionPlan plan = plan_of(function, 0, map_of(c.read));
    apply_fusion(function, plan);
    expect_case(rule, text, c.expected, yielded(function, plan.consumer));
  }
}

constexpr const char* kIndex0 = "    %r = linalg.index 0 : index\n";
constexpr const char* kIndex1 = "    %r = linalg.index 1 : index\n";

TEST(FuseIndex, TheIndexOfAProducerLoopIsARowOfTheMapBetweenTheLoops) {
  expect_indices("linalg.index i of the producer is row i of consumer loops -> producer loops",
                 {
                     {"(d0)", "(d0, d1) -> (d1)", kIndex0, "(d0, d1) -> (d1)"},
                     {"(d0, d1)", "(d0, d1) -> (d1, d0)", kIndex0, "(d0, d1) -> (d1)"},
                     {"(d0, d1)", "(d0, d1, d2) -> (d2, d1)", kIndex0, "(d0, d1, d2) -> (d2)"},
                 });
}

TEST(FuseIndex, SumsAndMultiplesBecomeArithmetic) {
  expect_indices("where the row is not one plain loop it is computed: coefficients by arith.muli, "
                 "terms and the constant by arith.addi",
                 {
                     {"(d0)", "(d0) -> (d0 * 3)", kIndex0, "(d0) -> (d0 * 3)"},
                     {"(d0)", "(d0, d1) -> (d0 + d1)", kIndex0, "(d0, d1) -> (d0 + d1)"},
                     {"(d0, d1)", "(d0, d1) -> (d0, d1 * 2 - d0 + 4)", kIndex1,
                      "(d0, d1) -> (-d0 + d1 * 2 + 4)"},
                     {"(d0)", "(d0) -> (d0 + 7)", kIndex0, "(d0) -> (d0 + 7)"},
                 });
}

TEST(FuseIndex, ARowWithoutLoopsIsAConstant) {
  expect_indices("a row without dims is its constant, 0 too",
                 {
                     {"(d0, d1)", "(d0) -> (d0, 5)", kIndex1, "(d0) -> (5)"},
                     {"(d0, d1)", "(d0) -> (d0, 0)", kIndex1, "(d0) -> (0)"},
                 });
}

TEST(FuseIndex, WhatUsedTheIndexUsesTheNewValue) {
  expect_indices("the last new instruction defines the value that linalg.index defined: what names "
                 "it stays as it is",
                 {
                     {"(d0, d1)", "(d0, d1) -> (d1 * 2, d0 + 1)",
                      "    %i = linalg.index 0 : index\n    %j = linalg.index 1 : index\n"
                      "    %k = arith.constant 10 : index\n    %m = arith.muli %i, %k : index\n"
                      "    %r = arith.addi %m, %j : index\n",
                      "(d0, d1) -> (d0 + d1 * 20 + 1)"},
                     {"(d0)", "(d0) -> (d0 * 2 + 1)",
                      "    %i = linalg.index 0 : index\n    %r = arith.addi %i, %i : index\n",
                      "(d0) -> (d0 * 4 + 2)"},
                 });
}

} // namespace
} // namespace mo::exercise
