// Printing: the IR, the loops, the code.
#include <fmt/format.h>

#include "codegen/assembly_text.h"
#include "codegen/compile.h"
#include "ir/print.h"
#include "runtime/environment.h"
#include "tools/driver.h"
#include "tools/files.h"

namespace mo {
namespace {

struct Text {
  std::string text;
  int status = 0;
};

// Of one function. Loops and code are made of buffers; a function that still has tensors says so.
Text code_of(Session& session, unsigned number, Isa isa) {
  const Function& function = session.module.functions[number];
  const Options& o = session.options;
  if (level_of(function) == Level::Tensor)
    return {"", complain(fmt::format(
                    "@{} works on tensors, and {} are made of buffers; add --bufferize "
                    "or --elim",
                    function.name, o.emit() == EmitKind::Loops ? "loops" : "instructions"))};
  const CompileOptions compile_options{isa, o.nt_stores(), o.share_loops(),
                                       last_level_cache_bytes()};
  if (o.emit() == EmitKind::Loops)
    return {print(build_loops(function, compile_options))};
  Diagnostics diagnostics;
  const auto code = compile(function, compile_options, diagnostics, /*with_assembly=*/true);
  if (!code)
    return {"", complain(diagnostics, session.source)};
  return {fmt::format("# @{}, {}, {} bytes\n{}", function.name, spelling(isa), code->code_bytes,
                      gnu_assembly(code->assembly, function.name, number))};
}

} // namespace

int emit(Session& session) {
  const Options& o = session.options;
  std::string text;
  if (o.emit() == EmitKind::Ir) {
    const Timing::Step step(session.timing, "print");
    text = print(session.module);
  } else {
    const auto isa = chosen_isa(o, /*will_run=*/false);
    if (const auto* error = std::get_if<std::string>(&isa))
      return complain(*error);
    size_t first = 0, last = session.module.functions.size();
    if (!o.entry.empty()) {
      const auto entry = entry_index(session.module, o.entry);
      if (const auto* error = std::get_if<std::string>(&entry))
        return complain(*error);
      first = std::get<size_t>(entry);
      last = first + 1;
    }
    const Timing::Step step(session.timing, "code generation");
    for (size_t k = first; k < last; ++k) {
      Text part = code_of(session, static_cast<unsigned>(k), std::get<Isa>(isa));
      if (part.status != 0)
        return part.status;
      text += (k > first ? "\n" : "") + part.text;
    }
  }
  if (const auto error = write_text(o.output, text))
    return complain(error->message);
  return 0;
}

} // namespace mo
