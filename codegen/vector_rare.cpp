// Lanes for which the vector code is not good enough, by the C library.
#include "codegen/vector_math.h"

namespace mo {

using namespace asmjit;
namespace I = x86::Inst;

namespace {

/// Goes to `label` if the test holds in no lane.
void jump_if_no_lane(VectorAsm& as, ElementType type, const LaneTest& test, const Label& label) {
  x86::Compiler& cc = as.cc;
  const Operand limit = as.splat_float(test.limit, type, test.value);
  if (as.avx512()) {
    x86::KReg k = as.compare_k(test.predicate, type, test.value, limit);
    cc.kortestw(k, k);
  } else {
    VecReg mask = as.compare(test.predicate, type, test.value, limit);
    x86::Gp signs = cc.newInt32("signs");
    cc.emit(as.sse() ? I::kIdMovmskps : I::kIdVmovmskps, signs, mask);
    cc.test(signs, signs);
  }
  cc.jz(label);
}

VecReg call_for_each_lane(VectorAsm& as, ElementType type, const std::vector<VecReg>& operands,
                          const void* function) {
  x86::Compiler& cc = as.cc;
  const bool wide = type == ElementType::F64;
  const InstId move =
      as.sse() ? (wide ? I::kIdMovsd : I::kIdMovss) : (wide ? I::kIdVmovsd : I::kIdVmovss);
  auto lane = [&](const std::vector<x86::Mem>& in, const x86::Mem& out) {
    const TypeId scalar = wide ? TypeId::kFloat64 : TypeId::kFloat32;
    FuncSignatureBuilder signature;
    signature.setRet(scalar);
    std::vector<x86::Xmm> arguments;
    for (const x86::Mem& element : in) {
      signature.addArg(scalar);
      arguments.push_back(wide ? cc.newXmmSd() : cc.newXmmSs());
      cc.emit(move, arguments.back(), element);
    }
    // No vzeroupper: other lanes are alive in vector registers. A C library that is not written
    // for AVX is slower by that, not wrong.
    InvokeNode* node = nullptr;
    cc.invoke(&node, imm(function), signature);
    if (!node)
      return; // cc's error handler has heard of it
    for (uint32_t k = 0; k < arguments.size(); ++k)
      node->setArg(k, arguments[k]);
    x86::Xmm result = wide ? cc.newXmmSd() : cc.newXmmSs();
    node->setRet(0, result);
    cc.emit(move, out, result);
  };
  return as.for_each_lane(operands, byte_size(type), lane);
}

} // namespace

VecReg rare_lanes_by_library(VectorAsm& as, ElementType type, const LaneTest& rare,
                             const std::vector<VecReg>& operands, const VecReg& fast,
                             const void* function) {
  Label done = as.cc.newLabel();
  jump_if_no_lane(as, type, rare, done);
  VecReg slow = call_for_each_lane(as, type, operands, function);
  VecReg mask =
      as.compare(rare.predicate, type, rare.value, as.splat_float(rare.limit, type, rare.value));
  as.move(fast, as.blend(mask, slow, fast));
  as.cc.bind(done);
  return fast;
}

} // namespace mo
