// Which op goes to which emitter, and what a vector loop needs besides ops: constants, copies,
// broadcasts and counters.
#include "codegen/vector_ops.h"

#include <array>
#include <span>

#include "codegen/vector_emitters.h"

namespace mo {

using namespace asmjit;
namespace I = x86::Inst;

namespace {

unsigned lane_bytes(ElementType type) {
  return byte_size(type) == 8 ? 8 : 4;
}

/// A constant's bits as they stand in a lane.
uint64_t lane_bits(uint64_t bits, ElementType type) {
  if (type == ElementType::I1)
    return (bits & 1) != 0 ? 0xffffffffu : 0;
  return lane_bytes(type) == 8 ? bits : bits & 0xffffffffu;
}

/// Nothing for what is not computed. A row of the table without a case here does not compile.
Emitter emitter_of(ScalarOp op) {
  switch (op) {
  case ScalarOp::CmpF: return emit_cmpf;
  case ScalarOp::CmpI: return emit_cmpi;
  case ScalarOp::Select: return emit_select;
  case ScalarOp::NegF: return emit_negf;
  case ScalarOp::AddF: return emit_addf;
  case ScalarOp::SubF: return emit_subf;
  case ScalarOp::MulF: return emit_mulf;
  case ScalarOp::DivF: return emit_divf;
  case ScalarOp::RemF: return emit_remf;
  case ScalarOp::MaximumF: return emit_maximumf;
  case ScalarOp::MinimumF: return emit_minimumf;
  case ScalarOp::MaxNumF: return emit_maxnumf;
  case ScalarOp::MinNumF: return emit_minnumf;
  case ScalarOp::AddI: return emit_addi;
  case ScalarOp::SubI: return emit_subi;
  case ScalarOp::MulI: return emit_muli;
  case ScalarOp::DivSI: return emit_divsi;
  case ScalarOp::DivUI: return emit_divui;
  case ScalarOp::CeilDivSI: return emit_ceildivsi;
  case ScalarOp::FloorDivSI: return emit_floordivsi;
  case ScalarOp::RemSI: return emit_remsi;
  case ScalarOp::RemUI: return emit_remui;
  case ScalarOp::AndI: return emit_andi;
  case ScalarOp::OrI: return emit_ori;
  case ScalarOp::XOrI: return emit_xori;
  case ScalarOp::ShLI: return emit_shli;
  case ScalarOp::ShRSI: return emit_shrsi;
  case ScalarOp::ShRUI: return emit_shrui;
  case ScalarOp::MaxSI: return emit_maxsi;
  case ScalarOp::MinSI: return emit_minsi;
  case ScalarOp::MaxUI: return emit_maxui;
  case ScalarOp::MinUI: return emit_minui;
  case ScalarOp::SIToFP: return emit_sitofp;
  case ScalarOp::UIToFP: return emit_uitofp;
  case ScalarOp::FPToSI: return emit_fptosi;
  case ScalarOp::FPToUI: return emit_fptoui;
  case ScalarOp::ExtF: return emit_extf;
  case ScalarOp::TruncF: return emit_truncf;
  case ScalarOp::ExtSI: return emit_extsi;
  case ScalarOp::ExtUI: return emit_extui;
  case ScalarOp::TruncI: return emit_trunci;
  case ScalarOp::IndexCast: return emit_extsi;
  case ScalarOp::Bitcast: return emit_bitcast;
  case ScalarOp::Log: return emit_log;
  case ScalarOp::Log2: return emit_log2;
  case ScalarOp::Log1p: return emit_log1p;
  case ScalarOp::PowF: return emit_powf;
  case ScalarOp::Sqrt: return emit_sqrt;
  case ScalarOp::Rsqrt: return emit_rsqrt;
  case ScalarOp::AbsF: return emit_absf;
  case ScalarOp::Sin: return emit_sin;
  case ScalarOp::Cos: return emit_cos;
  case ScalarOp::Erf: return emit_erf;
  case ScalarOp::Floor: return emit_floor;
  case ScalarOp::Ceil: return emit_ceil;
  case ScalarOp::Round: return emit_round;
  case ScalarOp::RoundEven: return emit_roundeven;
  case ScalarOp::Trunc: return emit_trunc;
  case ScalarOp::CopySign: return emit_copysign;
  case ScalarOp::Fma: return emit_fma;
  case ScalarOp::Exp: return emit_exp;
  case ScalarOp::Exp2: return emit_exp2;
  case ScalarOp::ExpM1: return emit_expm1;
  case ScalarOp::Tanh: return emit_tanh;
  case ScalarOp::Constant:
  case ScalarOp::LoopIndex: break;
  }
  return nullptr;
}

} // namespace

Vec VectorOps::emit(const Compute& op, std::array<Vec, 3> operands, ElementType result_type) {
  const Emitter emitter = emitter_of(op.op);
  const unsigned arity = info(op.op).arity;
  std::array<x86::Vec, 3> in;
  for (unsigned k = 0; k < arity; ++k)
    in[k] = operands[k].reg;
  EmitCall call{in.data(), op.predicate, operands[arity - 1].type, result_type};
  VectorAsm as(cc_, isa_, lanes_, scratch_);
  return Vec{emitter(as, call), result_type};
}

Vec VectorOps::new_vec(ElementType type, const char* name) {
  return {VectorAsm::new_reg(cc_, lanes_ * lane_bytes(type), name), type};
}

void VectorOps::move(const Vec& dst, const Vec& src) {
  VectorAsm(cc_, isa_, lanes_, scratch_).move(dst.reg, src.reg);
}

Vec VectorOps::constant(uint64_t bits, ElementType type) {
  Vec result = new_vec(type, "constant");
  const uint64_t lane = lane_bits(bits, type);
  VectorAsm as(cc_, isa_, lanes_, scratch_);
  if (lane == 0) {
    result.reg = as.zero(result.reg);
  } else if (isa_ == Isa::SSE42) {
    cc_.movaps(result.reg.xmm(),
               cc_.splat_constant(lane_bytes(type) == 8 ? lane : lane << 32 | lane, 16));
  } else if (lane_bytes(type) == 8) {
    cc_.emit(I::kIdVpbroadcastq, result.reg, cc_.splat_constant(lane, 8));
  } else {
    cc_.emit(I::kIdVbroadcastss, result.reg, cc_.splat_constant(lane << 32 | lane, 4));
  }
  return result;
}

Vec VectorOps::broadcast(const Vec& scalar) {
  constexpr int kWord0 = 0x00, kLowHalf = 0x44;
  Vec result = new_vec(scalar.type, "broadcast");
  const bool wide = lane_bytes(scalar.type) == 8;
  const x86::Xmm lane0 = scalar.reg.xmm();
  if (isa_ == Isa::SSE42)
    cc_.pshufd(result.reg.xmm(), lane0, wide ? kLowHalf : kWord0);
  else
    cc_.emit(wide ? I::kIdVpbroadcastq : I::kIdVpbroadcastd, result.reg, lane0);
  return result;
}

Vec VectorOps::lane_counters(const x86::Gp& first) {
  Vec lane0{cc_.newXmm("first"), ElementType::Index};
  cc_.emit(isa_ == Isa::SSE42 ? I::kIdMovq : I::kIdVmovq, lane0.reg, first.r64());
  Vec firsts = broadcast(lane0);
  const std::array<uint64_t, 8> numbers{0, 1, 2, 3, 4, 5, 6, 7};
  x86::Mem steps = cc_.constant(std::as_bytes(std::span(numbers)).first(firsts.reg.size()));
  VectorAsm as(cc_, isa_, lanes_, scratch_);
  return {as.add_int(8, firsts.reg, steps), ElementType::Index};
}

} // namespace mo
