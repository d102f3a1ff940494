// asmjit's compiler, and what belongs to machine code besides instructions: constants, the names of
// its functions, and what each instruction is there for.
#pragma once

#include <asmjit/x86.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ir/location.h"
#include "ir/type.h"

namespace mo {

/// What is to be known of the code besides its bytes.
struct CodeNotes {
  bool comments = false; // what KernelCompiler::mark is told stands beside the instructions
  bool values = false;   // MachineCode::values
};

/// What emitters emit into; assemble.h makes MachineCode of it. Constants go into .rodata, where
/// equal ones are stored once.
class KernelCompiler final : public asmjit::x86::Compiler {
public:
  explicit KernelCompiler(asmjit::CodeHolder* code, CodeNotes notes = {})
      : asmjit::x86::Compiler(code), wanted_(notes) {}

  /// `bits` in every 8 bytes of `bytes` (4, 8, 16, 32 or 64), aligned to as many. A wider constant
  /// of the same bits serves narrower ones too.
  asmjit::x86::Mem splat_constant(uint64_t bits, uint32_t bytes);
  /// These bytes, aligned to their number: 4, 8, 16, 32 or 64.
  asmjit::x86::Mem constant(std::span<const std::byte> bytes);
  /// Any number of words of `word` bytes, aligned to a cache line.
  asmjit::Label table(std::vector<std::byte> bytes, unsigned word);

  /// Until the matching end_held_constants, held_constant loads up to `registers` constants once,
  /// at this place, into registers of `bytes`: ahead of a loop that uses them in every iteration.
  void begin_held_constants(unsigned registers, uint32_t bytes);
  void end_held_constants();
  /// A register that holds `bits` in every 8 bytes, not to be written to; or splat_constant, where
  /// none is left.
  asmjit::Operand held_constant(uint64_t bits, uint32_t bytes);
  /// A register that holds just these bytes, as many as begin_held_constants was told; or constant.
  asmjit::Operand held_constant(std::span<const std::byte> bytes);

  struct Constant {
    asmjit::Label label;
    size_t alignment;
    unsigned word; // bytes of the numbers that it is made of
    std::vector<std::byte> bytes;
  };
  /// All constants in the order in which they stand in .rodata: the widest first, so that few need
  /// padding.
  std::vector<Constant> constants() const;

  /// The code that follows, up to the next mark or part, is there for `loc`.
  void mark(Loc loc, std::string what = "");
  struct Mark {
    Loc loc;
    std::string what; // "%y = arith.addf %x, %b"
  };
  bool comments() const { return wanted_.comments; }
  /// The mark that a node of the instruction stream is, if it is one.
  const Mark* mark_at(const asmjit::BaseNode& node) const;

  /// The code that follows, up to the matching end, is a form of a loop's body
  /// (MachineCode::LoopBody).
  void begin_loop_body(unsigned lanes, unsigned vectors = 1);
  void end_loop_body();
  struct LoopBodyEdge {
    bool begins;
    unsigned lanes, vectors; // where it begins
  };
  const LoopBodyEdge* loop_body_edge_at(const asmjit::BaseNode& node) const;

  /// Here `reg` holds `lanes` elements of a value of the source, as whatever made it left it.
  struct ValueName {
    uint32_t reg = 0;    // its id before registers are allocated
    uint32_t number = 0; // of the value: Reg::index
    std::string name;
    ElementType type = ElementType::F32;
    unsigned lanes = 1;
  };
  void name_value(ValueName value);
  bool keeps_values() const { return wanted_.values; }
  const ValueName* value_name_at(const asmjit::BaseNode& node) const;

  /// The code from `label` on, which is a function's, has a name. Parts stand in the order of these
  /// calls.
  struct PartName {
    asmjit::Label label;
    std::string name;
    bool global;
    Loc loc;
  };
  void name_part(PartName part);
  const std::vector<PartName>& parts() const { return parts_; }

private:
  using Note = std::variant<Mark, LoopBodyEdge, ValueName>;
  void add_note(Note note);
  const Note* note_at(const asmjit::BaseNode& node) const;
  asmjit::x86::Vec load_ahead(const asmjit::x86::Mem& constant);

  struct Held {
    asmjit::BaseNode* load_after = nullptr; // in the list of instructions
    unsigned registers_left = 0;
    uint32_t bytes = 0;
    std::map<uint64_t, asmjit::x86::Vec> registers; // bits -> where they are
    std::map<uint32_t, asmjit::x86::Vec> patterns;  // id of a constant's label -> where it is
  };

  Held held_;
  std::vector<Constant> constants_;
  std::map<uint64_t, size_t> splats_;                 // bits -> index into constants_
  std::map<std::vector<std::byte>, size_t> patterns_; // bytes -> index into constants_
  CodeNotes wanted_;
  std::vector<Note> notes_; // in the order of their making
  std::vector<PartName> parts_;
};

} // namespace mo
