// The three instruction sets that code is generated for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mo {

enum class Isa : uint8_t {
  SSE42,  // 16 xmm registers, no masks
  AVX2,   // 16 ymm registers; with FMA3
  AVX512, // 32 zmm registers, k masks; needs F, BW, DQ and VL
};

std::string_view spelling(Isa isa); // "sse4.2", "avx2", "avx512"
std::optional<Isa> isa_from(std::string_view spelling);
unsigned vector_bytes(Isa isa); // 16, 32, 64
bool host_supports(Isa isa);    // by CPUID
/// The widest that a CPU has; nothing without SSE4.2.
std::optional<Isa> best_isa(bool (*cpu_has)(Isa) = host_supports);

} // namespace mo
