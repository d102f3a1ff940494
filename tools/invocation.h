// One call of a function: the arguments that go in, the arrays that come out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/function.h"
#include "runtime/array.h"
#include "runtime/interpret.h"

namespace mo {

enum class ArgumentDefaults : uint8_t {
  None,   // every argument needs its text
  Random, // without any text: random:1, random:2, ... for arrays; 1.5, 3 or true for scalars
};

/// One value per argument, from the texts of --arg in order; {bufferize.result} arguments take no
/// text and start as zeros.
std::variant<std::vector<RuntimeValue>, RunError>
make_arguments(const Function& function, const std::vector<std::string>& texts,
               ArgumentDefaults defaults);

/// An array that a call left behind.
struct NamedArray {
  std::string label;   // "result0", ... for results, "arg0", ... for memref arguments
  std::string name;    // as in the IR: "%out"; empty for a result without one
  bool written = true; // by the function, as far as its text says
  Array array;
};

/// The results (those that `returned` holds, then {bufferize.result} arguments), then the memref
/// arguments in order.
std::vector<NamedArray> take_outputs(const Function& function, std::vector<Array> returned,
                                     std::vector<RuntimeValue> args);

/// "result0", or "arg1 %out" where it has a name.
std::string title(const NamedArray& output);
/// "arg1 %y tensor<4xf32>: [1, 2, 3, 4] min 1 max 4"; NaNs are counted and left out of min and
/// max.
std::string summary(const NamedArray& output);

} // namespace mo
