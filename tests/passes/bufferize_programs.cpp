#include "tests/passes/bufferize_programs.h"

#include <stdexcept>

#include <fmt/format.h>

#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"

namespace mo::testing {

std::string double_it(const std::string& result, const std::string& input, const std::string& init,
                      const std::string& map, bool accumulate) {
  return fmt::format(
      R"({} = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> ({})>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}} ins({} : tensor<4x4xf32>) outs({} : tensor<4x4xf32>) {{
^bb0(%in: f32, %out: f32):
  %y = arith.addf %in, {} : f32
  linalg.yield %y : f32
}} -> tensor<4x4xf32>
)",
      result, map, input, init, accumulate ? "%out" : "%in");
}

std::string add_to(const std::string& result, const std::string& input, const std::string& init) {
  return double_it(result, input, init, "d0, d1", true);
}

std::string empty(const std::string& result) {
  return result + " = tensor.empty() : tensor<4x4xf32>\n";
}

std::string view(const std::string& result, const std::string& memref, const std::string& flags) {
  return fmt::format("{} = bufferization.to_tensor {} {} : memref<4x4xf32> to tensor<4x4xf32>\n",
                     result, memref, flags);
}

std::string materialize(const std::string& source, const std::string& memref,
                        const std::string& flags) {
  return fmt::format("bufferization.materialize_in_destination {} in {} {} : (tensor<4x4xf32>, "
                     "memref<4x4xf32>) -> ()\n",
                     source, flags, memref);
}

Function function_of(const std::string& text) {
  const SourceFile source{"test.tir", text};
  Diagnostics diagnostics;
  std::optional<Module> module = parse_and_verify(source, diagnostics);
  if (!module)
    throw std::runtime_error(render(diagnostics, source, false));
  return std::move(module->functions.at(0));
}

std::string bufferized(const std::string& text, BufferizeMode mode) {
  Function function = function_of(text);
  Observer nobody;
  bufferize(function, mode, nobody);
  Diagnostics diagnostics;
  verify(function, Level::Buffer, diagnostics);
  if (diagnostics.has_errors())
    return render(diagnostics, {"printed.tir", ""}, false) + print(function);
  return print(function);
}

std::vector<Remark> remarks_of(const std::string& text, BufferizeMode mode) {
  Function function = function_of(text);
  CountingObserver observer;
  bufferize(function, mode, observer);
  return observer.remarks;
}

std::vector<std::string> reasons_of(const std::string& text, BufferizeMode mode) {
  std::vector<std::string> reasons;
  for (const Remark& remark : remarks_of(text, mode)) {
    const std::string_view kind = remark.kind == Remark::Kind::Passed   ? "passed"
                                  : remark.kind == Remark::Kind::Missed ? "missed"
                                                                        : "analysis";
    reasons.push_back(fmt::format("{} {}", kind, remark.reason));
  }
  return reasons;
}

bool CountingObserver::may_rewrite(const Rewrite& r, const Function&) {
  asked.push_back(r.what);
  return asked.size() <= limit_;
}

void CountingObserver::rewrote(const Rewrite& r, const Function&) {
  done.push_back(r.what);
}

} // namespace mo::testing
