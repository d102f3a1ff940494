#include "tools/trace/recorder.h"

#include <utility>

namespace mo {

void TraceRecorder::begin(const Module& input) {
  for (size_t k = 0; k < input.functions.size(); ++k)
    functions_[input.functions[k].name].index = k;
  look_at_all(input, trace_.input);
  trace_.output = trace_.input;
}

void TraceRecorder::pass_begins(const PassRun& run, const Module& module) {
  trace_.passes.push_back({std::string(run.pass), {}, {}, {}, 0, 0});
  heard_.clear();
  unseen_.clear();
  size_t ops = 0;
  for (const Function& function : module.functions)
    ops += function.ops.size();
  looks_ = ops <= limits_.ops_by_decision;
  look_at_all(module, pass().before);
}

void TraceRecorder::remark(const Remark& remark) {
  add_step(remark);
}

// The decision behind a rewrite and the rewrite are one step, whichever is heard first.
void TraceRecorder::rewrote(const Rewrite& rewrite, const Function& after) {
  ++pass().rewrites;
  look_at(after, Share::Rewrites);
  TraceStep* step = add_step(*rewrite.because);
  if (!step)
    return;
  step->is_rewrite = true;
  step->what = rewrite.what;
  const Followed& function = functions_[after.name];
  if (function.changed_in == trace_.passes.size()) {
    step->before = function.before;
    step->after = function.now;
  } else {
    unseen_.push_back(static_cast<size_t>(step - pass().steps.data()));
  }
}

// Null where there is no room.
TraceStep* TraceRecorder::add_step(const Remark& remark) {
  std::vector<TraceStep>& steps = pass().steps;
  const auto [heard, is_new] = heard_.try_emplace(key_of(remark), steps.size());
  if (!is_new)
    return heard->second < steps.size() ? &steps[heard->second] : nullptr;
  if (steps_ == limits_.steps) {
    heard->second = SIZE_MAX;
    ++pass().steps_left_out;
    return nullptr;
  }
  ++steps_;
  TraceStep& step = steps.emplace_back();
  step.remark = remark;
  step.function = functions_[remark.function].index;
  return &step;
}

void TraceRecorder::pass_ends(const PassRun&, const Module& module) {
  look_at_all(module, pass().after);
  for (const size_t index : unseen_) { // announced one by one, done in one go
    TraceStep& step = pass().steps[index];
    step.before = pass().before[step.function];
    step.after = pass().after[step.function];
  }
}

void TraceRecorder::end(const Module& output) {
  look_at_all(output, trace_.output);
}

TraceRecorder::RemarkKey TraceRecorder::key_of(const Remark& r) {
  return {r.function, r.loc.line, r.loc.col, r.reason, r.message};
}

TextId TraceRecorder::snapshot(const Function& function, Share share) {
  const size_t times = share == Share::Rewrites ? 1 : 2;
  if (printed_bytes_ > times * limits_.printed_bytes || kept_bytes() > times * limits_.kept_bytes)
    return kNotKept;
  const LocatedText text = printer_.print(function);
  printed_bytes_ += text.text.size();
  if (text.text.size() > limits_.kept_bytes / 2)
    return kNotKept;
  LineTable::Text lines = lines_.add(text);
  const Followed& known = functions_[function.name];
  if (known.now != kNotKept && trace_.versions[known.now].lines == lines)
    return known.now;
  listed_bytes_ += sizeof(uint32_t) * lines.size();
  trace_.versions.push_back({known.index, std::move(lines)});
  return trace_.versions.size() - 1;
}

void TraceRecorder::look_at(const Function& function, Share share) {
  const TextId seen = snapshot(function, share);
  Followed& known = functions_[function.name];
  if (seen == known.now && seen != kNotKept)
    return;
  known.before = std::exchange(known.now, seen);
  known.changed_in = trace_.passes.size();
}

void TraceRecorder::look_at_all(const Module& module, std::vector<TextId>& versions) {
  versions.clear();
  for (const Function& function : module.functions) {
    look_at(function, Share::Passes);
    versions.push_back(functions_[function.name].now);
  }
}

} // namespace mo
