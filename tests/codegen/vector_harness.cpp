#include "vector_harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <sstream>

#include "codegen/assemble.h"
#include "codegen/jit_link.h"
#include "runtime/scalar_eval.h"
#include "tests/support/element_bits.h"

namespace mo::test {

using namespace asmjit;

unsigned lane_bytes(ElementType type) {
  return byte_size(type) == 8 ? 8 : 4;
}

unsigned register_bytes(unsigned lanes, ElementType type) {
  return std::max(16u, lanes * lane_bytes(type));
}

ElementType operand_type(const OpCase& op, unsigned k) {
  return op.op == ScalarOp::Select && k == 0 ? ElementType::I1 : op.from;
}

namespace {

using Entry = void (*)(const void* in, void* out);

InstId move_of(Isa isa) {
  return isa == Isa::SSE42 ? x86::Inst::kIdMovups : x86::Inst::kIdVmovups;
}

/// Many values of `lanes` lanes, alive while an op is emitted.
class LiveValues {
public:
  LiveValues(VectorOps& ops, ElementType type, unsigned count, const x86::Mem& from)
      : ops_(ops), from_(from), values_(count) {
    for (Vec& v : values_) {
      v = ops.new_vec(type);
      ops.cc().emit(move_of(ops.isa()), v.reg, from);
    }
  }

  /// Ors into `damage` every bit that is not as it was loaded.
  void check(const x86::Gp& damage) {
    const bool sse = ops_.isa() == Isa::SSE42;
    for (Vec& v : values_) {
      Vec before = ops_.new_vec(v.type);
      ops_.cc().emit(move_of(ops_.isa()), before.reg, from_);
      x86::Xmm low = v.reg.xmm(), low_before = before.reg.xmm();
      x86::Gp bits = ops_.cc().newInt64();
      if (sse) {
        ops_.cc().pxor(low, low_before);
        ops_.cc().movq(bits, low);
      } else {
        ops_.cc().vxorps(low, low, low_before);
        ops_.cc().vmovq(bits, low);
      }
      ops_.cc().or_(x86::ptr(damage), bits);
    }
  }

private:
  VectorOps& ops_;
  x86::Mem from_;
  std::vector<Vec> values_;
};

/// `in` points to a table: where the operands are, where damage is noted, and how many groups of
/// lanes there are. Each group is loaded as a whole register, so that unused lanes hold the values
/// that follow.
struct OpTable {
  const void* operands[3];
  uint64_t* damage;
  uint64_t groups;
};

void emit_op_loop(VectorOps& ops, const x86::Gp& in, const x86::Gp& out, const OpCase& op,
                  unsigned live) {
  x86::Compiler& cc = ops.cc();
  const unsigned arity = info(op.op).arity, lanes = ops.lanes();
  std::array<x86::Gp, 3> from;
  for (unsigned k = 0; k < arity; ++k) {
    from[k] = cc.newIntPtr();
    cc.mov(from[k], x86::ptr(in, static_cast<int>(8 * k)));
  }
  x86::Gp damage = cc.newIntPtr(), groups = cc.newInt64();
  cc.mov(damage, x86::ptr(in, offsetof(OpTable, damage)));
  cc.mov(groups, x86::ptr(in, offsetof(OpTable, groups)));
  Label next = cc.newLabel();
  cc.bind(next);
  LiveValues others(ops, operand_type(op, 0), live, x86::ptr(from[0]));
  std::array<Vec, 3> operands;
  for (unsigned k = 0; k < arity; ++k) {
    operands[k] = ops.new_vec(operand_type(op, k));
    cc.emit(move_of(ops.isa()), operands[k].reg, x86::ptr(from[k]));
  }
  Compute compute;
  compute.op = op.op;
  compute.predicate = op.predicate;
  const Vec result = ops.emit(compute, operands, op.to);
  EXPECT_EQ(result.type, op.to);
  EXPECT_EQ(result.reg.size(), register_bytes(lanes, op.to)) << info(op.op).spelling;
  cc.emit(move_of(ops.isa()), x86::ptr(out), result.reg);
  others.check(damage);
  for (unsigned k = 0; k < arity; ++k)
    cc.add(from[k], lanes * lane_bytes(operand_type(op, k)));
  cc.add(out, register_bytes(lanes, op.to));
  cc.dec(groups);
  cc.jnz(next);
}

/// In every line with a vector register the mnemonic starts with v, or in none does.
std::string wrong_encoding(const std::string& assembly, Isa isa) {
  std::istringstream lines(assembly);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("mm") == std::string::npos || line.find(':') != std::string::npos)
      continue;
    const size_t start = line.find_first_not_of(" \t");
    if (start != std::string::npos && (line[start] == 'v') != (isa != Isa::SSE42))
      return line;
  }
  return {};
}

std::vector<std::byte> to_lanes(const std::vector<uint64_t>& values, ElementType type,
                                size_t padding) {
  const unsigned bytes = lane_bytes(type);
  std::vector<std::byte> memory((values.size() + padding) * bytes + 64);
  for (size_t i = 0; i < values.size() + padding; ++i) {
    uint64_t v = values[i % values.size()];
    if (type == ElementType::I1)
      v = v != 0 ? 0xffffffffu : 0;
    std::memcpy(&memory[i * bytes], &v, bytes);
  }
  return memory;
}

uint64_t from_lane(const std::byte* lane, ElementType type) {
  uint64_t v = 0;
  std::memcpy(&v, lane, lane_bytes(type));
  if (type != ElementType::I1)
    return v;
  EXPECT_TRUE(v == 0 || v == 0xffffffffu) << fmt::format("an i1 lane holds {:#x}", v);
  return v & 1;
}

bool works_on_bits(ScalarOp op) {
  return op == ScalarOp::NegF || op == ScalarOp::AbsF || op == ScalarOp::CopySign ||
         op == ScalarOp::Select || op == ScalarOp::Bitcast;
}

} // namespace

std::vector<unsigned> lane_counts(Isa isa, ElementType a, ElementType b) {
  std::vector<unsigned> counts;
  for (unsigned n = 1; n * std::max(lane_bytes(a), lane_bytes(b)) <= vector_bytes(isa); n *= 2)
    counts.push_back(n);
  return counts;
}

void run_code(Isa isa, unsigned lanes, const CodeBody& body, const void* in, void* out) {
  CodeHolder code;
  StringLogger logger;
  FirstError error;
  code.init(Environment::host());
  code.setLogger(&logger);
  code.setErrorHandler(&error);
  KernelCompiler cc(&code);
  cc.addDiagnosticOptions(DiagnosticOptions::kValidateAssembler |
                          DiagnosticOptions::kValidateIntermediate);
  FuncNode* function = cc.addFunc(FuncSignatureT<void, const void*, void*>());
  if (isa != Isa::SSE42)
    function->frame().addAttributes(FuncAttributes::kX86_AVXEnabled |
                                    FuncAttributes::kX86_AVXCleanup);
  if (isa == Isa::AVX512)
    function->frame().addAttributes(FuncAttributes::kX86_AVX512Enabled);
  x86::Gp in_address = cc.newIntPtr("in"), out_address = cc.newIntPtr("out");
  function->setArg(0, in_address);
  function->setArg(1, out_address);
  VectorOps ops(cc, isa, lanes);
  body(ops, in_address, out_address);
  cc.endFunc();
  const MachineCode machine_code = assemble(cc, error);
  ASSERT_EQ(error.text(), "") << logger.data();
  const std::optional<LinkedCode> linked = link_into_pages(machine_code);
  ASSERT_TRUE(linked);
  const auto entry = reinterpret_cast<Entry>(linked->pages.data());
  ASSERT_EQ(wrong_encoding(logger.data(), isa), "");
  entry(in, out);
}

std::vector<uint64_t> run_vector_op(Isa isa, unsigned lanes, const OpCase& op,
                                    const Operands& operands, unsigned live) {
  const size_t n = operands[0].size(), groups = (n + lanes - 1) / lanes;
  uint64_t damage = 0;
  OpTable table{{}, &damage, groups};
  std::vector<std::vector<std::byte>> memory;
  for (unsigned k = 0; k < operands.size(); ++k) {
    memory.push_back(to_lanes(operands[k], operand_type(op, k), lanes));
    table.operands[k] = memory.back().data();
  }
  const unsigned stride = register_bytes(lanes, op.to);
  std::vector<std::byte> out(groups * stride);
  auto body = [&](VectorOps& ops, const x86::Gp& from, const x86::Gp& to) {
    emit_op_loop(ops, from, to, op, live);
  };
  run_code(isa, lanes, body, &table, out.data());
  EXPECT_EQ(damage, 0u) << "a value that was alive was changed";
  std::vector<uint64_t> results(n);
  for (size_t i = 0; i < n; ++i)
    results[i] = from_lane(&out[i / lanes * stride + i % lanes * lane_bytes(op.to)], op.to);
  return results;
}

void expect_as_in_the_table(const OpCase& op, size_t random) {
  expect_as_in_the_table(op, operands_for(op, random));
}

void expect_as_in_the_table(const OpCase& op, const Operands& operands, unsigned live) {
  const size_t n = operands[0].size();
  std::vector<uint64_t> expected(n);
  for (size_t i = 0; i < n; ++i) {
    uint64_t bits[3] = {};
    for (size_t k = 0; k < operands.size(); ++k)
      bits[k] = operands[k][i];
    expected[i] = eval_scalar(op.op, op.predicate, op.from, op.to, bits);
  }
  for (Isa isa : host_isas())
    for (unsigned lanes : lane_counts(isa, op.from, op.to)) {
      SCOPED_TRACE(fmt::format("{} predicate {} {} to {}, {} lanes on {}", info(op.op).spelling,
                               op.predicate, spelling(op.from), spelling(op.to), lanes,
                               spelling(isa)));
      const std::vector<uint64_t> actual = run_vector_op(isa, lanes, op, operands, live);
      ASSERT_EQ(actual.size(), n);
      for (size_t i = 0; i < n; ++i) {
        if (actual[i] == expected[i])
          continue;
        if (!works_on_bits(op.op) && testing::is_nan(actual[i], op.to) &&
            testing::is_nan(expected[i], op.to))
          continue;
        std::string of;
        for (const auto& operand : operands)
          of += fmt::format(" {:#x}", operand[i]);
        FAIL() << fmt::format("evaluation {}, operands{}: {:#x}, expected {:#x}", i, of, actual[i],
                              expected[i]);
      }
    }
}

} // namespace mo::test
