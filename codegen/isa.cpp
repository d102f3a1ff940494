#include "codegen/isa.h"

#include <asmjit/x86.h>

namespace mo {

std::string_view spelling(Isa isa) {
  switch (isa) {
  case Isa::SSE42: return "sse4.2";
  case Isa::AVX2: return "avx2";
  case Isa::AVX512: return "avx512";
  }
  return "";
}

std::optional<Isa> isa_from(std::string_view text) {
  for (Isa isa : {Isa::SSE42, Isa::AVX2, Isa::AVX512})
    if (spelling(isa) == text)
      return isa;
  return std::nullopt;
}

unsigned vector_bytes(Isa isa) {
  switch (isa) {
  case Isa::SSE42: return 16;
  case Isa::AVX2: return 32;
  case Isa::AVX512: return 64;
  }
  return 16;
}

bool host_supports(Isa isa) {
  // asmjit reads XCR0 as well: a feature counts only where the operating system saves its
  // registers.
  const asmjit::CpuInfo& cpu = asmjit::CpuInfo::host();
  if (cpu.arch() != asmjit::Arch::kX64)
    return false;
  const auto& features = cpu.features().x86();
  switch (isa) {
  case Isa::SSE42: return features.hasSSE4_2();
  case Isa::AVX2: return features.hasAVX2() && features.hasFMA();
  case Isa::AVX512:
    return features.hasAVX2() && features.hasFMA() && features.hasAVX512_F() &&
           features.hasAVX512_BW() && features.hasAVX512_DQ() && features.hasAVX512_VL();
  }
  return false;
}

std::optional<Isa> best_isa(bool (*cpu_has)(Isa)) {
  for (Isa isa : {Isa::AVX512, Isa::AVX2, Isa::SSE42})
    if (cpu_has(isa))
      return isa;
  return std::nullopt;
}

} // namespace mo
