#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "runtime/scalar_eval.h"
#include "tests/support/element_bits.h"
#include "vector_harness.h"

using namespace mo;
using namespace mo::test;
using mo::testing::kElementTypes;
using namespace asmjit;

namespace {

constexpr ScalarOp kCombines[] = {
    ScalarOp::AddF,    ScalarOp::MulF,  ScalarOp::MaximumF, ScalarOp::MinimumF, ScalarOp::MaxNumF,
    ScalarOp::MinNumF, ScalarOp::AddI,  ScalarOp::MulI,     ScalarOp::AndI,     ScalarOp::OrI,
    ScalarOp::XOrI,    ScalarOp::MaxSI, ScalarOp::MinSI,    ScalarOp::MaxUI,    ScalarOp::MinUI};

bool takes(ScalarOp op, ElementType type) {
  return block_kernel(op, 0, type, type) != nullptr;
}

void store(VectorOps& ops, const x86::Gp& to, const Vec& v) {
  ops.cc().emit(ops.isa() == Isa::SSE42 ? x86::Inst::kIdMovups : x86::Inst::kIdVmovups,
                x86::ptr(to), v.reg);
}

Vec load(VectorOps& ops, const x86::Gp& from, ElementType type) {
  Vec v = ops.new_vec(type);
  ops.cc().emit(ops.isa() == Isa::SSE42 ? x86::Inst::kIdMovups : x86::Inst::kIdVmovups, v.reg,
                x86::ptr(from));
  return v;
}

uint64_t lane(const std::vector<std::byte>& memory, unsigned k, ElementType type) {
  uint64_t v = 0;
  std::memcpy(&v, &memory[k * lane_bytes(type)], lane_bytes(type));
  return v;
}

/// What stands in a lane for an element's bits.
uint64_t as_lane(uint64_t bits, ElementType type) {
  return type == ElementType::I1 && bits != 0 ? 0xffffffffu : bits;
}

/// Calls f for every instruction set and number of lanes.
template <class F> void for_each_shape(ElementType type, F f) {
  for (Isa isa : host_isas())
    for (unsigned lanes : lane_counts(isa, type, type)) {
      SCOPED_TRACE(fmt::format("{}, {} lanes on {}", spelling(type), lanes, spelling(isa)));
      f(isa, lanes);
    }
}

} // namespace

TEST(VectorOps, AConstantStandsInEveryLane) {
  for (ElementType type : kElementTypes)
    for (uint64_t bits : special_values(type))
      for_each_shape(type, [&](Isa isa, unsigned lanes) {
        std::vector<std::byte> out(64);
        auto body = [&](VectorOps& ops, const x86::Gp&, const x86::Gp& to) {
          store(ops, to, ops.constant(bits, type));
        };
        run_code(isa, lanes, body, nullptr, out.data());
        for (unsigned k = 0; k < lanes; ++k)
          ASSERT_EQ(lane(out, k, type), as_lane(bits, type)) << bits;
      });
}

TEST(VectorOps, ABroadcastPutsLane0IntoEveryLane) {
  for (ElementType type : kElementTypes)
    for_each_shape(type, [&](Isa isa, unsigned lanes) {
      std::vector<std::byte> in(64), out(64);
      for (size_t i = 0; i < in.size(); ++i)
        in[i] = static_cast<std::byte>(i + 1);
      auto body = [&](VectorOps& ops, const x86::Gp& from, const x86::Gp& to) {
        VectorOps one(ops.cc(), isa, 1);
        store(ops, to, ops.broadcast(load(one, from, type)));
      };
      run_code(isa, lanes, body, in.data(), out.data());
      for (unsigned k = 0; k < lanes; ++k)
        ASSERT_EQ(lane(out, k, type), lane(in, 0, type));
    });
}

TEST(VectorOps, LaneCountersCountFromTheFirst) {
  for_each_shape(ElementType::Index, [](Isa isa, unsigned lanes) {
    std::vector<std::byte> out(64);
    auto body = [](VectorOps& ops, const x86::Gp& in, const x86::Gp& to) {
      store(ops, to, ops.lane_counters(in)); // the address itself is the first counter
    };
    run_code(isa, lanes, body, reinterpret_cast<const void*>(uint64_t{0xfffffffe}), out.data());
    for (unsigned k = 0; k < lanes; ++k)
      ASSERT_EQ(lane(out, k, ElementType::Index), 0xfffffffe + uint64_t{k});
  });
}

TEST(VectorOps, AMoveCopiesEveryLane) {
  for (ElementType type : kElementTypes)
    for_each_shape(type, [&](Isa isa, unsigned lanes) {
      std::vector<std::byte> in(64, std::byte{0x5a}), out(64);
      auto body = [&](VectorOps& ops, const x86::Gp& from, const x86::Gp& to) {
        Vec target = ops.new_vec(type);
        ops.move(target, load(ops, from, type));
        store(ops, to, target);
      };
      run_code(isa, lanes, body, in.data(), out.data());
      ASSERT_EQ(std::memcmp(in.data(), out.data(), lanes * lane_bytes(type)), 0);
    });
}

TEST(VectorOps, ReduceLanesCombinesExactlyTheLanesInUse) {
  for (ScalarOp combine : kCombines)
    for (ElementType type : kElementTypes)
      for_each_shape(type, [&](Isa isa, unsigned lanes) {
        if (!takes(combine, type))
          return;
        // Sums and products of small powers of two are exact in any order.
        std::vector<std::byte> in(64), out(64);
        uint64_t expected = 0;
        for (unsigned k = 0; k < 64 / lane_bytes(type); ++k) {
          const double value = (k % 2 == 0 ? 1 : -1) * std::ldexp(1.0, static_cast<int>(k * 7 % 5));
          uint64_t bits = k * 7 % 16;
          if (type == ElementType::F32)
            bits = std::bit_cast<uint32_t>(static_cast<float>(value));
          else if (type == ElementType::F64)
            bits = std::bit_cast<uint64_t>(value);
          else if (type == ElementType::I1)
            bits &= 1;
          const uint64_t in_lane = as_lane(bits, type);
          std::memcpy(&in[k * lane_bytes(type)], &in_lane, lane_bytes(type));
          const uint64_t pair[2] = {expected, bits};
          if (k < lanes)
            expected = k == 0 ? bits : eval_scalar(combine, 0, type, type, pair);
        }
        auto body = [&](VectorOps& ops, const x86::Gp& from, const x86::Gp& to) {
          store(ops, to, ops.reduce_lanes(combine, load(ops, from, type)));
        };
        run_code(isa, lanes, body, in.data(), out.data());
        ASSERT_EQ(lane(out, 0, type), as_lane(expected, type)) << info(combine).spelling;
      });
}

TEST(VectorOps, TheNeutralElementChangesNoBit) {
  for (ScalarOp combine : kCombines)
    for (ElementType type : kElementTypes) {
      if (!takes(combine, type))
        continue;
      std::optional<uint64_t> neutral = VectorOps::neutral_element(combine, type);
      ASSERT_TRUE(neutral.has_value()) << info(combine).spelling;
      for (uint64_t x : special_values(type)) {
        if (type == ElementType::F32 && std::isnan(std::bit_cast<float>(static_cast<uint32_t>(x))))
          continue; // payloads are not defined
        if (type == ElementType::F64 && std::isnan(std::bit_cast<double>(x)))
          continue;
        const uint64_t operands[2] = {*neutral, x};
        EXPECT_EQ(eval_scalar(combine, 0, type, type, operands), x)
            << info(combine).spelling << ' ' << spelling(type);
      }
    }
}

TEST(VectorOps, ANeutralElementKeepsNaN) {
  for (ScalarOp combine : {ScalarOp::AddF, ScalarOp::MulF, ScalarOp::MaximumF, ScalarOp::MinimumF,
                           ScalarOp::MaxNumF, ScalarOp::MinNumF}) {
    const uint64_t nan = std::bit_cast<uint64_t>(std::nan(""));
    const uint64_t operands[2] = {*VectorOps::neutral_element(combine, ElementType::F64), nan};
    const uint64_t result = eval_scalar(combine, 0, ElementType::F64, ElementType::F64, operands);
    EXPECT_TRUE(std::isnan(std::bit_cast<double>(result))) << info(combine).spelling;
  }
}

TEST(VectorOps, EveryOpLeavesFortyOtherLiveValuesAlone) {
  for (unsigned k = 0; k < num_scalar_ops(); ++k) {
    const ScalarOp op = static_cast<ScalarOp>(k);
    for (ElementType from : kElementTypes)
      for (ElementType to : kElementTypes)
        if (block_kernel(op, 1, from, to) != nullptr) {
          const OpCase op_case{op, from, to, 1};
          Operands operands = operands_for(op_case, 0);
          for (auto& values : operands)
            values.resize(std::min<size_t>(values.size(), 100));
          if (allowed_ulps(op) == 0) {
            expect_as_in_the_table(op_case, operands, 40);
            continue;
          }
          for (Isa isa : host_isas()) // run_vector_op fails on damage
            for (unsigned lanes : lane_counts(isa, from, to))
              run_vector_op(isa, lanes, op_case, operands, 40);
        }
  }
}
