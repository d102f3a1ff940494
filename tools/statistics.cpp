#include "tools/statistics.h"

#include <fmt/format.h>

#include "tools/files.h"

namespace mo {
namespace {

Counts count_all(const Module& module) {
  Counts sum;
  for (const Function& function : module.functions) {
    const Counts c = count(function);
    sum.generics += c.generics;
    sum.fills += c.fills;
    sum.empties += c.empties;
    sum.allocs += c.allocs;
    sum.copies += c.copies;
  }
  return sum;
}

std::string change(const Counts& a, const Counts& b) {
  return fmt::format("generics={}->{} fills={}->{} empties={}->{} allocs={}->{} copies={}->{}",
                     a.generics, b.generics, a.fills, b.fills, a.empties, b.empties, a.allocs,
                     b.allocs, a.copies, b.copies);
}

unsigned sum(const std::map<std::string_view, unsigned>& tally) {
  unsigned total = 0;
  for (const auto& [reason, n] : tally)
    total += n;
  return total;
}

void line(std::string_view of, std::string_view text) {
  say(fmt::format("stats {:<16} {}\n", of, text));
}

// "missed: transposed-read=1 other-use=2"; nothing where there is nothing.
void tally_line(std::string_view of, std::string_view what,
                const std::map<std::string_view, unsigned>& tally) {
  std::string text;
  for (const auto& [reason, n] : tally)
    text += fmt::format(" {}={}", reason, n);
  if (!text.empty())
    line(of, fmt::format("{}:{}", what, text));
}

} // namespace

std::optional<FileError> Statistics::begin(const Module& input) {
  input_ = count_all(input);
  return std::nullopt;
}

void Statistics::pass_begins(const PassRun&, const Module& module) {
  before_ = count_all(module);
  pass_ = {};
}

void Statistics::pass_ends(const PassRun& run, const Module& module) {
  const std::string name = fmt::format("{} {}", run.number, run.pass);
  line(name, change(before_, count_all(module)));
  line(name, fmt::format("rewrites={} left-out={} passed={} missed={} analysis={}", pass_.rewrites,
                         pass_.asked - pass_.rewrites, sum(pass_.passed), sum(pass_.missed),
                         sum(pass_.analysis)));
  tally_line(name, "rewrites", pass_.rewrites_by_reason);
  tally_line(name, "passed", pass_.passed);
  tally_line(name, "missed", pass_.missed);
  tally_line(name, "analysis", pass_.analysis);
  num_asked_ += pass_.asked;
  num_rewrites_ += pass_.rewrites;
}

std::optional<FileError> Statistics::end(const Module& output) {
  line("total", change(input_, count_all(output)));
  line("total", fmt::format("rewrites={} left-out={}", num_rewrites_, num_asked_ - num_rewrites_));
  return std::nullopt;
}

void Statistics::remark(const Remark& r) {
  switch (r.kind) {
  case Remark::Kind::Passed: ++pass_.passed[r.reason]; break;
  case Remark::Kind::Missed: ++pass_.missed[r.reason]; break;
  case Remark::Kind::Analysis: ++pass_.analysis[r.reason]; break;
  }
}

bool Statistics::may_rewrite(const Rewrite&, const Function&) {
  ++pass_.asked;
  return true;
}

void Statistics::rewrote(const Rewrite& r, const Function&) {
  ++pass_.rewrites;
  ++pass_.rewrites_by_reason[r.because->reason];
}

} // namespace mo
