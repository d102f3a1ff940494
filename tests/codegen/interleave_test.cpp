// Copies of code whose instructions take turns.
#include "codegen/interleave.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace mo {
namespace {

namespace x86 = asmjit::x86;

struct Interleave : ::testing::Test {
  Interleave() {
    code.init(asmjit::Environment::host());
    cc.emplace(&code);
    cc->addFunc(asmjit::FuncSignatureT<void>());
    value = cc->newInt32("value");
  }

  /// An instruction that is told by its number.
  void emit(int number) { cc->mov(value, number); }

  /// The numbers of the instructions, names of marks, ? for other instructions and | for labels.
  std::string order() const {
    std::string text;
    const asmjit::BaseNode* end = cc->func()->exitNode();
    for (const asmjit::BaseNode* node = cc->firstNode(); node != end; node = node->next()) {
      if (const KernelCompiler::Mark* mark = cc->mark_at(*node))
        text += mark->what;
      else if (node->isLabel() && !node->isFunc())
        text += "|";
      else if (node->type() == asmjit::NodeType::kInst)
        text += node->as<asmjit::InstNode>()->opCount() == 2
                    ? std::to_string(node->as<asmjit::InstNode>()->op(1).as<asmjit::Imm>().value())
                    : "?";
      else
        continue;
      text += " ";
    }
    return text;
  }

  asmjit::CodeHolder code;
  std::optional<KernelCompiler> cc;
  x86::Gp value;
};

TEST_F(Interleave, FirstInstructionsThenSecondOnesAndWhatIsLeft) {
  emit(1);
  emit_in_turns(*cc, 3, [&](unsigned copy) {
    emit(10 + static_cast<int>(copy));
    emit(20 + static_cast<int>(copy));
    if (copy == 1)
      emit(31);
  });
  emit(2);
  EXPECT_EQ(order(), "1 10 11 12 20 21 22 31 2 ");
}

TEST_F(Interleave, MarksStayAheadOfTheirInstructions) {
  emit_in_turns(*cc, 2, [&](unsigned copy) {
    cc->mark({}, "a");
    emit(10 + static_cast<int>(copy));
    cc->mark({}, "b");
    emit(20 + static_cast<int>(copy));
    cc->mark({}, "c");
  });
  EXPECT_EQ(order(), "a 10 a 11 b 20 b 21 c c ");
}

TEST_F(Interleave, CodeThatJumpsStaysCopyByCopy) {
  emit_in_turns(*cc, 2, [&](unsigned copy) {
    const asmjit::Label end = cc->newLabel();
    emit(10 + static_cast<int>(copy));
    cc->jmp(end);
    cc->bind(end);
    emit(20 + static_cast<int>(copy));
  });
  EXPECT_EQ(order(), "10 ? | 20 11 ? | 21 ");
}

TEST_F(Interleave, CodeThatJumpsAwayStaysCopyByCopy) {
  emit_in_turns(*cc, 2, [&](unsigned copy) {
    emit(10 + static_cast<int>(copy));
    cc->jmp(cc->func()->exitLabel());
  });
  EXPECT_EQ(order(), "10 ? 11 ? ");
}

TEST_F(Interleave, CodeThatReadsFlagsStaysCopyByCopy) {
  emit_in_turns(*cc, 2, [&](unsigned copy) {
    cc->cmp(value, 10 + static_cast<int>(copy));
    cc->sete(value.r8());
  });
  EXPECT_EQ(order(), "10 ? 11 ? ");
}

TEST_F(Interleave, OneCopyOrNoneIsLeftAsItIs) {
  emit_in_turns(*cc, 1, [&](unsigned) { emit(1), emit(2); });
  emit_in_turns(*cc, 0, [&](unsigned) { emit(3); });
  emit_in_turns(*cc, 2, [&](unsigned) {});
  EXPECT_EQ(order(), "1 2 ");
}

} // namespace
} // namespace mo
