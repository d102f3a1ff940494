#include "runtime/npy.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/runtime/support.h"

namespace mo {
namespace {

using namespace mo::testing;
using namespace std::string_literals;

/// A folder of its own for each test, gone afterwards.
class Npy : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "npy_test_XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string write(const std::string& bytes) const {
    std::ofstream(path("x.npy"), std::ios::binary) << bytes;
    return path("x.npy");
  }
  /// The message for a file of these bytes, without the name in front.
  std::string error_for(const std::string& bytes, const Type& type) const {
    auto outcome = read_npy(write(bytes), type);
    const auto* failed = std::get_if<RunError>(&outcome);
    if (!failed)
      return "";
    const std::string prefix = path("x.npy") + ": ";
    EXPECT_TRUE(failed->message.starts_with(prefix)) << failed->message;
    return failed->message.substr(prefix.size());
  }
  std::string folder_;
};

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Format 1.0 without padding.
std::string file_with(const std::string& dict, const std::string& data) {
  const auto length = static_cast<char>(dict.size() + 1);
  return "\x93NUMPY\x01\x00"s + length + "\x00"s + dict + "\n" + data;
}

const Type kTwoFloats = tensor_type({2}, ElementType::F32);
const std::string kOneAndTwo = "\x00\x00\x80\x3F\x00\x00\x00\x40"s; // 1.0f, 2.0f
const std::string kDict = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";

TEST_F(Npy, AWrittenFileHasTheBytesThatNumpyWrites) {
  ASSERT_FALSE(write_npy(path("y.npy"), array_of<float>({2}, {1, 2})));
  std::string expected = "\x93NUMPY\x01\x00\x76\x00"s + kDict;
  expected.resize(127, ' ');
  EXPECT_EQ(bytes_of(path("y.npy")), expected + "\n" + kOneAndTwo);
}

TEST_F(Npy, EveryElementTypeAndRankComesBackAsWritten) {
  for (ElementType type : {ElementType::F32, ElementType::F64, ElementType::I1, ElementType::I32,
                           ElementType::I64, ElementType::Index})
    for (const Shape& shape : {Shape{}, Shape{5}, Shape{2, 3}, Shape{4, 0, 2}, Shape(40, 1)}) {
      Array array = Array::allocate_guarded(shape, type, 1).value();
      for (int64_t i = 0; i < array.count(); ++i)
        array.set_bits(i, 0x9E3779B97F4A7C15 * static_cast<uint64_t>(i + 1));
      ASSERT_FALSE(write_npy(path("y.npy"), array));
      auto outcome = read_npy(path("y.npy"), tensor_type(shape, type));
      ASSERT_TRUE(std::holds_alternative<Array>(outcome)) << std::get<RunError>(outcome).message;
      EXPECT_EQ(elements_of<int64_t>(std::get<Array>(outcome)), elements_of<int64_t>(array));
      EXPECT_EQ(std::filesystem::file_size(path("y.npy")) % 64, array.bytes() % 64);
    }
}

TEST_F(Npy, AllThreeFormatVersionsAreRead) {
  const std::string v1 = file_with(kDict, kOneAndTwo);
  for (char major : {'\x02', '\x03'}) {
    std::string longer = v1;
    longer[6] = major;
    longer.insert(10, 2, '\0'); // the length has four bytes
    EXPECT_EQ(error_for(longer, kTwoFloats), "");
  }
  EXPECT_EQ(error_for(v1, kTwoFloats), "");
}

TEST_F(Npy, KeysMayComeInAnyOrderAndQuotesOfBothKinds) {
  EXPECT_EQ(
      error_for(file_with("{ \"shape\":(2 , ),'fortran_order' :False,'descr':\"<f4\"}", kOneAndTwo),
                kTwoFloats),
      "");
}

TEST_F(Npy, TruthValuesOtherThan0And1Become1) {
  auto outcome = read_npy(
      write(file_with("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", "\x00\x01\xFF"s)),
      tensor_type({3}, ElementType::I1));
  const auto& array = std::get<Array>(outcome);
  EXPECT_EQ(array.data()[2], std::byte{1});
  EXPECT_EQ(elements_of<bool>(array), (std::vector<bool>{false, true, true}));
}

TEST_F(Npy, ADtypeOtherThanTheArgumentsIsRefused) {
  EXPECT_EQ(error_for(file_with(kDict, kOneAndTwo), tensor_type({2}, ElementType::I32)),
            "its dtype is '<f4'; the argument is of type tensor<2xi32>, read as '<i4'");
  EXPECT_EQ(
      error_for(file_with("{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}", kOneAndTwo),
                kTwoFloats),
      "its dtype is '>f4', big-endian; the argument is of type tensor<2xf32>, read as '<f4'");
  EXPECT_EQ(error_for(file_with("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}",
                                kOneAndTwo),
                      kTwoFloats),
            "the header is malformed: a simple dtype in quotes is missing (byte 20)");
}

TEST_F(Npy, FortranOrderIsRefused) {
  EXPECT_EQ(
      error_for(file_with("{'descr': '<f4', 'fortran_order': True, 'shape': (2,)}", kOneAndTwo),
                kTwoFloats),
      "it is in Fortran order; the argument is of type tensor<2xf32>, read in C order");
}

TEST_F(Npy, AnotherShapeIsRefusedWithBoth) {
  EXPECT_EQ(
      error_for(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)}", kOneAndTwo),
                kTwoFloats),
      "its shape is (1, 2); the argument is of type tensor<2xf32>");
}

TEST_F(Npy, DataThatIsTooShortOrTooLongIsRefusedWithBothSizes) {
  EXPECT_EQ(error_for(file_with(kDict, "1234567"), kTwoFloats),
            "it is truncated: shape (2,) of '<f4' is 8 bytes, behind the header are 7");
  EXPECT_EQ(error_for(file_with(kDict, "123456789"), kTwoFloats),
            "it is too long: shape (2,) of '<f4' is 8 bytes, behind the header are 9");
}

TEST_F(Npy, AHugeClaimedShapeTakesNoMemory) {
  const std::string huge =
      file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000000,)}", "");
  EXPECT_EQ(error_for(huge, tensor_type({1'000'000'000'000'000}, ElementType::F32)),
            "it is truncated: shape (1000000000000000,) of '<f4' is 4000000000000000 bytes, behind "
            "the header are 0");
  EXPECT_EQ(error_for(file_with("{'shape': (99999999999999999999,)}", ""), kTwoFloats),
            "the header is malformed: an extent in 'shape' does not fit in 64 bits (byte 21)");
}

TEST_F(Npy, EveryPrefixOfAFileIsRefused) {
  const std::string whole = file_with(kDict, kOneAndTwo);
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(error_for(whole.substr(0, length), kTwoFloats), "") << length;
}

TEST_F(Npy, WhatIsWrongInAHeaderIsNamed) {
  auto malformed = [&](const std::string& dict) {
    return error_for(file_with(dict, ""), kTwoFloats);
  };
  EXPECT_EQ(error_for("PK\x03\x04 not numpy", kTwoFloats),
            "not a .npy file: it does not start with \\x93NUMPY");
  EXPECT_EQ(error_for("\x93NUMPY\x04\x00"s, kTwoFloats),
            "it has format version 4.0, known are 1.0, 2.0 and 3.0");
  EXPECT_EQ(error_for("\x93NUMPY\x01\x00\xFF"s, kTwoFloats),
            "the header is truncated: it takes 10 bytes, the file has 9");
  EXPECT_EQ(error_for("\x93NUMPY\x01\x00\x20\x00{"s, kTwoFloats),
            "the header is truncated: it takes 42 bytes, the file has 11");
  EXPECT_EQ(error_for("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF"s, kTwoFloats),
            "the header claims 4294967307 bytes, read are headers of up to 65536");
  EXPECT_EQ(malformed("{}"), "the header is malformed: the dict has no 'descr' (byte 13)");
  EXPECT_EQ(malformed("{'x': 1}"), "the header is malformed: a key is none of 'descr', "
                                   "'fortran_order', 'shape' (byte 15)");
  EXPECT_EQ(malformed("{'descr': '<f4', 'descr': '<f4'}"),
            "the header is malformed: the dict has 'descr' twice (byte 35)");
  EXPECT_EQ(malformed("{'fortran_order': 1}"),
            "the header is malformed: 'fortran_order' is neither True nor False (byte 28)");
  EXPECT_EQ(malformed("{'shape': (2)}"),
            "the header is malformed: 'shape' is not a tuple: (n) without a comma (byte 22)");
  EXPECT_EQ(malformed("{'shape': (-2,)}"),
            "the header is malformed: 'shape' has something that is not an extent (byte 21)");
  EXPECT_EQ(malformed(kDict + "x"),
            "the header is malformed: something follows the dict (byte 67)");
  EXPECT_EQ(malformed("{'descr: "), "the header is malformed: a string does not end (byte 11)");
  EXPECT_EQ(malformed("{'descr': '\x1B[2J'}"),
            "the header is malformed: a string holds a byte that is not printable (byte 20)");
}

TEST_F(Npy, MutatedHeadersNeverDoHarm) {
  const std::string whole = file_with(kDict, kOneAndTwo);
  std::mt19937_64 engine(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string mutated = whole;
    for (size_t flips = 1 + engine() % 3; flips > 0; --flips)
      mutated[engine() % mutated.size()] = static_cast<char>(engine());
    if (round % 3 == 0)
      mutated.resize(engine() % mutated.size());
    const auto outcome = parse_npy_header(mutated);
    if (const auto* header = std::get_if<NpyHeader>(&outcome)) {
      ASSERT_LE(header->data_offset, mutated.size());
    } else {
      ASSERT_NE(std::get<RunError>(outcome).message, "");
    }
  }
}

TEST_F(Npy, WhatIsNoFileToReadIsNamed) {
  auto message = [&](const std::string& name) {
    auto outcome = read_npy(name, kTwoFloats);
    return std::get<RunError>(outcome).message;
  };
  EXPECT_EQ(message(path("missing.npy")),
            path("missing.npy") + ": cannot open it: No such file or directory");
  EXPECT_EQ(message(folder_), folder_ + ": is a directory, not a .npy file");
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(message(path("pipe")), path("pipe") + ": is not a regular file");
  EXPECT_EQ(message("/dev/zero"), "/dev/zero: is not a regular file");
}

TEST_F(Npy, AFailedWriteIsNamed) {
  const Array array = array_of<float>({2}, {1, 2});
  EXPECT_EQ(write_npy(path("no/y.npy"), array)->message,
            path("no/y.npy") + ": cannot create it: No such file or directory");
  EXPECT_EQ(write_npy("/dev/full", array)->message,
            "/dev/full: cannot write it: No space left on device");
}

} // namespace
} // namespace mo
