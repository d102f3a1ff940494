#include "tools/flag_values.h"

#include <algorithm>
#include <charconv>

#include "ir/edit_distance.h"

namespace mo {
namespace {

constexpr PassKind kAllPasses[] = {PassKind::Fuse, PassKind::FuseMlir, PassKind::Canonicalize,
                                   PassKind::Bufferize, PassKind::Elim};

std::string unknown_pass(std::string_view flag, std::string_view name) {
  constexpr size_t kLongest = 64; // what is longer than this is no misspelt pass
  std::string all;
  std::string_view nearest;
  size_t best = name.size() > kLongest ? 0 : std::max<size_t>(3, name.size() / 2);
  for (PassKind pass : kAllPasses) {
    all += (all.empty() ? "" : ", ") + std::string(spelling(pass));
    if (const size_t d = edit_distance(name.substr(0, kLongest), spelling(pass)); d < best) {
      best = d;
      nearest = spelling(pass);
    }
  }
  return nearest.empty()
             ? fmt::format("{}: there is no pass '{}'; there are {}", flag, name, all)
             : fmt::format("{}: there is no pass '{}'; did you mean {}?", flag, name, nearest);
}

std::string add_passes(DumpRequest& request, std::string_view flag, std::string_view list) {
  for (bool more = true; more;) {
    const size_t comma = list.find(',');
    const std::string_view name = list.substr(0, comma);
    more = comma != std::string_view::npos;
    list.remove_prefix(more ? comma + 1 : list.size());
    const auto pass = std::find_if(std::begin(kAllPasses), std::end(kAllPasses),
                                   [&](PassKind p) { return spelling(p) == name; });
    if (pass == std::end(kAllPasses))
      return unknown_pass(flag, name);
    request.passes.push_back(*pass);
  }
  return "";
}

} // namespace

std::string wrong_value(std::string_view flag, std::string_view value, std::string_view allowed) {
  return fmt::format("{} does not take '{}'; it takes {}", flag, value, allowed);
}

std::string set_once(std::string& slot, std::string_view flag, std::string_view value) {
  if (value.empty())
    return fmt::format("{} needs a value", flag);
  if (!slot.empty() && slot != value)
    return fmt::format("{} is given twice: '{}' and '{}'", flag, slot, value);
  slot = value;
  return "";
}

std::string apply_print_ir_before(Options& o, std::string_view value) {
  return add_passes(o.print_before, "--print-ir-before", value);
}

std::string apply_print_ir_after(Options& o, std::string_view value) {
  return add_passes(o.print_after, "--print-ir-after", value);
}

std::string apply_print_changed(Options& o, std::string_view value) {
  if (!value.empty() && value != "diff")
    return wrong_value("--print-changed", value, "'diff' or no value");
  // A modifier of the plain flag: with both, the diff is what was meant.
  if (!value.empty() || !o.print_changed)
    o.print_changed = value.empty() ? ChangeForm::Whole : ChangeForm::Diff;
  return "";
}

std::string apply_bisect_limit(Options& o, std::string_view value) {
  int64_t n = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (error != std::errc() || end != value.data() + value.size() || n < -1)
    return wrong_value("--opt-bisect-limit", value, "a number of rewrites, or -1 for all");
  if (o.bisect_limit && *o.bisect_limit != n)
    return fmt::format("--opt-bisect-limit is given twice: '{}' and '{}'", *o.bisect_limit, n);
  o.bisect_limit = n;
  return "";
}

} // namespace mo
