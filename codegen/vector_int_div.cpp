// Integer division and remainder, in all four roundings. x / 0 is 0, x % 0 is x, min / -1 is min.
#include "codegen/vector_emitters.h"

namespace mo {

using namespace asmjit;

namespace {

// 32 bits go through f64: a quotient that is not integral is at least 1/b > 2^-32 away from the
// next integer, and below 2^32 an f64 is closer than 2^-21 / b to the quotient, so truncating is
// exact.

VecReg divide_signed_f64(VectorAsm& as, const VecReg* in) {
  VecReg a = as.reg64(), b = as.reg64(), result = as.reg32();
  as.into(a, inst::i32_to_f64, in[0]);
  as.into(b, inst::i32_to_f64, in[1]);
  as.into(result, inst::f64_to_i32, as.binary(inst::div.f64, a, b)); // 2^31 becomes -2^31
  return result;
}

VecReg divide_unsigned_f64(VectorAsm& as, const VecReg* in) {
  VecReg quotient =
      as.binary(inst::div.f64, unsigned_to_f64(as, in[0]), unsigned_to_f64(as, in[1]));
  return integral_f64_to_i32(as,
                             round_to_integral(as, ElementType::F64, quotient, kRoundTowardZero));
}

/// 64-bit lanes by the scalar instruction. b is neither 0 nor, if signed, -1.
VecReg divide_scalar(VectorAsm& as, const VecReg& a, const VecReg& b, bool is_signed) {
  x86::Compiler& cc = as.cc;
  auto lane = [&cc, is_signed](const std::vector<x86::Mem>& in, const x86::Mem& out) {
    x86::Gp low = cc.newInt64("dividend"), high = cc.newInt64("sign"), by = cc.newInt64("divisor");
    cc.mov(low, in[0]);
    cc.mov(by, in[1]);
    if (is_signed) {
      cc.cqo(high, low);
      cc.idiv(high, low, by);
    } else {
      cc.xor_(high.r32(), high.r32());
      cc.div(high, low, by);
    }
    cc.mov(out, low);
  };
  return as.for_each_lane({a, b}, 8, lane);
}

/// Toward zero. The quotient of a lane whose divisor is 0 is 0 as well.
struct Division {
  VecReg quotient;
  VecReg divisor_is_zero;
};

Division divide32(VectorAsm& as, const VecReg& a, const VecReg& b, bool is_signed) {
  VecReg is_zero = as.compare(CmpIPredicate::EQ, 4, b, as.zero(b));
  VecReg quotient = as.in_halves({a, b}, is_signed ? divide_signed_f64 : divide_unsigned_f64);
  return {as.and_not(is_zero, quotient), is_zero};
}

Division divide64(VectorAsm& as, const VecReg& a, const VecReg& b, bool is_signed) {
  VecReg is_zero = as.compare(CmpIPredicate::EQ, 8, b, as.zero(b));
  if (!is_signed) {
    VecReg divisor = as.sub_int(8, b, is_zero); // 0 becomes 1
    return {as.and_not(is_zero, divide_scalar(as, a, divisor, false)), is_zero};
  }
  // Divide by 1 where the divisor is 0 or -1 (the instruction faults on 0 and on min / -1), and
  // negate where it is -1: q ^ -1 - -1.
  VecReg minus_one = as.load(as.splat64(~uint64_t{0}, b), b);
  VecReg is_minus_one = as.compare(CmpIPredicate::EQ, 8, b, minus_one);
  VecReg one = as.load(as.splat64(1, b), b);
  VecReg divisor = as.blend(as.bit_or(is_zero, is_minus_one), one, b);
  VecReg quotient = divide_scalar(as, a, divisor, true);
  quotient = as.sub_int(8, as.bit_xor(quotient, is_minus_one), is_minus_one);
  return {as.and_not(is_zero, quotient), is_zero};
}

Division divide(VectorAsm& as, const EmitCall& call, bool is_signed) {
  if (byte_size(call.from) == 8)
    return divide64(as, call.in[0], call.in[1], is_signed);
  return divide32(as, call.in[0], call.in[1], is_signed);
}

/// a - quotient * b; where b is 0 the quotient is, too.
VecReg remainder(VectorAsm& as, const EmitCall& call, const VecReg& quotient) {
  const unsigned bytes = byte_size(call.from);
  return as.sub_int(bytes, call.in[0], as.mul_int(bytes, quotient, call.in[1]));
}

/// Signed division that rounds down, or up.
VecReg divide_rounding(VectorAsm& as, const EmitCall& call, bool up) {
  const unsigned bytes = byte_size(call.from);
  Division division = divide(as, call, true);
  VecReg rest = remainder(as, call, division.quotient);
  // The exact quotient lies above the truncated one where it is positive, below where it is
  // negative: there the signs of the remainder and of the divisor differ.
  VecReg exact = as.compare(CmpIPredicate::EQ, bytes, rest, as.zero(rest));
  VecReg below = as.sign_mask(bytes, as.bit_xor(rest, call.in[1]));
  if (up) {
    VecReg stays = as.bit_or(as.bit_or(exact, below), division.divisor_is_zero);
    return as.sub_int(bytes, division.quotient, as.bit_not(stays));
  }
  VecReg stays = as.bit_or(exact, division.divisor_is_zero);
  return as.add_int(bytes, division.quotient, as.and_not(stays, below));
}

} // namespace

// One bit wide, every division is AND: the divisors are 0, which gives 0, and (minus) one, which
// gives the dividend. x % 0 is x and x % 1 is 0.

VecReg emit_divsi(VectorAsm& as, const EmitCall& call) {
  if (call.from == ElementType::I1)
    return emit_andi(as, call);
  return divide(as, call, true).quotient;
}

VecReg emit_divui(VectorAsm& as, const EmitCall& call) {
  if (call.from == ElementType::I1)
    return emit_andi(as, call);
  return divide(as, call, false).quotient;
}

VecReg emit_ceildivsi(VectorAsm& as, const EmitCall& call) {
  if (call.from == ElementType::I1)
    return emit_andi(as, call);
  return divide_rounding(as, call, true);
}

VecReg emit_floordivsi(VectorAsm& as, const EmitCall& call) {
  if (call.from == ElementType::I1)
    return emit_andi(as, call);
  return divide_rounding(as, call, false);
}

VecReg emit_remsi(VectorAsm& as, const EmitCall& call) {
  if (call.from == ElementType::I1)
    return as.and_not(call.in[1], call.in[0]);
  return remainder(as, call, divide(as, call, true).quotient);
}

VecReg emit_remui(VectorAsm& as, const EmitCall& call) {
  if (call.from == ElementType::I1)
    return as.and_not(call.in[1], call.in[0]);
  return remainder(as, call, divide(as, call, false).quotient);
}

} // namespace mo
