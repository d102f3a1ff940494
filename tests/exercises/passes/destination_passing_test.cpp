// Exercise: a result is computed where it is wanted.
#include "tests/exercises/cases.h"
#include "tests/exercises/passes/buffers.h"

namespace mo::exercise {
namespace {

using testing::add_to;
using testing::double_it;
using testing::empty;
using testing::materialize;
using testing::view;

struct Passed {
  std::string program;
  const char* expected;
};

void expect_passed(const char* rule, const std::vector<Passed>& table,
                   const SharingListener& listener = {}) {
  for (const Passed& c : table)
    expect_case(rule, c.program, c.expected,
                decisions_of(c.program, BufferizeMode::DestinationPassing, listener));
}

TEST(DestinationPassing, AResultIsComputedWhereItIsWanted) {
  expect_passed("the result's storage unites with the transfer's target: the copy is gone",
                {
                    {on_tensors_and_memrefs(empty("%e") + double_it("%a", "%x", "%e") +
                                            materialize("%a", "%o")),
                     "%a: destination-passed, %o\n"
                     "%a -> %o: already-there"},
                    {on_tensors_and_memrefs(empty("%e") + double_it("%a", "%x", "%e") +
                                            double_it("%b", "%a", "%e") + materialize("%b", "%o")),
                     "%a: in-place\n"
                     "%b: destination-passed, %o\n"
                     "%b -> %o: already-there"},
                });
}

TEST(DestinationPassing, ARefusedPlaceIsSkippedAndTheNextOneTried) {
  expect_passed(
      "the places where a value is wanted are tried in program order, until one is free",
      {
          {on_tensors_and_memrefs(view("%v", "%o") + empty("%e") + empty("%g") +
                                  double_it("%a", "%x", "%e") + double_it("%b", "%v", "%g") +
                                  materialize("%a", "%o") + materialize("%a", "%p")),
           "%a: destination-passed, %p\n"
           "%b: in-place\n"
           "%a -> %o: copied-to-destination (destination-read-between)\n"
           "%a -> %p: already-there"},
          {on_tensors_and_memrefs(empty("%e") + double_it("%a", "%x", "%e") +
                                  materialize("%a", "%o") + materialize("%a", "%p")),
           "%a: destination-passed, %o\n"
           "%a -> %o: already-there\n"
           "%a -> %p: copied-to-destination (lives-elsewhere)"},
      });
}

TEST(DestinationPassing, ThePlaceKeepsTheReasonWhyItWasRefused) {
  expect_passed("why a place is refused is remembered, for the remark on the copy that is left",
                {
                    {on_tensors_and_memrefs(view("%v", "%o") + empty("%e") + empty("%g") +
                                            double_it("%a", "%x", "%e") +
                                            double_it("%b", "%v", "%g") + materialize("%a", "%o")),
                     "%a: in-place\n"
                     "%b: in-place\n"
                     "%a -> %o: copied-to-destination (destination-read-between)"},
                    {on_tensors_and_memrefs(empty("%e") + double_it("%a", "%x", "%e") +
                                            materialize("%a", "%o", "writable")),
                     "%a: in-place\n"
                     "%a -> %o: copied-to-destination (destination-not-restrict)"},
                });
}

TEST(DestinationPassing, WhatIsReadOfTheInitIsInTheDestinationFirst) {
  expect_passed("where the op reads its init, the destination is given the old contents right "
                "before the op (copies_into_destination, set_defined at time_before)",
                {
                    {on_tensors_and_memrefs(view("%v", "%p") + add_to("%a", "%x", "%v") +
                                            materialize("%a", "%o")),
                     "%a: destination-passed, %o, copies the old contents\n"
                     "%a -> %o: already-there"},
                });
}

TEST(DestinationPassing, WhoListensMaySayNo) {
  SharingListener listener;
  listener.allow = [](const InitDecision& decision) {
    return decision.reason != BufferReason::DestinationPassed;
  };
  expect_passed("the listener is asked with the decision as it would be; after a no the reason is "
                "DestinationLeftOut",
                {
                    {on_tensors_and_memrefs(empty("%e") + double_it("%a", "%x", "%e") +
                                            materialize("%a", "%o")),
                     "%a: in-place\n"
                     "%a -> %o: copied-to-destination (destination-left-out)"},
                },
                listener);
}

} // namespace
} // namespace mo::exercise
