// Instructions that exist in a legacy SSE encoding and in a VEX or EVEX one: pairs of asmjit's ids.
#pragma once

#include <asmjit/x86.h>

namespace mo {

/// The same operation for SSE4.2 (the first operand is overwritten) and for AVX2 and AVX-512 (it is
/// not). Where only one of the two exists the other is kIdNone.
struct InstPair {
  asmjit::InstId sse = asmjit::x86::Inst::kIdNone;
  asmjit::InstId avx = asmjit::x86::Inst::kIdNone;
};

/// One operation on lanes of f32 and on lanes of f64.
struct FloatInst {
  InstPair f32, f64;
};

namespace inst {

namespace I = asmjit::x86::Inst; // ids of instructions

inline constexpr FloatInst add = {{I::kIdAddps, I::kIdVaddps}, {I::kIdAddpd, I::kIdVaddpd}};
inline constexpr FloatInst sub = {{I::kIdSubps, I::kIdVsubps}, {I::kIdSubpd, I::kIdVsubpd}};
inline constexpr FloatInst mul = {{I::kIdMulps, I::kIdVmulps}, {I::kIdMulpd, I::kIdVmulpd}};
inline constexpr FloatInst div = {{I::kIdDivps, I::kIdVdivps}, {I::kIdDivpd, I::kIdVdivpd}};
inline constexpr FloatInst sqrt = {{I::kIdSqrtps, I::kIdVsqrtps}, {I::kIdSqrtpd, I::kIdVsqrtpd}};
// min and max give the second operand where the operands are unordered, or zeros.
inline constexpr FloatInst min = {{I::kIdMinps, I::kIdVminps}, {I::kIdMinpd, I::kIdVminpd}};
inline constexpr FloatInst max = {{I::kIdMaxps, I::kIdVmaxps}, {I::kIdMaxpd, I::kIdVmaxpd}};
// Not on AVX-512 (there the result is in a mask register, or the mnemonic another one).
inline constexpr FloatInst cmp = {{I::kIdCmpps, I::kIdVcmpps}, {I::kIdCmppd, I::kIdVcmppd}};
inline constexpr FloatInst round = {{I::kIdRoundps, I::kIdVroundps},
                                    {I::kIdRoundpd, I::kIdVroundpd}};
// AVX-512 only.
inline constexpr FloatInst round_scale = {{I::kIdNone, I::kIdVrndscaleps},
                                          {I::kIdNone, I::kIdVrndscalepd}};
inline constexpr FloatInst range = {{I::kIdNone, I::kIdVrangeps}, {I::kIdNone, I::kIdVrangepd}};
inline constexpr FloatInst scale = {{I::kIdNone, I::kIdVscalefps}, {I::kIdNone, I::kIdVscalefpd}};
// The significand (in the interval that an immediate says) and the exponent, also of denormals.
inline constexpr FloatInst get_mantissa = {{I::kIdNone, I::kIdVgetmantps},
                                           {I::kIdNone, I::kIdVgetmantpd}};
inline constexpr FloatInst get_exponent = {{I::kIdNone, I::kIdVgetexpps},
                                           {I::kIdNone, I::kIdVgetexppd}};
// Into d: another value in its place as a table says of the class (zero, infinity, ...) of a.
inline constexpr FloatInst fix_up = {{I::kIdNone, I::kIdVfixupimmps},
                                     {I::kIdNone, I::kIdVfixupimmpd}};
// Fused, AVX2 and AVX-512. d * a + c into d, in the order d, a, c; and a * b + d into d, in the
// order d, a, b. With neg the product is negated.
inline constexpr FloatInst fused_mul_add = {{I::kIdNone, I::kIdVfmadd213ps},
                                            {I::kIdNone, I::kIdVfmadd213pd}};
inline constexpr FloatInst fused_mul_add_to = {{I::kIdNone, I::kIdVfmadd231ps},
                                               {I::kIdNone, I::kIdVfmadd231pd}};
// a * b - d into d.
inline constexpr FloatInst fused_mul_sub_to = {{I::kIdNone, I::kIdVfmsub231ps},
                                               {I::kIdNone, I::kIdVfmsub231pd}};
inline constexpr FloatInst fused_neg_mul_add = {{I::kIdNone, I::kIdVfnmadd213ps},
                                                {I::kIdNone, I::kIdVfnmadd213pd}};
inline constexpr FloatInst fused_neg_mul_add_to = {{I::kIdNone, I::kIdVfnmadd231ps},
                                                   {I::kIdNone, I::kIdVfnmadd231pd}};

inline constexpr InstPair bit_and = {I::kIdAndps, I::kIdVandps};
inline constexpr InstPair bit_and_not = {I::kIdAndnps, I::kIdVandnps}; // ~a & b
inline constexpr InstPair bit_or = {I::kIdOrps, I::kIdVorps};
inline constexpr InstPair bit_xor = {I::kIdXorps, I::kIdVxorps};

inline constexpr InstPair add32 = {I::kIdPaddd, I::kIdVpaddd};
inline constexpr InstPair add64 = {I::kIdPaddq, I::kIdVpaddq};
inline constexpr InstPair sub32 = {I::kIdPsubd, I::kIdVpsubd};
inline constexpr InstPair sub64 = {I::kIdPsubq, I::kIdVpsubq};
inline constexpr InstPair mul32 = {I::kIdPmulld, I::kIdVpmulld};
inline constexpr InstPair mul_low_halves = {I::kIdPmuludq, I::kIdVpmuludq}; // 32 x 32 -> 64 bits
inline constexpr InstPair max_s32 = {I::kIdPmaxsd, I::kIdVpmaxsd};
inline constexpr InstPair min_s32 = {I::kIdPminsd, I::kIdVpminsd};
inline constexpr InstPair max_u32 = {I::kIdPmaxud, I::kIdVpmaxud};
inline constexpr InstPair min_u32 = {I::kIdPminud, I::kIdVpminud};
// Not on AVX-512.
inline constexpr InstPair equal32 = {I::kIdPcmpeqd, I::kIdVpcmpeqd};
inline constexpr InstPair equal64 = {I::kIdPcmpeqq, I::kIdVpcmpeqq};
inline constexpr InstPair greater32 = {I::kIdPcmpgtd, I::kIdVpcmpgtd}; // signed
inline constexpr InstPair greater64 = {I::kIdPcmpgtq, I::kIdVpcmpgtq};

// By an immediate, or all lanes by the low 64 bits of an xmm register; a count beyond the width
// shifts every bit out.
inline constexpr InstPair shift_left32 = {I::kIdPslld, I::kIdVpslld};
inline constexpr InstPair shift_left64 = {I::kIdPsllq, I::kIdVpsllq};
inline constexpr InstPair shift_right32 = {I::kIdPsrld, I::kIdVpsrld};
inline constexpr InstPair shift_right64 = {I::kIdPsrlq, I::kIdVpsrlq};
inline constexpr InstPair shift_right_signed32 = {I::kIdPsrad, I::kIdVpsrad};

inline constexpr InstPair shuffle32 = {I::kIdPshufd, I::kIdVpshufd};
inline constexpr InstPair low_halves = {I::kIdPunpcklqdq, I::kIdVpunpcklqdq};
// Halves or quarters of 16 bytes, chosen by the immediate.
inline constexpr InstPair pick_halves = {I::kIdNone, I::kIdVperm2f128};
inline constexpr InstPair pick_quarters = {I::kIdNone, I::kIdVshuff32x4};

/// In each 16 bytes, the lower or the higher half of the elements of both operands, in turn.
struct Interleave {
  InstPair low, high;
};
inline constexpr Interleave interleave8 = {{I::kIdPunpcklbw, I::kIdVpunpcklbw},
                                           {I::kIdPunpckhbw, I::kIdVpunpckhbw}};
inline constexpr Interleave interleave32 = {{I::kIdUnpcklps, I::kIdVunpcklps},
                                            {I::kIdUnpckhps, I::kIdVunpckhps}};
inline constexpr Interleave interleave64 = {{I::kIdUnpcklpd, I::kIdVunpcklpd},
                                            {I::kIdUnpckhpd, I::kIdVunpckhpd}};

inline constexpr InstPair sign_extend = {I::kIdPmovsxdq, I::kIdVpmovsxdq};
inline constexpr InstPair zero_extend = {I::kIdPmovzxdq, I::kIdVpmovzxdq};

inline constexpr InstPair i32_to_f32 = {I::kIdCvtdq2ps, I::kIdVcvtdq2ps};
inline constexpr InstPair i32_to_f64 = {I::kIdCvtdq2pd, I::kIdVcvtdq2pd};
inline constexpr InstPair f32_to_i32 = {I::kIdCvttps2dq, I::kIdVcvttps2dq}; // toward zero
inline constexpr InstPair f64_to_i32 = {I::kIdCvttpd2dq, I::kIdVcvttpd2dq}; // toward zero
inline constexpr InstPair f32_to_f64 = {I::kIdCvtps2pd, I::kIdVcvtps2pd};
inline constexpr InstPair f64_to_f32 = {I::kIdCvtpd2ps, I::kIdVcvtpd2ps};

} // namespace inst
} // namespace mo
