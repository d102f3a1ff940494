// Constants of machine code.
#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "codegen/assemble.h"

namespace mo {
namespace {

struct Constants : ::testing::Test {
  Constants() {
    code.init(asmjit::Environment::host());
    cc.emplace(&code);
  }
  asmjit::CodeHolder code;
  std::optional<KernelCompiler> cc;
  FirstError errors;
};

TEST_F(Constants, AreStoredOnceWhateverTheWidth) {
  const asmjit::x86::Mem narrow = cc->splat_constant(0x3f8000003f800000, 4);
  const asmjit::x86::Mem wide = cc->splat_constant(0x3f8000003f800000, 64);
  EXPECT_EQ(narrow.baseId(), wide.baseId());
  EXPECT_EQ(narrow.size(), 4u);
  const std::array<std::byte, 16> pattern{std::byte{1}};
  EXPECT_EQ(cc->constant(pattern).baseId(), cc->constant(pattern).baseId());
  EXPECT_EQ(assemble(*cc, errors).rodata.size(), 64u + 16);
}

TEST_F(Constants, StandBehindWiderOnesSoThatNonePads) {
  cc->splat_constant(7, 4);
  cc->splat_constant(8, 8);
  cc->splat_constant(9, 32);
  const MachineCode machine_code = assemble(*cc, errors);
  ASSERT_EQ(machine_code.rodata.size(), 44u);
  EXPECT_EQ(machine_code.rodata[32], std::byte{8});
  EXPECT_EQ(machine_code.rodata[40], std::byte{7});
}

TEST_F(Constants, TablesStartAtACacheLine) {
  cc->table({std::byte{1}}, 1);
  cc->table({std::byte{2}}, 1);
  const MachineCode machine_code = assemble(*cc, errors);
  ASSERT_EQ(machine_code.rodata.size(), 65u);
  EXPECT_EQ(machine_code.rodata[64], std::byte{2});
}

TEST_F(Constants, ACallOfAnUnknownFunctionIsAnError) {
  cc->addFunc(asmjit::FuncSignatureT<void>());
  asmjit::InvokeNode* call = nullptr;
  cc->invoke(&call, asmjit::imm(uint64_t{0x1234}), asmjit::FuncSignatureT<void>());
  cc->endFunc();
  assemble(*cc, errors);
  EXPECT_NE(errors.text().find("unknown function"), std::string::npos);
}

struct HeldConstants : Constants {
  HeldConstants() { cc->addFunc(asmjit::FuncSignatureT<void>()); }
};

TEST_F(HeldConstants, AreLoadedOnceAheadOfTheLoop) {
  cc->begin_held_constants(2, 32);
  const asmjit::BaseNode* ahead = cc->cursor();
  const asmjit::Label loop = cc->newLabel();
  cc->bind(loop);
  const asmjit::BaseNode* inside = cc->cursor();
  const asmjit::Operand held = cc->held_constant(7, 32);
  ASSERT_TRUE(held.isReg());
  EXPECT_EQ(cc->held_constant(7, 32), held);
  EXPECT_EQ(cc->cursor(), inside);
  const asmjit::BaseNode* load = ahead->next();
  EXPECT_TRUE(load->isInst());
  EXPECT_FALSE(load->next()->isInst());
  cc->end_held_constants();
}

TEST_F(HeldConstants, LeaveTheMaskToTheInstructionThatItIsMeantFor) {
  cc->begin_held_constants(1, 64);
  const asmjit::BaseNode* ahead = cc->cursor();
  const asmjit::x86::Zmm sum = cc->newZmm();
  const asmjit::x86::KReg mask = cc->newKw();
  cc->k(mask).emit(asmjit::x86::Inst::kIdVaddps, sum, sum, cc->held_constant(7, 64));
  const auto* load = ahead->next()->as<asmjit::InstNode>();
  const auto* add = load->next()->as<asmjit::InstNode>();
  EXPECT_FALSE(load->hasExtraReg());
  EXPECT_EQ(add->extraReg().id(), mask.id());
}

TEST_F(HeldConstants, ServeNarrowerVectorsToo) {
  cc->begin_held_constants(1, 64);
  const asmjit::Operand narrow = cc->held_constant(7, 16), wide = cc->held_constant(7, 64);
  EXPECT_EQ(narrow.id(), wide.id());
  EXPECT_EQ(narrow.as<asmjit::x86::Vec>().size(), 16u);
  EXPECT_EQ(wide.as<asmjit::x86::Vec>().size(), 64u);
}

TEST_F(HeldConstants, MayBeAnyBytesAsWideAsTheLoopsVectors) {
  const std::vector<std::byte> wide(32, std::byte{3}), other(32, std::byte{4}),
      narrow(16, std::byte{3});
  cc->begin_held_constants(1, 32);
  const asmjit::Operand held = cc->held_constant(wide);
  EXPECT_TRUE(held.isReg());
  EXPECT_EQ(cc->held_constant(wide), held);
  EXPECT_TRUE(cc->held_constant(narrow).isMem());
  EXPECT_TRUE(cc->held_constant(other).isMem());
  cc->end_held_constants();
  EXPECT_TRUE(cc->held_constant(wide).isMem());
}

TEST_F(HeldConstants, StayInMemoryWhereRegistersRunOutOrThereIsNoLoop) {
  EXPECT_TRUE(cc->held_constant(7, 32).isMem());
  cc->begin_held_constants(1, 32);
  EXPECT_TRUE(cc->held_constant(7, 64).isMem());
  EXPECT_TRUE(cc->held_constant(7, 32).isReg());
  EXPECT_TRUE(cc->held_constant(8, 32).isMem());
  cc->end_held_constants();
  EXPECT_TRUE(cc->held_constant(7, 32).isMem());
}

} // namespace
} // namespace mo
