#include "runtime/executable.h"

#include <utility>

#include <fmt/format.h>

#include "runtime/arguments.h"

namespace mo {

std::optional<Executable> Executable::compile(const Function& function,
                                              const CompileOptions& options,
                                              Diagnostics& diagnostics) {
  const Kernel loops = build_loops(function, options);
  std::optional<CompiledKernel> kernel = mo::compile(loops, options.isa, diagnostics);
  if (!kernel)
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
