#include "codegen/compile.h"

#include <asmjit/x86.h>
#include <fmt/format.h>

#include <algorithm>

#include "codegen/emit_context.h"
#include "codegen/emit_kernel.h"
#include "codegen/loop_walk.h"
#include "codegen/vector_ops.h"

namespace mo {
namespace {

// The most that the kernel's state may take of the stack.
constexpr size_t kMaxStateBytes = size_t{1} << 20;

// Keeps the first error of any call into asmjit. It returns normally, so nothing unwinds through
// asmjit's frames; the calls that follow have nothing to work on and end soon.
class FirstError final : public asmjit::ErrorHandler {
public:
  void handleError(asmjit::Error error, const char* message, asmjit::BaseEmitter*) override {
    if (text_.empty())
      text_ = fmt::format("{} ({})", message, asmjit::DebugUtils::errorAsString(error));
  }
  void check(asmjit::Error error) {
    if (error != asmjit::kErrorOk)
      handleError(error, "asmjit", nullptr);
  }
  bool any() const { return !text_.empty(); }
  const std::string& text() const { return text_; }

private:
  std::string text_;
};

void check_allocations(const Kernel& kernel, Diagnostics& diagnostics) {
  for_each_node(kernel.body, 0, [&](const Node& node, unsigned depth) {
    if (depth > 0 && (node.as<Alloc>() || node.as<Free>()))
      diagnostics.error(DiagId::CodegenFailed,
                        node.as<Alloc>() ? node.as<Alloc>()->loc : node.as<Free>()->loc,
                        "an allocation inside a loop");
  });
}

// Copies the code to where it will run, its addresses adjusted, and makes it executable.
std::optional<CompiledKernel> put_into_pages(asmjit::CodeHolder& code, FirstError& errors) {
  errors.check(code.flatten());
  errors.check(code.resolveUnresolvedLinks());
  if (errors.any())
    return std::nullopt;
  std::optional<JitPages> pages = JitPages::map(code.codeSize());
  if (!pages) {
    errors.handleError(asmjit::kErrorOutOfMemory, "no pages for the code", nullptr);
    return std::nullopt;
  }
  errors.check(code.relocateToBase(reinterpret_cast<uint64_t>(pages->data())));
  errors.check(code.copyFlattenedData(pages->data(), pages->bytes()));
  if (errors.any())
    return std::nullopt;

  CompiledKernel compiled;
  compiled.code_bytes = code.textSection()->realSize();
  // Constants stand in a section of their own, on pages behind the code; addresses of far calls
  // too.
  size_t executable = pages->bytes();
  for (const asmjit::Section* section : code.sections())
    if (section->hasFlag(asmjit::SectionFlags::kReadOnly) && section != code.textSection())
      executable = std::min<size_t>(executable, section->offset());
  if (!pages->seal(executable)) {
    errors.handleError(asmjit::kErrorFailedToOpenAnonymousMemory,
                       "the system refuses to make pages executable", nullptr);
    return std::nullopt;
  }
  compiled.entry = reinterpret_cast<CompiledKernel::Entry>(pages->data());
  compiled.pages = std::move(*pages);
  return compiled;
}

} // namespace

std::optional<CompiledKernel> compile(const Function& function, const CompileOptions& options,
                                      Diagnostics& diagnostics, bool with_assembly) {
  return compile(build_loops(function, options), options.isa, diagnostics, with_assembly);
}

std::optional<CompiledKernel> compile(const Kernel& kernel, Isa isa, Diagnostics& diagnostics,
                                      bool with_assembly) {
  size_t errors_before = diagnostics.count();
  check_allocations(kernel, diagnostics);
  size_t state_bytes = size_t{8} * StateLayout(kernel).num_slots;
  if (state_bytes > kMaxStateBytes)
    diagnostics.error(
        DiagId::CodegenFailed, {},
        fmt::format("@{} needs {} bytes of stack for its temps and values; {} are the "
                    "most",
                    kernel.name, state_bytes, kMaxStateBytes));
  if (diagnostics.count() > errors_before)
    return std::nullopt;

  FirstError errors;
  asmjit::StringLogger logger;
  asmjit::CodeHolder code;
  errors.check(code.init(asmjit::Environment::host()));
  code.setErrorHandler(&errors);
  if (with_assembly)
    code.setLogger(&logger);
  KernelCompiler cc(&code);
  cc.addDiagnosticOptions(asmjit::DiagnosticOptions::kValidateAssembler |
                          asmjit::DiagnosticOptions::kValidateIntermediate);
  emit_kernel(cc, kernel, isa, with_assembly);
  if (!errors.any())
    errors.check(cc.finalize());
  std::optional<CompiledKernel> compiled;
  if (!errors.any())
    compiled = put_into_pages(code, errors);
  if (!compiled) {
    diagnostics.error(DiagId::CodegenFailed, {},
                      fmt::format("no machine code for @{}: {}", kernel.name, errors.text()));
    return std::nullopt;
  }
  if (with_assembly)
    compiled->assembly.assign(logger.data(), logger.dataSize());
  return compiled;
}

} // namespace mo
