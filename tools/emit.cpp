// Printing: the IR, the loops, the code, and what makes a kernel usable elsewhere.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "codegen/c_header.h"
#include "codegen/c_names.h"
#include "codegen/compile.h"
#include "codegen/object_file.h"
#include "ir/print.h"
#include "runtime/environment.h"
#include "tools/driver.h"
#include "tools/files.h"

namespace mo {
namespace {

// The functions to emit: the one that --entry names, or all. Says what is wrong otherwise.
std::variant<std::vector<const Function*>, std::string> chosen_functions(const Session& session) {
  std::vector<const Function*> functions;
  if (!session.options.entry.empty()) {
    const auto entry = entry_index(session.module, session.options.entry);
    if (const auto* error = std::get_if<std::string>(&entry))
      return *error;
    functions.push_back(&session.module.functions[std::get<size_t>(entry)]);
  } else {
    for (const Function& function : session.module.functions)
      functions.push_back(&function);
  }
  for (const Function* function : functions)
    if (level_of(*function) == Level::Tensor)
      return fmt::format("@{} works on tensors, and {} are made of buffers; add --bufferize or "
                         "--elim",
                         function->name,
                         session.options.emit() == EmitKind::Loops ? "loops" : "instructions");
  return functions;
}

std::string same_c_name(const std::vector<const Function*>& functions) {
  std::map<std::string, const Function*> by_name;
  for (const Function* function : functions) {
    const auto [it, is_new] = by_name.try_emplace(c_function_name(function->name), function);
    if (!is_new)
      return fmt::format("@{} and @{} would both be called {} in C", it->second->name,
                         function->name, it->first);
  }
  return "";
}

// One function on its way to code.
struct Compiled {
  const Function& function;
  Kernel kernel;
  MachineCode code;
};

Compiled lowered(const Function& function, const CompileOptions& options) {
  Compiled c{function, build_loops(function, options), {}};
  c.kernel.name = c_function_name(function.name);
  return c;
}

// Fills in the code; false where there is none, for the reasons in `diagnostics`.
bool add_code(std::vector<Compiled>& all, EmitKind kind, Isa isa, Diagnostics& diagnostics) {
  for (unsigned i = 0; i < all.size(); ++i) {
    CodeForm form;
    form.c_function = true;
    form.text = kind == EmitKind::Asm;
    form.values = kind == EmitKind::Obj;
    form.number = i;
    std::optional<MachineCode> code = assemble(all[i].kernel, isa, form, diagnostics);
    if (!code)
      return false;
    all[i].code = std::move(*code);
  }
  return true;
}

std::string assembly_of(const Compiled& c, Isa isa) {
  return fmt::format("# {}: {} bytes of code for {}\n{}", c_prototype(c.function, c.kernel),
                     c.code.text.size(), spelling(isa), c.code.assembly);
}

std::string object_of(std::vector<Compiled> all, const Session& session) {
  std::vector<MachineCode> kernels;
  for (Compiled& c : all)
    kernels.push_back(std::move(c.code));
  std::error_code no_directory;
  const std::string directory = std::filesystem::current_path(no_directory).string();
  const std::vector<std::byte> bytes = object_file(kernels, {session.source.name, directory});
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string code_of(std::vector<Compiled> all, const Session& session, Isa isa) {
  if (session.options.emit() == EmitKind::Obj)
    return object_of(std::move(all), session);
  std::string text;
  std::vector<std::string> declarations;
  for (const Compiled& c : all) {
    text += (text.empty() ? "" : "\n") + assembly_of(c, isa);
    declarations.push_back(c_declaration(c.function, c.kernel));
  }
  return session.options.emit() == EmitKind::Asm ? text
                                                 : c_header(declarations, isa, session.source.name);
}

int write(Session& session, std::string_view text) {
  const Timing::Step step(session.timing, "write");
  if (const auto error = write_text(session.options.output, text))
    return complain(error->message);
  return 0;
}

int emit_loops(Session& session, const std::vector<const Function*>& functions,
               const CompileOptions& options) {
  std::string text;
  {
    const Timing::Step step(session.timing, "lowering");
    for (const Function* function : functions)
      text += (text.empty() ? "" : "\n") + print(build_loops(*function, options));
  }
  return write(session, text);
}

int emit_code(Session& session) {
  const Options& o = session.options;
  const auto isa = chosen_isa(o, /*will_run=*/false);
  if (const auto* error = std::get_if<std::string>(&isa))
    return complain(*error);
  const auto chosen = chosen_functions(session);
  if (const auto* error = std::get_if<std::string>(&chosen))
    return complain(*error);
  const auto& functions = std::get<std::vector<const Function*>>(chosen);
  const CompileOptions options{std::get<Isa>(isa), o.nt_stores(), o.share_loops(),
                               last_level_cache_bytes()};
  if (o.emit() == EmitKind::Loops)
    return emit_loops(session, functions, options);
  if (const std::string error = same_c_name(functions); !error.empty())
    return complain(error);
  std::vector<Compiled> all;
  {
    const Timing::Step step(session.timing, "lowering");
    for (const Function* function : functions)
      all.push_back(lowered(*function, options));
  }
  {
    Diagnostics diagnostics;
    const Timing::Step step(session.timing, "code generation");
    if (!add_code(all, o.emit(), options.isa, diagnostics))
      return complain(diagnostics, session.source);
  }
  return write(session, code_of(std::move(all), session, options.isa));
}

} // namespace

int emit(Session& session) {
  const Options& o = session.options;
  if (o.emit() == EmitKind::Obj && o.output.empty() && isatty(STDOUT_FILENO) == 1)
    return complain("--emit=obj writes an object file, and this is a terminal; add -o FILE");
  if (o.emit() != EmitKind::Ir)
    return emit_code(session);
  std::string text;
  {
    const Timing::Step step(session.timing, "print");
    text = print(session.module);
  }
  return write(session, text);
}

} // namespace mo
