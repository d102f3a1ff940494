// Walking a function: operands, definitions, uses, loop extents.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ir/function.h"

namespace mo {

/// How an op uses a value.
enum class Role : uint8_t {
  Input,   // read: generic input, fill's value, scalar operand, returned value, materialize's or
           // copy's source
  Init,    // written (perhaps read first): generic or fill init, materialize's dest, copy's target
  Capture, // a scalar named inside a body but defined outside it
  Source,  // the memref under a to_tensor; the memref of a dealloc
};

/// Calls f once per use, in textual order. Captures come last, once per mention. Generic operand k:
/// inputs first, then inits (the number used for maps).
void for_each_operand(const Op& op, const std::function<void(ValueId, Role, unsigned k)>& f);

/// Who defines a value of the function level.
struct Definition {
  enum class Kind : uint8_t { None, Argument, Result, InBody } kind = Kind::None;
  OpId op;             // Result: the op; InBody: the generic
  unsigned number = 0; // Argument: which argument; Result: which result
};

/// Definitions and uses of every value, computed in one pass over the function.
struct DefUse {
  explicit DefUse(const Function& function);
  struct Use {
    OpId op;
    Role role;
    unsigned operand; // k of for_each_operand
  };
  std::vector<Definition> definitions; // by ValueId::index
  std::vector<std::vector<Use>> uses;  // by ValueId::index, in program order
  const Definition& def(ValueId v) const { return definitions[v.index]; }
  const std::vector<Use>& uses_of(ValueId v) const { return uses[v.index]; }
};

/// The extent of every loop of a generic, from the first operand whose map names the loop as a
/// plain dim; nothing for a loop that no operand determines (the verifier refuses those). This is
/// the one place that knows loop extents: where extents become dynamic, it changes here.
std::vector<std::optional<int64_t>> inferred_extents(const Function& function, const GenericOp& op);
/// The same for verified IR.
std::vector<int64_t> loop_extents(const Function& function, const GenericOp& op);

/// Does the body read the element of init j (its block argument) at all?
bool body_reads_init(const GenericOp& op, unsigned init);
bool all_parallel(const GenericOp& op);

/// "linalg.generic", "memref.alloc", "arith.addf", ...
std::string_view spelling(const Op& op);

} // namespace mo
