// Runs what emitters are built from: code on vector registers that is no scalar op by itself.
#pragma once

#include "codegen/vector_asm.h"
#include "vector_harness.h"

namespace mo::test {

/// Emits a function of three vectors.
using Building =
    std::function<VecReg(VectorAsm&, const VecReg& a, const VecReg& b, const VecReg& c)>;

template <class T>
inline constexpr ElementType kTypeOf = sizeof(T) == 8 ? ElementType::F64 : ElementType::F32;

/// One full register of each instruction set, lane k computed from a[k], b[k], c[k].
template <class T>
std::vector<T> run_building(Isa isa, const Building& building, const std::vector<T> (&in)[3]) {
  const unsigned lanes = vector_bytes(isa) / static_cast<unsigned>(sizeof(T));
  std::vector<T> table;
  for (const auto& values : in)
    for (unsigned k = 0; k < lanes; ++k)
      table.push_back(values[k % values.size()]);
  std::vector<T> out(lanes);
  auto body = [&](VectorOps& ops, const asmjit::x86::Gp& from, const asmjit::x86::Gp& to) {
    std::vector<asmjit::x86::Mem> scratch;
    VectorAsm as(ops.cc(), isa, lanes, scratch);
    const auto move =
        isa == Isa::SSE42 ? asmjit::x86::Inst::kIdMovups : asmjit::x86::Inst::kIdVmovups;
    VecReg v[3];
    for (unsigned k = 0; k < 3; ++k) {
      v[k] = as.reg_of(kTypeOf<T>);
      ops.cc().emit(move, v[k], asmjit::x86::ptr(from, static_cast<int>(k * vector_bytes(isa))));
    }
    ops.cc().emit(move, asmjit::x86::ptr(to), building(as, v[0], v[1], v[2]));
  };
  run_code(isa, lanes, body, table.data(), out.data());
  return out;
}

} // namespace mo::test
