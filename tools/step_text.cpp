#include "tools/step_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/print.h"
#include "passes/remarks.h"
#include "tools/line_diff.h"

namespace mo {
namespace {

constexpr std::string_view kBold = "\033[1m", kPlain = "\033[0m";

/// What a person counts in a function. Tensors: those that generics and fills compute.
struct Amounts {
  unsigned generics = 0, tensors = 0, allocs = 0, copies = 0;
  double tensor_bytes = 0, alloc_bytes = 0, copy_bytes = 0; // a sum of sizes may not fit in 64 bits
};

Amounts amounts_of(const Function& function) {
  Amounts sum;
  for (const Op& op : function.ops) {
    sum.generics += op.is<GenericOp>();
    if (op.is<GenericOp>() || op.is<FillOp>())
      for (ValueId result : op.results) {
        ++sum.tensors;
        sum.tensor_bytes += static_cast<double>(byte_count(function.type(result)));
      }
    if (op.is<AllocOp>()) {
      ++sum.allocs;
      sum.alloc_bytes += static_cast<double>(byte_count(function.type(op.results[0])));
    }
    if (const auto* copy = op.as<CopyOp>()) {
      ++sum.copies;
      sum.copy_bytes += static_cast<double>(byte_count(function.type(copy->source)));
    }
  }
  return sum;
}

std::string bytes(double n) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t unit = 0;
  for (; n >= 1024 && unit + 1 < std::size(kUnits); ++unit)
    n /= 1024;
  return fmt::format("{:.{}f} {}", n, n == static_cast<double>(static_cast<int64_t>(n)) ? 0 : 1,
                     kUnits[unit]);
}

std::string place_of(const Remark& remark, const SourceFile& source) {
  return remark.loc == Loc{}
             ? source.name
             : fmt::format("{}:{}:{}", source.name, remark.loc.line, remark.loc.col);
}

std::string bold(std::string_view text, bool color) {
  return color ? fmt::format("{}{}{}", kBold, text, kPlain) : std::string(text);
}

} // namespace

std::string show_function(const Function& function) {
  Module module;
  module.functions.push_back(function);
  return print(module);
}

std::string describe_effect(const Function& before, const Function& after) {
  const Amounts was = amounts_of(before), is = amounts_of(after);
  std::string text;
  const auto add = [&](std::string_view what, unsigned old_count, unsigned new_count) {
    if (old_count == new_count)
      return false;
    text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", what, old_count, new_count);
    return true;
  };
  const auto add_with_bytes = [&](std::string_view what, unsigned old_count, unsigned new_count,
                                  double old_bytes, double new_bytes) {
    if (add(what, old_count, new_count))
      text += fmt::format(" ({} -> {})", bytes(old_bytes), bytes(new_bytes));
  };
  add("generics", was.generics, is.generics);
  add_with_bytes("tensors", was.tensors, is.tensors, was.tensor_bytes, is.tensor_bytes);
  add_with_bytes("allocs", was.allocs, is.allocs, was.alloc_bytes, is.alloc_bytes);
  add_with_bytes("copies", was.copies, is.copies, was.copy_bytes, is.copy_bytes);
  if (!text.empty())
    return text;
  return fmt::format("none of the counts changes: generics {}, allocs {}, copies {}", is.generics,
                     is.allocs, is.copies);
}

std::string describe_question(const StepQuestion& q, size_t number, const StepStyle& style) {
  std::string text =
      "\n" +
      bold(fmt::format("step {}: pass {} of {}, {}, in @{}", number, q.pass_number,
                       style.num_passes, q.pass, q.function),
           style.color) +
      fmt::format("\n  rewrite  {}\n  place    {}\n  reason   [{}] {}\n  effect   {}\n", q.what,
                  place_of(q.because, style.source), q.because.reason, q.because.message,
                  describe_effect(q.before, q.after));
  return text + unified_diff(show_function(q.before), show_function(q.after),
                             {"before", "after", 3, style.color});
}

std::string describe_end(const EndedPass& pass, size_t number, const StepStyle& style) {
  constexpr size_t kMostListed = 20;
  std::string text = fmt::format("\npass {} of {}, {}, is over{}\n", number, style.num_passes,
                                 pass.pass, pass.missed.empty() ? "" : "; it says");
  for (size_t i = 0; i < std::min(pass.missed.size(), kMostListed); ++i) {
    const Remark& r = pass.missed[i];
    text += fmt::format("  {}: {} [{}] {}\n", place_of(r, style.source), spelling(r.kind), r.reason,
                        r.message);
  }
  if (pass.missed.size() > kMostListed)
    text += fmt::format("  ... and {} more; --remarks shows them all\n",
                        pass.missed.size() - kMostListed);
  return text;
}

std::string describe_arrival(const Function& on_buffers) {
  const Amounts is = amounts_of(on_buffers);
  return fmt::format(
      "\ntensors have become buffers, each result one of its own: generics {}, allocs "
      "{} ({}), copies {} ({}); from the last op to the first, each step lets a "
      "result share memory\n",
      is.generics, is.allocs, bytes(is.alloc_bytes), is.copies, bytes(is.copy_bytes));
}

std::string describe_reason(const StepQuestion& q, const StepStyle& style) {
  std::string text = render(q.because, style.source, style.color);
  if (!q.because.grounds.empty())
    text += "it is legal because\n";
  for (size_t i = 0; i < q.because.grounds.size(); ++i)
    text += fmt::format("  {}. {}\n", i + 1, q.because.grounds[i]);
  if (!q.because.facts.empty())
    text += "the facts\n";
  for (const Fact& fact : q.because.facts) {
    text += fmt::format("  {:<12} {}", fact.key, fact.value);
    if (fact.loc != Loc{})
      text += fmt::format("  ({}:{}:{})", style.source.name, fact.loc.line, fact.loc.col);
    text += "\n";
  }
  return text;
}

std::string step_help() {
  return "  a  apply   do this rewrite\n"
         "  s  skip    leave it out, and go on\n"
         "  n  next    do this and all others of the pass; stop in the next one\n"
         "  f  finish  do this and all others, and ask no more\n"
         "  b  back    take the last answer back\n"
         "  w  why     the conditions that hold, and the facts\n"
         "  i  ir      the function as it is before this rewrite\n"
         "  q  quit    stop; nothing is printed or run\n"
         "  ?  help    this\n";
}

} // namespace mo
