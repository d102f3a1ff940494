// One program through everything mini-opt does with it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "passes/pipeline.h"
#include "tests/random/random_program.h"

namespace mo::testing {

/// Runs the program through {no fusion, --fuse, --fuse=mlir} x {--bufferize, --elim}; each result
/// must verify, print and parse to a fixed point, and give what the interpreter gives for the
/// program as it was: interpreted again, and compiled for every instruction set of this CPU, with
/// and without streaming stores, on guarded and misaligned arrays. Returns what went wrong first.
std::optional<std::string> check_everywhere(const RandomProgram& program, uint64_t seed);

/// One pipeline with an observer, which may leave rewrites out: what is left must verify, print and
/// parse to a fixed point, and give in the interpreter what the program as it was gives there.
std::optional<std::string> check_observed(const RandomProgram& program, uint64_t seed,
                                          const std::vector<PassKind>& passes, Observer& observer);

/// check_everywhere in a child process, so that a crash is a failure like any other.
std::optional<std::string> check_in_child(const RandomProgram& program, uint64_t seed);

/// The smallest program found by leaving things out one at a time for which `fails` still holds.
RandomProgram shrink(RandomProgram program, const std::function<bool(const RandomProgram&)>& fails);

/// Checks one seed; on failure the story with the seed, the shrunk program and its failure.
std::optional<std::string> run_seed(uint64_t seed);

} // namespace mo::testing
