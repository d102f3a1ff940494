// Many kernels through one object file: linked into a shared library, loaded, called from C.
#pragma once

#include <string>
#include <vector>

#include "codegen/compile.h"
#include "tests/codegen/evaluate_loops.h"
#include "tests/support/process.h"

namespace mo::testing {

class ObjectBatch {
public:
  ObjectBatch() = default;
  ~ObjectBatch();
  ObjectBatch(const ObjectBatch&) = delete;
  ObjectBatch& operator=(const ObjectBatch&) = delete;

  /// Returns what the kernel is called in the following, or what is wrong with it in `complaint`.
  size_t add(Kernel kernel, Isa isa, std::string& complaint);

  /// Writes the object and the assembly, and links the object. Empty, or what went wrong.
  std::string build();
  std::string object_path() const { return directory_ / "batch.o"; }
  /// Assembles the text and compares every byte of code and constants, and every place that the
  /// linker fills in. Empty if they are the same, else what is not.
  std::string difference_from_the_assembler() const;

  /// Loads the library, and calls the function. As jit_mismatch.
  std::string mismatch(size_t number, const LoopArguments& arguments, size_t misalign = 0,
                       bool spread = false);
  /// The function itself, once the library is loaded; null where it is not to be had.
  void* function(size_t number);

private:
  TemporaryDirectory directory_;
  std::vector<Kernel> kernels_;
  std::vector<Isa> isas_;
  std::vector<MachineCode> codes_;
  void* library_ = nullptr;
};

} // namespace mo::testing
