#include "ir/value_names.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

namespace mo {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         c == '.' || c == '-';
}
bool is_number(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_digit);
}

/// The name as MLIR can spell it: all digits, or no digit in front.
std::string spellable(std::string_view name) {
  std::string out(name);
  for (char& c : out)
    if (!is_name_char(c))
      c = '_';
  if (!out.empty() && is_digit(out[0]) && !is_number(out))
    out.insert(0, "_");
  return out;
}

class Namer {
public:
  explicit Namer(const Function& function) : function_(function), names_(function.values.size()) {}

  std::vector<std::string> run() {
    collect_wanted();
    for (size_t i = 0; i < function_.args.size(); ++i)
      define(function_.args[i].value, fmt::format("arg{}", i));
    for (const Op& op : function_.ops)
      name_op(op);
    return std::move(names_);
  }

private:
  const std::string& hint(ValueId v) const { return function_.value(v).name; }

  void collect_wanted() {
    const auto want = [&](ValueId v) {
      if (!hint(v).empty())
        wanted_.insert(spellable(hint(v)));
    };
    for (const Argument& argument : function_.args)
      want(argument.value);
    for (const Op& op : function_.ops) {
      for (const ValueId v : op.results)
        want(v);
      if (const auto* generic = op.as<GenericOp>()) {
        for (const ValueId v : generic->body.args)
          want(v);
        for (const ScalarInst& inst : generic->body.insts)
          want(inst.result);
      }
    }
  }

  // The names of the results are visible behind the op only: its body may use them for itself.
  void name_op(const Op& op) {
    std::vector<std::string> result_names;
    for (size_t i = 0; i < op.results.size();) {
      size_t end = i + 1; // of the results that share a name
      while (end < op.results.size() && hint(op.results[end]) == hint(op.results[i]))
        ++end;
      std::string name = choose(hint(op.results[i]), "");
      for (size_t k = i; k < end; ++k)
        names_[op.results[k].index] = end - i == 1 ? name : fmt::format("{}#{}", name, k - i);
      taken_.insert(name); // %a, %b = ... have to differ
      result_names.push_back(std::move(name));
      i = end;
    }
    if (const auto* generic = op.as<GenericOp>()) {
      for (const std::string& name : result_names)
        taken_.erase(name);
      name_body(*generic);
      taken_.insert(result_names.begin(), result_names.end());
    }
  }

  // A scope of its own: what it takes is free again behind it.
  void name_body(const GenericOp& generic) {
    const uint64_t number = next_number_;
    in_body_ = true;
    for (size_t i = 0; i < generic.body.args.size(); ++i)
      define(generic.body.args[i], i < generic.inputs.size() ? "in" : "out");
    for (const ScalarInst& inst : generic.body.insts)
      define(inst.result, "");
    in_body_ = false;
    for (const std::string& name : body_names_)
      taken_.erase(name);
    body_names_.clear();
    for (auto& [base, suffix] : body_suffixes_)
      next_suffix_[base] = suffix;
    body_suffixes_ = {}; // clear() would walk the buckets of the largest body so far
    next_number_ = number;
  }

  void define(ValueId value, std::string_view default_name) {
    std::string name = choose(hint(value), default_name);
    taken_.insert(name);
    if (in_body_)
      body_names_.push_back(name);
    names_[value.index] = std::move(name);
  }

  std::string choose(const std::string& wish, std::string_view default_name) {
    if (!wish.empty()) {
      std::string name = spellable(wish);
      if (!taken_.contains(name))
        return name;
      return is_number(name) ? number() : suffixed(name);
    }
    if (default_name.empty())
      return number();
    std::string name(default_name);
    return is_free(name) ? name : suffixed(name);
  }

  // Free for a value that did not ask for it: a later value that does shall have it.
  bool is_free(const std::string& name) const {
    return !taken_.contains(name) && !wanted_.contains(name);
  }

  std::string number() {
    std::string name;
    do
      name = std::to_string(next_number_++);
    while (!is_free(name));
    return name;
  }

  std::string suffixed(const std::string& base) {
    uint64_t& suffix = next_suffix_[base];
    if (in_body_)
      body_suffixes_.try_emplace(base, suffix);
    std::string name;
    do
      name = fmt::format("{}_{}", base, suffix++);
    while (!is_free(name));
    return name;
  }

  const Function& function_;
  std::vector<std::string> names_;
  std::unordered_set<std::string> wanted_; // by some value of the function
  std::unordered_set<std::string> taken_;  // visible at the place that is named now
  std::unordered_map<std::string, uint64_t> next_suffix_;
  uint64_t next_number_ = 0;
  // Of the body that is named now: what it took, and the suffixes as they were in front of it.
  bool in_body_ = false;
  std::vector<std::string> body_names_;
  std::unordered_map<std::string, uint64_t> body_suffixes_;
};

} // namespace

std::vector<std::string> value_names(const Function& function) {
  return Namer(function).run();
}

} // namespace mo
