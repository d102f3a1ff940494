// Constants of machine code.
#include "codegen/kernel_compiler.h"

#include <gtest/gtest.h>

#include <array>

namespace mo {
namespace {

struct Constants : ::testing::Test {
  Constants() {
    code.init(asmjit::Environment::host());
    cc.emplace(&code);
  }
  const asmjit::Section* rodata() {
    cc->embed_constants(64);
    cc->finalize();
    return code.sectionByName(".rodata");
  }
  asmjit::CodeHolder code;
  std::optional<KernelCompiler> cc;
};

TEST_F(Constants, AreStoredOnceWhateverTheWidth) {
  const asmjit::x86::Mem narrow = cc->splat_constant(0x3f8000003f800000, 4);
  const asmjit::x86::Mem wide = cc->splat_constant(0x3f8000003f800000, 64);
  EXPECT_EQ(narrow.baseId(), wide.baseId());
  EXPECT_EQ(narrow.size(), 4u);
  const std::array<std::byte, 16> pattern{std::byte{1}};
  EXPECT_EQ(cc->constant(pattern).baseId(), cc->constant(pattern).baseId());
  EXPECT_EQ(rodata()->bufferSize(), 64u + 16);
}

TEST_F(Constants, StandBehindWiderOnesSoThatNonePads) {
  const asmjit::x86::Mem four = cc->splat_constant(7, 4), eight = cc->splat_constant(8, 8);
  cc->splat_constant(9, 32);
  EXPECT_EQ(rodata()->bufferSize(), 44u);
  EXPECT_EQ(code.labelOffset(asmjit::Label(eight.baseId())), 32u);
  EXPECT_EQ(code.labelOffset(asmjit::Label(four.baseId())), 40u);
}

TEST_F(Constants, NoSectionWhereThereAreNone) {
  EXPECT_EQ(rodata(), nullptr);
}

} // namespace
} // namespace mo
