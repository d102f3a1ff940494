#include "tools/options.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tools/flags.h"

namespace mo {
namespace {

std::variant<Options, UsageError> read(std::vector<std::string_view> arguments) {
  return parse_options(arguments);
}
Options accepted(std::vector<std::string_view> arguments) {
  auto parsed = read(std::move(arguments));
  if (auto* error = std::get_if<UsageError>(&parsed))
    ADD_FAILURE() << error->message;
  return std::holds_alternative<Options>(parsed) ? std::get<Options>(parsed) : Options{};
}
std::string refused(std::vector<std::string_view> arguments) {
  auto parsed = read(std::move(arguments));
  return std::holds_alternative<UsageError>(parsed) ? std::get<UsageError>(parsed).message
                                                    : "accepted";
}

TEST(Options, PassesKeepTheOrderGiven) {
  const Options o = accepted({"--canonicalize", "--fuse", "--fuse=mlir", "--elim", "x.tir"});
  using enum PassKind;
  EXPECT_EQ(o.passes, (std::vector{Canonicalize, Fuse, FuseMlir, Elim}));
  EXPECT_EQ(o.input, "x.tir");
}

TEST(Options, AnUnknownFlagIsAnsweredWithTheNearestOne) {
  EXPECT_EQ(refused({"--fues", "x"}), "unknown flag '--fues'; did you mean --fuse?");
  EXPECT_EQ(refused({"--buferize", "x"}), "unknown flag '--buferize'; did you mean --bufferize?");
  EXPECT_EQ(refused({"--nt-store=auto", "x"}),
            "unknown flag '--nt-store'; did you mean --nt-stores?");
  EXPECT_EQ(refused({"--qqqqqqqqqqqqqqqqqqqq", "x"}),
            "unknown flag '--qqqqqqqqqqqqqqqqqqqq'; --help lists them");
}

TEST(Options, AValueWhereNoneBelongsOrNoneWhereOneBelongsIsRefused) {
  EXPECT_EQ(refused({"--timing=3", "x"}), "--timing takes no value, and '3' is given");
  EXPECT_EQ(refused({"--isa", "x"}), "--isa needs a value: --isa=NAME");
  EXPECT_EQ(refused({"--isa=", "x"}), "--isa needs a value: --isa=NAME");
  EXPECT_EQ(refused({"x", "-o"}), "-o needs a value: -o FILE");
}

TEST(Options, AWrongValueIsAnsweredWithTheRightOnes) {
  EXPECT_EQ(refused({"--fuse=all", "x"}),
            "--fuse does not take 'all'; it takes 'mlir' or no value");
  EXPECT_EQ(refused({"--isa=neon", "--run", "x"}),
            "--isa does not take 'neon'; it takes one of sse4.2, avx2, avx512");
  EXPECT_EQ(refused({"--remarks=passed,mised", "x"}),
            "--remarks does not take 'mised'; it takes a list of passed, missed, analysis");
}

TEST(Options, IterationsAreAPositiveNumber) {
  EXPECT_EQ(accepted({"--bench=7", "x"}).iterations, 7);
  EXPECT_EQ(accepted({"--ablate", "x"}).iterations, std::nullopt);
  const std::string range = "it takes a number of iterations from 1 to 100000";
  EXPECT_EQ(refused({"--bench=0", "x"}), "--bench does not take '0'; " + range);
  EXPECT_EQ(refused({"--bench=7x", "x"}), "--bench does not take '7x'; " + range);
  EXPECT_EQ(refused({"--ablate=99999999999999999999", "x"}),
            "--ablate does not take '99999999999999999999'; " + range);
}

TEST(Options, OneInputIsNeededAndOneIsEnough) {
  EXPECT_EQ(refused({"--fuse"}), "no input file; '-' reads stdin, --help lists the flags");
  EXPECT_EQ(refused({"a", "b"}), "one input file at a time, and there are two: 'a' and 'b'");
  EXPECT_EQ(accepted({"-"}).input, "-");
  EXPECT_EQ(accepted({"--", "--odd-name"}).input, "--odd-name");
}

TEST(Options, AFlagThatWouldDoNothingIsRefusedWithTheReason) {
  const std::vector<std::vector<std::string_view>> combinations = {
      {"--run", "--check", "x"},
      {"--ablate", "--fuse", "x"},
      {"--ablate", "--nt-stores=never", "x"},
      {"--run", "--emit=loops", "x"},
      {"--run", "-o", "y", "x"},
      {"--json=f", "x"},
      {"--arg=1", "x"},
      {"--out-dir=d", "x"},
      {"--bench", "--out-dir=d", "x"},
      {"--entry=f", "x"},
      {"--isa=avx2", "x"},
      {"--isa=avx2", "--interpret", "x"},
      {"--nt-stores=never", "x"},
      {"--share-loops=never", "x"},
      {"--bufferize", "--elim", "x"},
      {"--elim", "--fuse", "x"},
      {"--bufferize", "--canonicalize", "x"},
      {"-o", "a", "-o", "b", "x"},
      {"--run", "--isa=avx2", "--isa=avx512", "x"},
      {"--elim", "--emit=ir", "--emit=loops", "x"},
      {"--remarks", "x"},
      {"--step", "x"},
      {"--step", "--fuse", "-"},
      {"--step", "--ablate", "x"},
      {"--step", "--bench", "--fuse", "--elim", "x"},
      {"--step", "--fuse", "--generate-reproducer=r", "x"},
      {"--step", "--fuse", "--opt-bisect-limit=1", "x"},
      {"--fuse", "--remarks-policy=all", "x"},
      {"--remarks-output=r", "x"},
      {"--fuse", "--remarks-output=-", "x"},
      {"--ablate", "--remarks", "x"},
      {"--jit-debug", "x"},
      {"--jit-debug", "--elim", "--emit=obj", "x"},
      {"--jit-debug", "--interpret", "x"},
      {"--jit-debug=a", "--jit-debug=b", "--run", "x"},
      {"--perf=map", "x"},
      {"--perf=dump", "--run", "x"},
      {"--fuse", "--step", "--opt-bisect-limit=1", "x"},
      {"--print-changed", "x"},
      {"--ablate", "--stats", "x"},
      {"--fuse", "--bench", "--opt-bisect-limit=1", "x"},
      {"--fuse", "--opt-bisect-limit=1", "--opt-bisect-limit=2", "x"},
      {"--fuse", "--print-ir-tree-dir=a", "--print-ir-tree-dir=b", "x"},
      {"--run-reproducer", "--fuse", "x"},
      {"--run-reproducer", "--bench", "x"},
      {"--fuse", "--generate-reproducer=-", "x"},
      {"--fuse", "--generate-reproducer=f", "-o", "f", "x"}};
  for (const auto& arguments : combinations) {
    std::string line;
    for (std::string_view a : arguments)
      line += std::string(a) + " ";
    EXPECT_NE(refused(arguments), "accepted") << line;
  }
}

TEST(Options, CombinationsThatMakeSenseAreAccepted) {
  for (const std::vector<std::string_view>& arguments :
       {std::vector<std::string_view>{"--fuse", "--elim", "--run", "--arg=1", "--isa=avx2",
                                      "--timing", "x"},
        {"--elim", "--emit=loops", "--isa=sse4.2", "--entry=f", "-o", "y", "x"},
        {"--ablate=3", "--json=f", "--arg=1", "--isa=avx2", "--entry=f", "x"},
        {"--fuse", "--remarks=missed,passed", "--remarks-policy=all", "x"},
        {"--fuse", "--step", "--remarks-output=r", "--run", "x"},
        {"--bench", "--nt-stores=never", "--fuse", "--elim", "x"},
        {"--ablate", "--share-loops=never", "x"},
        {"--elim", "--emit=loops", "--share-loops=auto", "x"},
        {"--run", "--jit-debug", "x"},
        {"--check", "--jit-debug=d", "--perf=map", "x"},
        {"--ablate", "--jit-debug", "--perf=map", "x"},
        {"--check", "--out-dir=d", "--fuse=mlir", "--bufferize", "x"}})
    accepted(arguments);
}

TEST(Options, AModifierImpliesItsFlag) {
  EXPECT_EQ(accepted({"--fuse", "--print-changed", "x"}).print_changed, ChangeForm::Whole);
  EXPECT_EQ(accepted({"--fuse", "--print-changed=diff", "x"}).print_changed, ChangeForm::Diff);
  EXPECT_EQ(accepted({"--fuse", "--print-changed=diff", "--print-changed", "x"}).print_changed,
            ChangeForm::Diff);
}

TEST(Options, PassesToShowAreAListAndTheFlagMayBeRepeated) {
  const Options o = accepted({"--fuse", "--fuse=mlir", "--elim", "--print-ir-after=fuse,elim",
                              "--print-ir-after=fuse=mlir", "x"});
  for (const char* pass : {"fuse", "fuse=mlir", "elim"})
    EXPECT_TRUE(o.print_after.asks_for(pass)) << pass;
  EXPECT_FALSE(o.print_after.asks_for("bufferize"));
  EXPECT_FALSE(o.print_before.any());
}

TEST(Options, AListOfPassesHasNoEmptyPlaces) {
  const std::string all =
      "there is no pass ''; there are fuse, fuse=mlir, canonicalize, bufferize, elim";
  EXPECT_EQ(refused({"--fuse", "--print-ir-after=fuse,", "x"}), "--print-ir-after: " + all);
  EXPECT_EQ(refused({"--fuse", "--print-ir-before=,fuse", "x"}), "--print-ir-before: " + all);
}

TEST(Help, FitsOneScreenAndNamesEveryFlag) {
  const std::string text = help_text();
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 44);
  for (const Flag& flag : flags())
    EXPECT_NE(text.find(flag.shown), std::string::npos) << flag.name;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    EXPECT_LE(end - begin, 100u) << text.substr(begin, end - begin);
    begin = end + 1;
  }
}

} // namespace
} // namespace mo
