// One small program per reason: this is where each one comes from.
#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/passes/bufferize_programs.h"

namespace mo::testing {

namespace {

using ::testing::Contains;

constexpr BufferizeMode kCopying = BufferizeMode::Copying;
constexpr BufferizeMode kElim = BufferizeMode::DestinationPassing;

struct ReasonCase {
  BufferizeMode mode;
  std::string program;
  unsigned allowed = UINT32_MAX; // rewrites before the observer says no
};

std::string function(const std::string& args, const std::string& body,
                     const std::string& returned = "") {
  const std::string type = " : tensor<4x4xf32>";
  return "func.func @f(" + args + ")" + (returned.empty() ? "" : " -> tensor<4x4xf32>") + " {\n" +
         body + "return " + returned + (returned.empty() ? "" : type) + "\n}\n";
}

const std::string kTensor = "%x: tensor<4x4xf32>";
const std::string kTwoTensors = "%x: tensor<4x4xf32>, %d: tensor<4x4xf32>";
const std::string kMemrefs = "%m: memref<4x4xf32>, %o: memref<4x4xf32>";

const std::string kReadsOldArgument = add_to("%0", "%x", "%d") + empty("%e") +
                                      double_it("%1", "%d", "%e") + materialize("%0", "%o") +
                                      materialize("%1", "%m");
const std::string kTwoInits =
    "%0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) "
    "-> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [\"parallel\", "
    "\"parallel\"]} ins(%x : tensor<4x4xf32>) outs(%d, %d : tensor<4x4xf32>, tensor<4x4xf32>) {\n"
    "^bb0(%in: f32, %p: f32, %q: f32):\n"
    "  linalg.yield %in, %in : f32, f32\n"
    "} -> (tensor<4x4xf32>, tensor<4x4xf32>)\n";
const std::string kConstantInit =
    "%c = arith.constant dense<1.0> : tensor<4x4xf32>\n" + add_to("%0", "%x", "%c");
const std::string kIntoEmpty = empty("%e") + double_it("%0", "%x", "%e");

const std::map<BufferReason, ReasonCase>& cases() {
  static const std::map<BufferReason, ReasonCase> kCases = {
      {BufferReason::InPlace, {kCopying, function(kTensor, kIntoEmpty, "%0")}},
      {BufferReason::DestinationPassed, {kElim, function(kTensor, kIntoEmpty, "%0")}},
      {BufferReason::ReadAfterWrite,
       {kCopying, function(kTwoTensors + ", " + kMemrefs, kReadsOldArgument)}},
      {BufferReason::NotElementwise,
       {kCopying, function(kTensor, double_it("%0", "%x", "%x", "d1, d0"), "%0")}},
      {BufferReason::InitShared, {kCopying, function(kTwoTensors, kTwoInits, "%0#1")}},
      {BufferReason::ConstantNotWritable, {kCopying, function(kTensor, kConstantInit, "%0")}},
      {BufferReason::ArgumentNotWritable,
       {kCopying, function("%x: tensor<4x4xf32> {bufferization.writable = false}",
                           add_to("%0", "%x", "%x"), "%0")}},
      {BufferReason::MemrefNotWritable,
       {kCopying, function(kMemrefs, view("%t", "%m") + add_to("%0", "%t", "%t"), "%0")}},
      {BufferReason::LeftOut, {kCopying, function(kTensor, kIntoEmpty, "%0"), 0}},
      {BufferReason::DestinationNotRestrict,
       {kElim,
        function(kTensor + ", " + kMemrefs, kIntoEmpty + materialize("%0", "%o", "writable"))}},
      {BufferReason::DestinationReadBetween,
       {kElim, function(kMemrefs, view("%t", "%m") + empty("%e") + double_it("%0", "%t", "%e") +
                                      empty("%e2") + double_it("%1", "%t", "%e2") +
                                      materialize("%0", "%m") + materialize("%1", "%o"))}},
      {BufferReason::DestinationWrittenBetween,
       {kElim, function(kTwoTensors + ", " + kMemrefs,
                        kIntoEmpty + materialize("%d", "%m") + view("%t", "%m") +
                            materialize("%t", "%o") + materialize("%0", "%m"))}},
      {BufferReason::DestinationChangedLater,
       {kElim, function(kTensor + ", " + kMemrefs, kIntoEmpty + materialize("%0", "%o") +
                                                       add_to("%1", "%x", "%0") +
                                                       materialize("%1", "%m"))}},
      {BufferReason::DestinationLeftOut, {kElim, function(kTensor, kIntoEmpty, "%0"), 0}},
      {BufferReason::LivesElsewhere, {kElim, function(kTensor, "", "%x")}},
      {BufferReason::Allocated, {kCopying, function(kTensor, kIntoEmpty, "%0")}},
      {BufferReason::CopiedInit, {kCopying, function(kTensor, kConstantInit, "%0")}},
      {BufferReason::Snapshot,
       {kCopying, function(kMemrefs + ", " + kTensor,
                           view("%t", "%m") + materialize("%x", "%m") + materialize("%t", "%o"))}},
      {BufferReason::CopiedToDestination,
       {kCopying, function(kTensor + ", " + kMemrefs, materialize("%x", "%o"))}},
      {BufferReason::CopiedToResult, {kCopying, function(kTensor, "", "%x")}},
      {BufferReason::AlreadyThere,
       {kElim, function(kTensor + ", " + kMemrefs, kIntoEmpty + materialize("%0", "%o"))}},
      {BufferReason::NothingToBufferize, {kCopying, function(kTensor, "")}},
      {BufferReason::UndefinedContents, {kElim, function("", empty("%e"), "%e")}},
  };
  return kCases;
}

std::vector<std::string> reason_ids(const ReasonCase& it) {
  Function function = function_of(it.program);
  CountingObserver observer(it.allowed);
  bufferize(function, it.mode, observer);
  std::vector<std::string> ids;
  for (const Remark& remark : observer.remarks)
    ids.emplace_back(remark.reason);
  return ids;
}

Remark remark_with(BufferReason reason) {
  const ReasonCase& it = cases().at(reason);
  Function function = function_of(it.program);
  CountingObserver observer(it.allowed);
  bufferize(function, it.mode, observer);
  for (const Remark& remark : observer.remarks)
    if (remark.reason == spelling(reason))
      return remark;
  return {};
}

TEST(BufferizeReasons, EveryReasonHasAProgramThatGivesIt) {
  for (unsigned r = 0; r < num_buffer_reasons(); ++r) {
    const auto reason = static_cast<BufferReason>(r);
    ASSERT_TRUE(cases().contains(reason)) << spelling(reason);
    EXPECT_THAT(reason_ids(cases().at(reason)), Contains(std::string(spelling(reason))));
  }
}

TEST(BufferizeReasons, IdsAreDifferentAndSentencesAreThere) {
  std::set<std::string_view> ids;
  for (unsigned r = 0; r < num_buffer_reasons(); ++r) {
    const auto reason = static_cast<BufferReason>(r);
    EXPECT_TRUE(ids.insert(spelling(reason)).second) << spelling(reason);
    EXPECT_FALSE(sentence(reason).empty()) << spelling(reason);
  }
}

TEST(BufferizeReasons, AConflictPointsAtTheWriteAndTheRead) {
  const Remark remark = remark_with(BufferReason::ReadAfterWrite);
  EXPECT_EQ(remark.message,
            "%0 needs a buffer other than that of %d: linalg.generic at 2:6 would overwrite "
            "the contents of %d, which linalg.generic at 8:6 still reads");
  ASSERT_EQ(remark.notes.size(), 2u);
  EXPECT_EQ(remark.notes[0].loc, (Loc{2, 6}));
  EXPECT_EQ(remark.notes[1].loc, (Loc{8, 6}));
}

TEST(BufferizeReasons, TheSecondInitFromOneTensorNamesTheFirst) {
  EXPECT_EQ(remark_with(BufferReason::InitShared).message,
            "%0#1 needs a buffer other than that of %d: %d is the init of %0#0 as well, which is "
            "computed in that buffer");
}

// %v and %e would be one buffer, which the later op would write twice.
TEST(BufferizeReasons, TwoResultsOfALaterOpThatWouldMeetAreNamed) {
  const std::string two_results =
      "%0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, "
      "d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [\"parallel\", "
      "\"parallel\"]} ins(%x : tensor<4x4xf32>) outs(%v, %e : tensor<4x4xf32>, "
      "tensor<4x4xf32>) {\n^bb0(%in: f32, %p: f32, %q: f32):\n  linalg.yield %p, %in : f32, "
      "f32\n} -> (tensor<4x4xf32>, tensor<4x4xf32>)\n";
  const auto remarks = remarks_of(
      function(kTensor, empty("%e") + double_it("%v", "%x", "%e") + two_results, "%0#1"), kCopying);
  const auto missed = std::find_if(remarks.begin(), remarks.end(), [](const Remark& remark) {
    return remark.kind == Remark::Kind::Missed;
  });
  ASSERT_NE(missed, remarks.end());
  EXPECT_EQ(missed->message,
            "%v needs a buffer other than that of %e: linalg.generic at 8:8 computes both %0#1 and "
            "%0#0, which cannot be in one buffer");
}

TEST(BufferizeReasons, AnAccessThatIsNotElementwiseShowsBothMaps) {
  EXPECT_EQ(remark_with(BufferReason::NotElementwise).message,
            "%0 needs a buffer other than that of %x: the op reads %x through (d0, d1) -> (d1, d0) "
            "while it writes through (d0, d1) -> (d0, d1); only with parallel loops and identity "
            "maps is each element read before it is overwritten");
}

TEST(BufferizeReasons, ADestinationThatIsStillReadNamesTheReader) {
  const Remark remark = remark_with(BufferReason::DestinationReadBetween);
  EXPECT_EQ(
      remark.message,
      "%0 cannot be computed straight in %m: what is in the destination is read until later: "
      "linalg.generic at 4:6 would overwrite the contents of %m, which linalg.generic at 10:6 "
      "still reads");
}

TEST(BufferizeReasons, ADestinationWhoseValueIsUpdatedLaterNamesTheUpdate) {
  EXPECT_EQ(
      remark_with(BufferReason::DestinationChangedLater).message,
      "%0 cannot be computed straight in %o: a later op updates the value's buffer in place: "
      "linalg.generic at 9:6 would overwrite the contents of %o, which the caller still reads");
}

TEST(BufferizeReasons, AnAllocationSaysHowManyBytesForHowManyValues) {
  EXPECT_EQ(remark_with(BufferReason::Allocated).message,
            "64 bytes are allocated as %e, for 1 value, and freed after the last use: --bufferize "
            "computes results in memory of the function's own");
}

TEST(BufferizeReasons, AnAllocationIsBecauseOfTheConflictThatKeptItsValueElsewhere) {
  const auto remarks = remarks_of(cases().at(BufferReason::ReadAfterWrite).program, kCopying);
  const auto allocated = std::find_if(remarks.begin(), remarks.end(), [](const Remark& remark) {
    return remark.reason == "allocated" && remark.loc.line == 2;
  });
  ASSERT_NE(allocated, remarks.end());
  EXPECT_THAT(allocated->message, ::testing::HasSubstr("linalg.generic at 2:6 would overwrite"));
  std::map<std::string, std::string> facts;
  for (const Fact& fact : allocated->facts)
    facts.emplace(fact.key, fact.value);
  EXPECT_EQ(facts["Bytes"], "64");
  EXPECT_EQ(facts["Contents"], "%d");
  EXPECT_EQ(facts["Definition"], "the caller");
  EXPECT_EQ(facts["Write"], "linalg.generic at 2:6");
  EXPECT_EQ(facts["Read"], "linalg.generic at 8:6");
}

TEST(BufferizeReasons, AnOpThatReadsWhereItWritesSaysThroughWhichMaps) {
  const auto remarks = remarks_of(
      function(kTensor, empty("%e") + double_it("%0", "%x", "%e") + double_it("%1", "%0", "%e"),
               "%1"),
      kCopying);
  const auto in_place = std::find_if(remarks.begin(), remarks.end(), [](const Remark& remark) {
    return remark.reason == "in-place" && remark.loc.line == 8;
  });
  ASSERT_NE(in_place, remarks.end());
  ASSERT_EQ(in_place->grounds.size(), 3u);
  EXPECT_EQ(in_place->grounds[2],
            "the op reads %0 from that very memory, through (d0, d1) -> (d0, d1), and writes "
            "through (d0, d1) -> (d0, d1), in parallel loops: each element is read before it is "
            "overwritten");
}

TEST(BufferizeReasons, EveryRemarkOfAnOpPointsAtAnotherParty) {
  for (const auto& [reason, it] : cases()) {
    const Remark remark = remark_with(reason);
    if (reason == BufferReason::Allocated || reason == BufferReason::CopiedInit ||
        reason == BufferReason::NothingToBufferize || reason == BufferReason::InitShared)
      continue; // about the op alone
    EXPECT_FALSE(remark.notes.empty()) << spelling(reason);
  }
}

TEST(BufferizeReasons, RemarksComeInProgramOrder) {
  const auto remarks = remarks_of(cases().at(BufferReason::ReadAfterWrite).program, kCopying);
  EXPECT_TRUE(std::is_sorted(remarks.begin(), remarks.end(),
                             [](const auto& a, const auto& b) { return a.loc.line < b.loc.line; }));
}

} // namespace

} // namespace mo::testing
