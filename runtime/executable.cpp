#include "runtime/executable.h"

#include <utility>

#include <fmt/format.h>

#include "codegen/object_file.h"
#include "runtime/arguments.h"
#include "runtime/debugger.h"

namespace mo {

namespace {

// False, and an error in `diagnostics`, where perf's file takes no more.
bool announce(const MachineCode& code, CompiledKernel& kernel, const CodeAudience& audience,
              Diagnostics& diagnostics) {
  const std::byte* address = kernel.pages.data();
  if (audience.perf) {
    std::vector<MachineCode::Part> parts = code.parts;
    parts.insert(parts.end(), kernel.jumps.begin(), kernel.jumps.end());
    if (const auto error = audience.perf->add(address, parts)) {
      diagnostics.error(DiagId::CodegenFailed, {}, *error);
      return false;
    }
  }
  if (audience.debugger)
    register_with_debugger(
        std::move(kernel.pages),
        debug_image(code, kernel.jumps, *audience.debugger, reinterpret_cast<uintptr_t>(address)));
  return true;
}

} // namespace

std::optional<Executable> Executable::compile(const Function& function,
                                              const CompileOptions& options,
                                              Diagnostics& diagnostics,
                                              const CodeAudience& audience) {
  return compile(function, build_loops(function, options), options.isa, diagnostics, audience);
}

std::optional<Executable> Executable::compile(const Function& function, const Kernel& loops,
                                              Isa isa, Diagnostics& diagnostics,
                                              const CodeAudience& audience) {
  CodeForm form;
  form.values = audience.debugger.has_value();
  const std::optional<MachineCode> code = assemble(loops, isa, form, diagnostics);
  if (!code)
    return std::nullopt;
  std::optional<CompiledKernel> kernel = load(loops, *code, diagnostics);
  if (!kernel || !announce(*code, *kernel, audience, diagnostics))
    return std::nullopt;
  Executable executable;
  executable.arg_types_ = argument_types(function);
  for (const Buffer& buffer : loops.buffers)
    executable.buffer_names_.push_back(
        fmt::format("%{}: {} bytes", buffer.name, buffer.elements * byte_size(buffer.element)));
  executable.kernel_ = std::move(*kernel);
  return executable;
}

std::optional<RunError> Executable::run(std::vector<RuntimeValue>& args) const {
  if (auto error = check_arguments(arg_types_, args))
    return error;
  const std::vector<void*> addresses = entry_arguments(args);
  const uint64_t failed = kernel_.entry(addresses.data());
  if (failed != 0)
    return RunError{"no memory for " + buffer_names_[failed - 1]};
  return std::nullopt;
}

std::vector<void*> entry_arguments(std::vector<RuntimeValue>& args) {
  std::vector<void*> addresses;
  for (RuntimeValue& arg : args) {
    if (auto* scalar = std::get_if<Scalar>(&arg))
      addresses.push_back(&scalar->bits); // little-endian: the first bytes are the value
    else
      addresses.push_back(std::get<Array>(arg).data());
  }
  return addresses;
}

} // namespace mo
