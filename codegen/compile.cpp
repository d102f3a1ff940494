#include "codegen/compile.h"

#include <asmjit/x86.h>
#include <fmt/format.h>

#include "codegen/assemble.h"
#include "codegen/emit_c_function.h"
#include "codegen/emit_context.h"
#include "codegen/emit_kernel.h"
#include "codegen/jit_link.h"
#include "codegen/loop_walk.h"
#include "codegen/vector_ops.h"

namespace mo {
namespace {

// The most that the kernel's state may take of the stack.
constexpr size_t kMaxStateBytes = size_t{1} << 20;

void check_allocations(const Kernel& kernel, Diagnostics& diagnostics) {
  for_each_node(kernel.body, 0, [&](const Node& node, unsigned depth) {
    if (depth > 0 && (node.as<Alloc>() || node.as<Free>()))
      diagnostics.error(DiagId::CodegenFailed,
                        node.as<Alloc>() ? node.as<Alloc>()->loc : node.as<Free>()->loc,
                        "an allocation inside a loop");
  });
}

void check_state(const Kernel& kernel, Diagnostics& diagnostics) {
  const auto bytes = static_cast<size_t>(StateLayout(kernel).state_bytes);
  if (bytes > kMaxStateBytes)
    diagnostics.error(DiagId::CodegenFailed, {},
                      fmt::format("@{} needs {} bytes of stack for its temps and values; {} are "
                                  "the most",
                                  kernel.name, bytes, kMaxStateBytes));
}

// The C function first, where there is one. Returns the entry's label.
asmjit::Label emit(KernelCompiler& cc, const Kernel& kernel, Isa isa, const CodeForm& form) {
  asmjit::FuncNode* entry = cc.newFunc(EntrySignature());
  if (!entry)
    return {}; // cc's error handler has heard of it
  if (form.c_function) {
    const asmjit::Label function = cc.newLabel();
    cc.name_part({function, kernel.name, true, kernel.loc});
    cc.bind(function);
    emit_c_function(cc, kernel, isa, entry->label());
  }
  // Two functions want the kernel's name, or one.
  emit_kernel(cc, kernel, isa, entry, form.c_function ? ".entry" : "");
  return entry->label();
}

void no_code(const Kernel& kernel, std::string_view why, Diagnostics& diagnostics) {
  diagnostics.error(DiagId::CodegenFailed, {},
                    fmt::format("no machine code for @{}: {}", kernel.name, why));
}

} // namespace

std::optional<MachineCode> assemble(const Kernel& kernel, Isa isa, const CodeForm& form,
                                    Diagnostics& diagnostics) {
  const size_t errors_before = diagnostics.count();
  check_allocations(kernel, diagnostics);
  check_state(kernel, diagnostics);
  if (diagnostics.count() > errors_before)
    return std::nullopt;

  FirstError errors;
  asmjit::CodeHolder holder;
  errors.check(holder.init(asmjit::Environment::host()));
  holder.setErrorHandler(&errors);
  KernelCompiler cc(&holder, {form.text, form.values});
  cc.addDiagnosticOptions(asmjit::DiagnosticOptions::kValidateAssembler |
                          asmjit::DiagnosticOptions::kValidateIntermediate);
  const asmjit::Label entry = emit(cc, kernel, isa, form);
  MachineCode code = assemble(cc, errors, form.number);
  if (errors.any()) {
    no_code(kernel, errors.text(), diagnostics);
    return std::nullopt;
  }
  code.entry = holder.labelOffset(entry);
  return code;
}

std::optional<CompiledKernel> load(const Kernel& kernel, const MachineCode& code,
                                   Diagnostics& diagnostics) {
  std::optional<LinkedCode> linked = link_into_pages(code);
  if (!linked) {
    no_code(kernel, "the system has no executable pages to give", diagnostics);
    return std::nullopt;
  }
  CompiledKernel compiled;
  compiled.entry = reinterpret_cast<CompiledKernel::Entry>(linked->pages.data() + code.entry);
  compiled.code_bytes = code.text.size();
  compiled.pages = std::move(linked->pages);
  compiled.jumps = std::move(linked->jumps);
  return compiled;
}

std::optional<CompiledKernel> compile(const Kernel& kernel, Isa isa, Diagnostics& diagnostics) {
  const std::optional<MachineCode> code = assemble(kernel, isa, {}, diagnostics);
  return code ? load(kernel, *code, diagnostics) : std::nullopt;
}

std::optional<CompiledKernel> compile(const Function& function, const CompileOptions& options,
                                      Diagnostics& diagnostics) {
  return compile(build_loops(function, options), options.isa, diagnostics);
}

} // namespace mo
