#include "tools/trace/code.h"

#include <fmt/format.h>

#include <utility>

#include "codegen/c_names.h"
#include "tools/driver.h"

namespace mo {
namespace {

// The first lines of a text, as many as are shown.
LineTable::Text add_some(LineTable& lines, LocatedText text, size_t most, size_t& all) {
  size_t end = 0;
  for (all = 0; end < text.text.size(); ++all) {
    const size_t next = std::min(text.text.find('\n', end), text.text.size() - 1) + 1;
    if (all == most)
      break;
    end = next;
  }
  for (size_t rest = end; rest < text.text.size(); ++all)
    rest = std::min(text.text.find('\n', rest), text.text.size() - 1) + 1;
  text.text.resize(end);
  return lines.add(text);
}

} // namespace

std::string name_of(const std::vector<PassKind>& passes) {
  std::string name;
  for (const PassKind pass : passes)
    name += fmt::format("{}{}", name.empty() ? "" : "+", spelling(pass));
  return name.empty() ? "as written" : name;
}

TraceCode code_of(const Function& function, const CompileOptions& options, LineTable& lines,
                  const TraceLimits& limits) {
  TraceCode code;
  if (level_of(function) == Level::Tensor) {
    code.why_none = fmt::format("@{} still works on tensors. Loops and instructions are made of "
                                "buffers: add --bufferize or --elim.",
                                function.name);
    return code;
  }
  Kernel kernel = build_loops(function, options);
  code.loops = add_some(lines, print_located(kernel), limits.code_lines, code.loop_lines);
  kernel.name = c_function_name(function.name);
  CodeForm form;
  form.c_function = form.text = true;
  Diagnostics diagnostics;
  std::optional<MachineCode> made = assemble(kernel, options.isa, form, diagnostics);
  if (!made) {
    code.why_none = diagnostics.all().front().message;
    return code;
  }
  LocatedText assembly{std::move(made->assembly), std::move(made->assembly_places), {}};
  code.assembly = add_some(lines, std::move(assembly), limits.code_lines, code.assembly_lines);
  return code;
}

TraceVariant variant_of(const Function& function, const CompileOptions& options) {
  TraceVariant variant;
  const Function buffers = on_buffers(function);
  const Kernel loops = build_loops(buffers, options);
  variant.counts = count(buffers);
  for (const int64_t bytes : allocated_bytes(loops))
    variant.allocated_bytes += bytes;
  for (const Walk& walk : walks_of(loops)) {
    const Buffer& buffer = loops.buffers[walk.buffer];
    variant.walks.push_back(
        {"%" + buffer.name, buffer.elements * int64_t{byte_size(buffer.element)}, walk});
  }
  return variant;
}

std::vector<TraceVariant> variants_of(const Function& parsed, const Function& traced,
                                      const std::vector<PassKind>& passes,
                                      const CompileOptions& options, const TraceLimits& limits) {
  std::vector<TraceVariant> variants;
  bool is_traced_among = false;
  const bool has_corners =
      level_of(parsed) == Level::Tensor && parsed.ops.size() <= limits.ops_of_other_variants;
  for (const VariantSpec& spec : ablation_specs()) {
    if (!spec.in_table || !has_corners)
      continue;
    const bool is_traced = spec.passes == passes;
    is_traced_among |= is_traced;
    Module module;
    module.functions.push_back(parsed);
    Observers nobody;
    Diagnostics diagnostics;
    if (!is_traced && !run_pipeline(module, spec.passes, nobody, diagnostics))
      continue; // a bug of ours, which the pipeline that is asked for says
    variants.push_back(variant_of(is_traced ? traced : module.functions[0], options));
    variants.back().name = spec.name;
    variants.back().is_traced = is_traced;
  }
  if (!is_traced_among) {
    variants.push_back(variant_of(traced, options));
    variants.back().name = name_of(passes);
    variants.back().is_traced = true;
  }
  return variants;
}

} // namespace mo
