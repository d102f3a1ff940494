// What a user may write behind --arg, and what it becomes.
#include "runtime/arguments.h"

#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "tests/runtime/support.h"

namespace mo {
namespace {

using namespace mo::testing;
using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

uint64_t scalar_bits(std::string_view text, ElementType type) {
  auto value = parse_argument(text, scalar_type(type));
  if (auto* failed = std::get_if<RunError>(&value))
    throw std::runtime_error(failed->message);
  return std::get<Scalar>(std::get<RuntimeValue>(value)).bits;
}

std::string error_for(std::string_view text, const Type& type) {
  auto value = parse_argument(text, type);
  const auto* failed = std::get_if<RunError>(&value);
  return failed ? failed->message : "";
}

Array array_for(std::string_view text, const Type& type) {
  auto value = parse_argument(text, type);
  if (auto* failed = std::get_if<RunError>(&value))
    throw std::runtime_error(failed->message);
  return std::get<Array>(std::get<RuntimeValue>(std::move(value)));
}

TEST(Arguments, AFloatIsReadInItsOwnPrecision) {
  EXPECT_EQ(scalar_bits("-1.5", ElementType::F32), to_bits(-1.5F));
  EXPECT_EQ(scalar_bits("2", ElementType::F64), to_bits(2.0));
  EXPECT_EQ(scalar_bits("0x1p-3", ElementType::F32), to_bits(0.125F));
  EXPECT_EQ(scalar_bits("-inf", ElementType::F32), 0xFF800000U);
  EXPECT_EQ(scalar_bits("-0", ElementType::F32), 0x80000000U);
  EXPECT_EQ(scalar_bits("1e-45", ElementType::F32), 1U); // the smallest denormal
  // Halfway between two floats but for the last digit: through a double it would round wrongly.
  EXPECT_EQ(scalar_bits("1.00000017881393432617187499", ElementType::F32), 0x3F800001U);
  EXPECT_TRUE(std::isnan(from_bits<float>(scalar_bits("nan", ElementType::F32))));
}

TEST(Arguments, AnIntegerIsSignlessAndCutToItsType) {
  EXPECT_EQ(scalar_bits("-1", ElementType::I32), 0xFFFFFFFFU);
  EXPECT_EQ(scalar_bits("4294967295", ElementType::I32), 0xFFFFFFFFU);
  EXPECT_EQ(scalar_bits("-2147483648", ElementType::I32), 0x80000000U);
  EXPECT_EQ(scalar_bits("0xff", ElementType::I64), 255U);
  EXPECT_EQ(scalar_bits("-9223372036854775808", ElementType::I64), uint64_t{1} << 63);
  EXPECT_EQ(scalar_bits("18446744073709551615", ElementType::I64), UINT64_MAX);
  EXPECT_EQ(scalar_bits("7", ElementType::Index), 7U);
}

TEST(Arguments, ATruthValueIsAWordOrANumber) {
  EXPECT_EQ(scalar_bits("true", ElementType::I1), 1U);
  EXPECT_EQ(scalar_bits("false", ElementType::I1), 0U);
  EXPECT_EQ(scalar_bits("1", ElementType::I1), 1U);
  EXPECT_EQ(scalar_bits("-1", ElementType::I1), 1U);
}

TEST(Arguments, TextThatIsNoNumberIsRefusedWithTheType) {
  for (std::string_view text : {"", "x", "1.5x", " 1", "1 ", "zeros", "--1"})
    EXPECT_EQ(error_for(text, scalar_type(ElementType::F32)),
              "'" + std::string(text) + "' is not a number, and the argument is of type f32");
  for (std::string_view text : {"", "-", "1.5", "0x", "1e3", " 1", "--1", "0x-1"})
    EXPECT_EQ(error_for(text, scalar_type(ElementType::I32)),
              "'" + std::string(text) + "' is not an integer, and the argument is of type i32");
}

TEST(Arguments, ANumberOutOfRangeIsRefusedWithTheRange) {
  EXPECT_EQ(error_for("4294967296", scalar_type(ElementType::I32)),
            "4294967296 is out of range: the argument is of type i32, which holds -2147483648 to "
            "4294967295");
  EXPECT_EQ(error_for("-2147483649", scalar_type(ElementType::I32)),
            "-2147483649 is out of range: the argument is of type i32, which holds -2147483648 to "
            "4294967295");
  EXPECT_NE(error_for("1234567890123456789012345678901234567890", scalar_type(ElementType::I64)),
            "");
  EXPECT_NE(error_for("2", scalar_type(ElementType::I1)), "");
  EXPECT_EQ(error_for("1e39", scalar_type(ElementType::F32)),
            "1e39 is out of range: the largest f32 is 3.4028235e+38");
  EXPECT_EQ(error_for("1e39", scalar_type(ElementType::F64)), "");
}

TEST(Arguments, ZerosOnesAndIotaFillAnArrayOfTheTypesShape) {
  EXPECT_EQ(elements_of<float>(array_for("zeros", tensor_type({2}, ElementType::F32))),
            (Floats{0, 0}));
  EXPECT_EQ(elements_of<float>(array_for("ones", memref_type({2}, ElementType::F32))),
            (Floats{1, 1}));
  EXPECT_EQ(elements_of<double>(array_for("iota", tensor_type({2, 2}, ElementType::F64))),
            (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(elements_of<int64_t>(array_for("iota", tensor_type({3}, ElementType::Index))),
            (Ints{0, 1, 2}));
  EXPECT_EQ(elements_of<bool>(array_for("iota", tensor_type({3}, ElementType::I1))),
            (std::vector<bool>{false, true, false}));
}

TEST(Arguments, RandomDependsOnTheSeedAndNothingElse) {
  const Type type = tensor_type({4}, ElementType::F32);
  const Floats first = elements_of<float>(array_for("random", type));
  EXPECT_EQ(elements_of<float>(array_for("random:0", type)), first);
  EXPECT_NE(elements_of<float>(array_for("random:1", type)), first);
  // Written down once: the same on every machine, in every version.
  EXPECT_EQ(first, (Floats{0.7666216F, -0.13694406F, -0.94713247F, 0.9417639F}));
  EXPECT_EQ(array_for("random:18446744073709551615", type).count(), 4);
}

TEST(Arguments, RandomFloatsLieInTheirRangeOnBothSidesOfZero) {
  const Array array = array_for("random", tensor_type({10'000}, ElementType::F32));
  int negative = 0;
  for (float x : elements_of<float>(array)) {
    ASSERT_GE(x, -1.0F);
    ASSERT_LT(x, 1.0F);
    negative += x < 0;
  }
  EXPECT_NEAR(negative, 5000, 300);
}

TEST(Arguments, RandomIntegersTruthValuesAndIndicesLieInTheirRanges) {
  const auto ints =
      elements_of<int32_t>(array_for("random", tensor_type({20'000}, ElementType::I32)));
  EXPECT_EQ(*std::min_element(ints.begin(), ints.end()), -100);
  EXPECT_EQ(*std::max_element(ints.begin(), ints.end()), 99);
  const auto indices =
      elements_of<int64_t>(array_for("random", tensor_type({20'000}, ElementType::Index)));
  EXPECT_EQ(*std::min_element(indices.begin(), indices.end()), 0);
  EXPECT_EQ(*std::max_element(indices.begin(), indices.end()), 99);
  const auto truths = elements_of<bool>(array_for("random", tensor_type({100}, ElementType::I1)));
  EXPECT_EQ(std::set<bool>(truths.begin(), truths.end()).size(), 2U);
}

TEST(Arguments, ASeedThatIsNoNumberIsRefused) {
  const Type type = tensor_type({4}, ElementType::F32);
  for (std::string_view text : {"random:", "random:x", "random:-1", "random:18446744073709551616"})
    EXPECT_EQ(error_for(text, type),
              "'" + std::string(text) + "': a seed is a number from 0 to 18446744073709551615");
}

TEST(Arguments, AnythingElseForAnArrayIsRefusedWithWhatThereIs) {
  EXPECT_EQ(error_for("1.5", memref_type({4}, ElementType::F32)),
            "'1.5' is not zeros, ones, iota, random[:SEED] or a .npy file, which an argument of "
            "type memref<4xf32> takes");
}

TEST(Arguments, AMissingFileIsNamed) {
  EXPECT_EQ(error_for("/nowhere/x.npy", memref_type({4}, ElementType::F32)),
            "/nowhere/x.npy: cannot open it: No such file or directory");
}

TEST(Arguments, AnArrayThatNeedsMoreMemoryThanThereIsIsRefused) {
  EXPECT_EQ(error_for("zeros", tensor_type({int64_t{1} << 58}, ElementType::F32)),
            "no memory for an argument of type tensor<288230376151711744xf32>: "
            "1152921504606846976 bytes");
}

} // namespace
} // namespace mo
