// Exercise: do the loops of producer and consumer line up?
#include "tests/exercises/cases.h"
#include "tests/exercises/passes/edges.h"

namespace mo::exercise {
namespace {

struct Edge {
  std::string write; // producer loops -> element that it writes
  std::string read;  // consumer loops -> element that it reads
  const char* expected;
};

size_t count(const std::string& text, char c) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), c));
}

/// tensor<4x4xf32> for two dims.
std::string tensor(size_t rank) {
  std::string text = "tensor<";
  for (size_t d = 0; d < rank; ++d)
    text += "4x";
  return text + "f32>";
}

/// "(d0, d1) -> (d0, d1)" over the loops of another map.
std::string identity_on_loops_of(const std::string& map) {
  const std::string dims = map.substr(0, map.find(" ->"));
  return dims + " -> " + dims;
}

size_t loops_of(const std::string& map) {
  return count(map.substr(0, map.find("->")), 'd');
}

/// %p = -%a, written through `write`; %c = -%p, read through `read`, one element per iteration.
std::string program(const Edge& edge) {
  const std::string value = tensor(loops_of(edge.write)), out = tensor(loops_of(edge.read));
  const auto negate = [](const std::string& result, const std::string& in_map,
                         const std::string& out_map, const std::string& operands,
                         const std::string& type) {
    return "  " + result + " = linalg.generic {indexing_maps = [" + map_list({in_map, out_map}) +
           "],\n      iterator_types = [" + parallel_loops(in_map) + "]} " + operands +
           " {\n  ^bb0(%x: f32, %o: f32):\n    %n = arith.negf %x : f32\n    linalg.yield %n : "
           "f32\n  } -> " +
           type + "\n";
  };
  return "func.func @f(%a: " + value + ", %e: " + value + ", %d: " + out + ") -> " + out + " {\n" +
         negate("%p", identity_on_loops_of(edge.write), edge.write,
                "ins(%a : " + value + ") outs(%e : " + value + ")", value) +
         negate("%c", edge.read, identity_on_loops_of(edge.read),
                "ins(%p : " + value + ") outs(%d : " + out + ")", out) +
         "  return %c : " + out + "\n}";
}

std::string verdict_on(const std::string& text) {
  const Function function = function_from(text);
  const Uses uses(function);
  const FusionVerdict verdict =
      plan_fusion(function, uses, generic_at(function, 1), 0, FusionMode::Strict);
  if (const auto* refusal = std::get_if<FusionRefusal>(&verdict))
    return std::string(spelling(refusal->reason)) + ", row " + std::to_string(refusal->number) +
           " of " + to_string(refusal->loops);
  return "fuses, the loops by " + to_string(std::get<FusionPlan>(verdict).loops);
}

void expect_verdicts(const char* rule, const std::vector<Edge>& table) {
  for (const Edge& edge : table)
    expect_case(rule, program(edge), edge.expected, verdict_on(program(edge)));
}

const std::string kId = "(d0, d1) -> (d0, d1)", kSwap = "(d0, d1) -> (d1, d0)";

TEST(FusionLegality, TheProducersLoopsKeepTheirOrder) {
  expect_verdicts(
      "the consumer's loops run the producer's in order: the dims in the rows of `loops` ascend, "
      "or it is TransposedRead at the first row that does not",
      {
          {kId, kId, "fuses, the loops by (d0, d1) -> (d0, d1)"},
          {kId, kSwap, "transposed-read, row 1 of (d0, d1) -> (d1, d0)"},
          {kSwap, kId, "transposed-read, row 1 of (d0, d1) -> (d1, d0)"},
          {kSwap, kSwap, "fuses, the loops by (d0, d1) -> (d0, d1)"},
          {"(d0, d1, d2) -> (d0, d1, d2)", "(d0, d1, d2) -> (d0, d2, d1)",
           "transposed-read, row 2 of (d0, d1, d2) -> (d0, d2, d1)"},
      });
}

TEST(FusionLegality, ABroadcastLeavesLoopsOutAndKeepsTheOrder) {
  expect_verdicts(
      "loops of the consumer may be left out, as long as the others ascend",
      {
          {kId, "(d0, d1, d2) -> (d0, d2)",
           "fuses, the loops by (d0, d1, d2) -> (d0, "
           "d2)"},
          {"(d0) -> (d0)", kId.substr(0, 12) + "(d1)", "fuses, the loops by (d0, d1) -> (d1)"},
          {kId, "(d0, d1, d2) -> (d2, d0)", "transposed-read, row 1 of (d0, d1, d2) -> (d2, d0)"},
      });
}

TEST(FusionLegality, ARowThatIsNotOnePlainLoopIsRefused) {
  expect_verdicts(
      "each row of `loops` is one plain loop of the consumer, or it is NonPlainRead at "
      "the first row that is not; rows are counted in `loops`, not in the read map",
      {
          {kId, "(d0) -> (d0, 3)", "non-plain-read, row 1 of (d0) -> (d0, 3)"},
          {kSwap, "(d0) -> (d0, 3)", "non-plain-read, row 0 of (d0) -> (3, d0)"},
          {"(d0) -> (d0)", "(d0, d1) -> (d0 + d1)",
           "non-plain-read, row 0 of (d0, d1) -> (d0 + d1)"},
          {"(d0) -> (d0)", "(d0) -> (d0 * 2)", "non-plain-read, row 0 of (d0) -> (d0 * 2)"},
      });
}

TEST(FusionLegality, ADiagonalIsRefused) {
  expect_verdicts("no loop of the consumer drives two of the producer's, or it is DiagonalRead at "
                  "the second one's row",
                  {
                      {kId, "(d0) -> (d0, d0)", "diagonal-read, row 1 of (d0) -> (d0, d0)"},
                      {"(d0, d1, d2) -> (d0, d1, d2)", "(d0, d1) -> (d0, d1, d0)",
                       "diagonal-read, row 2 of (d0, d1) -> (d0, d1, d0)"},
                  });
}

TEST(FusionLegality, OfSeveralReasonsTheFirstInTheEnumIsGiven) {
  expect_verdicts("all rows are asked for NonPlainRead first, then for DiagonalRead, then for "
                  "TransposedRead",
                  {
                      {"(d0, d1, d2) -> (d0, d1, d2)", "(d0, d1) -> (d1, d0, 0)",
                       "non-plain-read, row 2 of (d0, d1) -> (d1, d0, 0)"},
                      {"(d0, d1, d2) -> (d0, d1, d2)", "(d0, d1) -> (d1, d0, d0)",
                       "diagonal-read, row 2 of (d0, d1) -> (d1, d0, d0)"},
                      {"(d0, d1, d2) -> (d0, d1, d2)", "(d0, d1) -> (d0, d0, 5)",
                       "non-plain-read, row 2 of (d0, d1) -> (d0, d0, 5)"},
                  });
}

} // namespace
} // namespace mo::exercise
