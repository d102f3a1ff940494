// Programs for the bufferization tests: pieces of text, and random ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/function.h"
#include "passes/bufferize.h"
#include "passes/observer.h"

namespace mo::testing {

/// "%r = linalg.generic ..." over tensor<4x4xf32>: the input read through `map` ("d0, d1"), the
/// init written through the identity. The body doubles the input, and adds the old element where
/// `accumulate` says so.
std::string double_it(const std::string& result, const std::string& input, const std::string& init,
                      const std::string& map = "d0, d1", bool accumulate = false);
/// result = init + input, element by element.
std::string add_to(const std::string& result, const std::string& input, const std::string& init);
/// "%e = tensor.empty() : tensor<4x4xf32>"
std::string empty(const std::string& result);
/// bufferization.to_tensor of a memref<4x4xf32>.
std::string view(const std::string& result, const std::string& memref,
                 const std::string& flags = "restrict");
/// materialize_in_destination into a memref<4x4xf32>.
std::string materialize(const std::string& source, const std::string& memref,
                        const std::string& flags = "restrict writable");

/// The one function of the text, verified; throws what is wrong with it.
Function function_of(const std::string& text);
/// Bufferized, verified and printed without the map aliases.
std::string bufferized(const std::string& text, BufferizeMode mode);
/// "passed in-place", ... in the order they come.
std::vector<std::string> reasons_of(const std::string& text, BufferizeMode mode);
std::vector<Remark> remarks_of(const std::string& text, BufferizeMode mode);

/// Keeps count of what it is asked, and says no to what `refuse` names.
class CountingObserver final : public Observer {
public:
  explicit CountingObserver(unsigned limit = UINT32_MAX) : limit_(limit) {}
  bool may_rewrite(const Rewrite& r, const Function&) override;
  void rewrote(const Rewrite& r, const Function& after) override;
  void remark(const Remark& r) override { remarks.push_back(r); }

  std::vector<std::string> asked, done; // Rewrite::what
  std::vector<Remark> remarks;

private:
  unsigned limit_;
};

struct RandomOptions {
  /// Only what mlir-opt and mini-opt treat alike under --bufferize.
  bool as_mlir = false;
};
/// Straight-line programs over tensor<4x4xf32>: shared and separate empties, fills, constants,
/// in-place inits, transposed reads, contractions, partial writes, two results, and several
/// materializes into the same and different memrefs. Contents that are not defined are not read.
/// The same seed makes the same text.
std::string random_buffer_program(uint64_t seed, const std::string& name, RandomOptions options);

} // namespace mo::testing
