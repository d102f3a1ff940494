// The machine code of one kernel, at no address yet: what the JIT (jit_link.h) and an object file
// (object_file.h) are both made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/located_text.h"
#include "ir/location.h"
#include "ir/type.h"

namespace mo {

struct MachineCode {
  /// Both want to start at a multiple of this.
  static constexpr size_t kAlignment = 64;

  std::vector<std::byte> text;
  std::vector<std::byte> rodata;

  /// text[offset] to text[offset + 3] shall hold target + addend - their own address.
  struct Relocation {
    size_t offset = 0;
    std::string_view symbol; // a function of the C library; empty: the start of rodata
    int64_t addend = 0;
  };
  std::vector<Relocation> relocations;

  /// What a symbol stands for. Functions do not overlap and are in ascending order.
  struct Part {
    std::string name;
    size_t begin = 0, end = 0; // in text
    bool global = false;       // others may call it
    Loc loc;
  };
  std::vector<Part> parts;
  size_t entry = 0; // where in text CompiledKernel::Entry starts

  /// From here on the code is there for this place in the source.
  struct Line {
    size_t offset = 0;
    Loc loc;
  };
  std::vector<Line> lines; // ascending

  /// The code of a loop's body in one of its forms: the unrolled vectors, what is left of them, the
  /// elements at the end. A line of the source has code in each of them, and a debugger that is
  /// told of the forms stops in all.
  struct LoopBody {
    size_t begin = 0, end = 0;
    unsigned lanes = 1;   // elements that one vector holds
    unsigned vectors = 1; // one behind the other
  };
  std::vector<LoopBody> loop_bodies; // apart or nested, the outer one first; each in one part

  /// While the code from begin to end runs, a vector register holds a value of the source.
  struct Value {
    uint32_t number = 0; // the same for the copies of a value in unrolled code and tails
    std::string name;    // without the %
    ElementType type = ElementType::F32;
    unsigned lanes = 1; // so many of that type, from the register's low end on
    uint8_t reg = 0;    // of xmm0, ymm0, zmm0
    size_t begin = 0, end = 0;
  };
  std::vector<Value> values; // by begin; where asked for

  /// How to find the caller's registers: what the code has done once it reaches `offset`. Every
  /// part starts with a push of rbp and `mov rbp, rsp`.
  struct FrameStep {
    enum class Kind : uint8_t {
      Pushed,        // `reg`
      FramePointer,  // rbp holds the address of its saved value from now on
      AboutToReturn, // rsp points to the return address again
    };
    size_t offset = 0;
    Kind kind = Kind::Pushed;
    uint8_t reg = 0; // as the processor numbers it: rbx is 3, rbp 5, r12 12
  };
  std::vector<FrameStep> frame_steps; // ascending

  std::string assembly;                            // the same for GNU as, where asked for
  std::vector<LocatedText::Place> assembly_places; // what its lines are there for
};

} // namespace mo
