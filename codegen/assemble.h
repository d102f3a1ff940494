// From emitted instructions to bytes.
#pragma once

#include <string>

#include "codegen/kernel_compiler.h"
#include "codegen/machine_code.h"

namespace mo {

/// Keeps the first error of any call into asmjit. It returns normally, so nothing unwinds through
/// asmjit's frames; the calls that follow have nothing to work on and end soon.
class FirstError final : public asmjit::ErrorHandler {
public:
  void handleError(asmjit::Error error, const char* message, asmjit::BaseEmitter*) override;
  void check(asmjit::Error error);
  bool any() const { return !text_.empty(); }
  const std::string& text() const { return text_; }

private:
  std::string text_;
};

/// Allocates registers for what has been emitted into `cc`, encodes it and collects everything that
/// MachineCode holds; its assembly where cc has comments. `number` goes into the labels of the
/// assembly, so that several kernels go into one text. Calls to functions of the C library, which
/// emitters make by address, become relocations. What fails is reported to `errors`, the error
/// handler of cc's code, and the result means nothing then.
MachineCode assemble(KernelCompiler& cc, FirstError& errors, unsigned number = 0);

} // namespace mo
