// The emitters: one function per scalar op, or per family of ops that share their code. Each gives
// the register of the result. vector_ops.cpp says which op goes to which.
#pragma once

#include "codegen/vector_asm.h"

namespace mo {

using Emitter = VecReg (*)(VectorAsm& as, const EmitCall& call);

// vector_compare.cpp
VecReg emit_cmpf(VectorAsm& as, const EmitCall& call);
VecReg emit_cmpi(VectorAsm& as, const EmitCall& call);
VecReg emit_select(VectorAsm& as, const EmitCall& call);

// vector_float.cpp
VecReg emit_negf(VectorAsm& as, const EmitCall& call);
VecReg emit_absf(VectorAsm& as, const EmitCall& call);
VecReg emit_copysign(VectorAsm& as, const EmitCall& call);
VecReg emit_addf(VectorAsm& as, const EmitCall& call);
VecReg emit_subf(VectorAsm& as, const EmitCall& call);
VecReg emit_mulf(VectorAsm& as, const EmitCall& call);
VecReg emit_divf(VectorAsm& as, const EmitCall& call);
VecReg emit_sqrt(VectorAsm& as, const EmitCall& call);
VecReg emit_rsqrt(VectorAsm& as, const EmitCall& call);
VecReg emit_remf(VectorAsm& as, const EmitCall& call);

// vector_sin_cos.cpp
VecReg emit_sin(VectorAsm& as, const EmitCall& call);
VecReg emit_cos(VectorAsm& as, const EmitCall& call);

// vector_erf.cpp
VecReg emit_erf(VectorAsm& as, const EmitCall& call);

// vector_minmax.cpp
VecReg emit_maximumf(VectorAsm& as, const EmitCall& call);
VecReg emit_minimumf(VectorAsm& as, const EmitCall& call);
VecReg emit_maxnumf(VectorAsm& as, const EmitCall& call);
VecReg emit_minnumf(VectorAsm& as, const EmitCall& call);

// vector_round.cpp
VecReg emit_floor(VectorAsm& as, const EmitCall& call);
VecReg emit_ceil(VectorAsm& as, const EmitCall& call);
VecReg emit_trunc(VectorAsm& as, const EmitCall& call);
VecReg emit_roundeven(VectorAsm& as, const EmitCall& call);
VecReg emit_round(VectorAsm& as, const EmitCall& call);
VecReg round_to_integral(VectorAsm& as, ElementType type, const VecReg& a, int mode);
inline constexpr int kRoundHalfEven = 0, kRoundDown = 1, kRoundUp = 2, kRoundTowardZero = 3;

// vector_fma.cpp
VecReg emit_fma(VectorAsm& as, const EmitCall& call);
/// a + b in f64, rounded to odd: toward zero, then the last bit set if that was not exact. Rounding
/// the result to f32 gives the exact sum correctly rounded (Boldo and Melquiond, "Emulation of FMA
/// and correctly rounded sums: proved algorithms using rounding to odd", 2008). No overflow.
VecReg add_round_to_odd(VectorAsm& as, const VecReg& a, const VecReg& b);

// vector_log.cpp
VecReg emit_log(VectorAsm& as, const EmitCall& call);
VecReg emit_log2(VectorAsm& as, const EmitCall& call);
VecReg emit_log1p(VectorAsm& as, const EmitCall& call);

// vector_exp.cpp
VecReg emit_exp(VectorAsm& as, const EmitCall& call);
VecReg emit_exp2(VectorAsm& as, const EmitCall& call);
VecReg emit_expm1(VectorAsm& as, const EmitCall& call);
/// 2^r for |r| <= 1/2, within 2^-57 of it in f64.
VecReg exp2_near_zero(VectorAsm& as, ElementType type, const VecReg& r);

// vector_tanh.cpp
VecReg emit_tanh(VectorAsm& as, const EmitCall& call);

// vector_pow.cpp
VecReg emit_powf(VectorAsm& as, const EmitCall& call);

// vector_int.cpp
VecReg emit_addi(VectorAsm& as, const EmitCall& call);
VecReg emit_subi(VectorAsm& as, const EmitCall& call);
VecReg emit_muli(VectorAsm& as, const EmitCall& call);
VecReg emit_andi(VectorAsm& as, const EmitCall& call);
VecReg emit_ori(VectorAsm& as, const EmitCall& call);
VecReg emit_xori(VectorAsm& as, const EmitCall& call);
VecReg emit_maxsi(VectorAsm& as, const EmitCall& call);
VecReg emit_minsi(VectorAsm& as, const EmitCall& call);
VecReg emit_maxui(VectorAsm& as, const EmitCall& call);
VecReg emit_minui(VectorAsm& as, const EmitCall& call);

// vector_shift.cpp
VecReg emit_shli(VectorAsm& as, const EmitCall& call);
VecReg emit_shrsi(VectorAsm& as, const EmitCall& call);
VecReg emit_shrui(VectorAsm& as, const EmitCall& call);

// vector_int_div.cpp
VecReg emit_divsi(VectorAsm& as, const EmitCall& call);
VecReg emit_divui(VectorAsm& as, const EmitCall& call);
VecReg emit_ceildivsi(VectorAsm& as, const EmitCall& call);
VecReg emit_floordivsi(VectorAsm& as, const EmitCall& call);
VecReg emit_remsi(VectorAsm& as, const EmitCall& call);
VecReg emit_remui(VectorAsm& as, const EmitCall& call);

// vector_cast.cpp: between integers, between floats, and bits as they are
VecReg emit_extf(VectorAsm& as, const EmitCall& call);
VecReg emit_truncf(VectorAsm& as, const EmitCall& call);
VecReg emit_extsi(VectorAsm& as, const EmitCall& call); // index_cast as well
VecReg emit_extui(VectorAsm& as, const EmitCall& call);
VecReg emit_trunci(VectorAsm& as, const EmitCall& call);
VecReg emit_bitcast(VectorAsm& as, const EmitCall& call);
/// Bit 0 of every 32-bit lane as an i1.
VecReg mask_from_bit0(VectorAsm& as, const VecReg& a);

// vector_int_to_float.cpp
VecReg emit_sitofp(VectorAsm& as, const EmitCall& call);
VecReg emit_uitofp(VectorAsm& as, const EmitCall& call);
VecReg unsigned_to_f64(VectorAsm& as, const VecReg& a); // from 32-bit lanes

// vector_float_to_int.cpp
VecReg emit_fptosi(VectorAsm& as, const EmitCall& call);
VecReg emit_fptoui(VectorAsm& as, const EmitCall& call);
/// An integral value of f64 modulo 2^32, in 32-bit lanes; |a| < 2^51.
VecReg integral_f64_to_i32(VectorAsm& as, const VecReg& a);

} // namespace mo
