// Runs one scalar op through its emitter, on every instruction set of this machine and every number
// of lanes, and compares with the table's expression as the runtime evaluates it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "codegen/isa.h"
#include "codegen/vector_ops.h"
#include "ir/scalar_op.h"
#include "tests/codegen/host_isas.h"

namespace mo::test {

struct OpCase {
  ScalarOp op = ScalarOp::AddF;
  ElementType from = ElementType::F32; // of the operands; of the last two for Select
  ElementType to = ElementType::F32;   // of the result
  uint8_t predicate = 0;
};

/// operands[k][i] is the k-th operand of evaluation i, cut to its bit_width; so are the results.
using Operands = std::vector<std::vector<uint64_t>>;

using mo::testing::host_isas;
/// 1, 2, 4, ... as far as registers of `isa` hold lanes of both types.
std::vector<unsigned> lane_counts(Isa isa, ElementType a, ElementType b);

/// Bytes of one lane, and of the register that holds `lanes` of them.
unsigned lane_bytes(ElementType type);
unsigned register_bytes(unsigned lanes, ElementType type);
/// The type of operand k: a select's first is an i1.
ElementType operand_type(const OpCase& op, unsigned k);

/// Compiles a function around what `body` emits, and calls it with two addresses. What asmjit
/// rejects, and an instruction of the wrong encoding (legacy SSE among VEX, or the other way), is a
/// test failure.
using CodeBody =
    std::function<void(VectorOps& ops, const asmjit::x86::Gp& in, const asmjit::x86::Gp& out)>;
void run_code(Isa isa, unsigned lanes, const CodeBody& body, const void* in, void* out);

/// The results by machine code, with `live` other values in registers or spilled around the op. An
/// i1 lane that is neither all zeros nor all ones is a test failure.
std::vector<uint64_t> run_vector_op(Isa isa, unsigned lanes, const OpCase& op,
                                    const Operands& operands, unsigned live = 0);

/// Values that ops go wrong on.
std::vector<uint64_t> special_values(ElementType type);
/// Every combination of special values (of pairs, if there are three operands), then random ones.
Operands operands_for(const OpCase& op, size_t random);

/// For every instruction set and number of lanes: every result as the table has it, to the bit; any
/// NaN for a NaN, except where the op is one on bits.
void expect_as_in_the_table(const OpCase& op, size_t random = 3000);
void expect_as_in_the_table(const OpCase& op, const Operands& operands, unsigned live = 0);

} // namespace mo::test
