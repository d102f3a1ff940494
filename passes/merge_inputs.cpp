#include "passes/merge_inputs.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace mo {

// FNV-1a over 64-bit words.
size_t InputIndex::Hash::operator()(const Key& key) const {
  uint64_t hash = 0xcbf29ce484222325;
  auto mix = [&](uint64_t word) { hash = (hash ^ word) * 0x100000001b3; };
  mix(key.value.index);
  for (unsigned row = 0; row < key.map.num_results(); ++row) {
    for (unsigned d = 0; d < key.map.num_dims(); ++d)
      mix(static_cast<uint64_t>(key.map.coefficient(row, d)));
    mix(static_cast<uint64_t>(key.map.constant(row)));
  }
  return hash ^ (hash >> 32);
}

ValueId InputIndex::find_or_add(ValueId value, const AffineMap& map, ValueId arg) {
  return args_.try_emplace(Key{value, map}, arg).first->second;
}

void find_duplicates(const GenericOp& op, unsigned begin, unsigned end, InputIndex& index,
                     std::vector<DuplicateInput>& duplicates) {
  for (unsigned k = begin; k < end; ++k) {
    ValueId arg = op.body.args[k];
    ValueId other = index.find_or_add(op.inputs[k], op.maps[k], arg);
    if (other == arg)
      continue;
    auto at = static_cast<unsigned>(std::find(op.body.args.begin(), op.body.args.end(), other) -
                                    op.body.args.begin());
    duplicates.push_back({std::min(at, k), std::max(at, k), other, arg});
  }
}

void merge_inputs(GenericOp& op, const std::vector<DuplicateInput>& duplicates, size_t first_inst) {
  if (duplicates.empty())
    return;
  std::unordered_map<uint32_t, ValueId> replacement;
  std::vector<bool> drop(op.inputs.size(), false);
  size_t first_drop = op.inputs.size();
  for (const DuplicateInput& d : duplicates) {
    op.body.args[d.kept] = d.kept_arg;
    replacement[d.dropped_arg.index] = d.kept_arg;
    drop[d.dropped] = true;
    first_drop = std::min<size_t>(first_drop, d.dropped);
  }

  auto replace = [&](ValueId& v) {
    if (auto found = replacement.find(v.index); found != replacement.end())
      v = found->second;
  };
  for (size_t i = first_inst; i < op.body.insts.size(); ++i)
    for (ValueId& operand : op.body.insts[i].operands)
      replace(operand);
  for (ValueId& yield : op.body.yields)
    replace(yield);

  size_t to = first_drop;
  for (size_t k = first_drop; k < op.inputs.size(); ++k)
    if (!drop[k]) {
      op.inputs[to] = op.inputs[k];
      op.body.args[to] = op.body.args[k];
      if (to != k)
        op.maps[to] = std::move(op.maps[k]);
      ++to;
    }
  op.body.args.erase(op.body.args.begin() + to, op.body.args.begin() + op.inputs.size());
  op.maps.erase(op.maps.begin() + to, op.maps.begin() + op.inputs.size());
  op.inputs.resize(to);
}

std::string describe_duplicates(const Function& function, const Uses& uses, OpId op,
                                const std::vector<DuplicateInput>& duplicates) {
  const GenericOp& generic = *function.op(op).as<GenericOp>();
  std::string text = display_name(function, op) + " reads ";
  const char* separator = "";
  for (const DuplicateInput& d : duplicates) {
    text += fmt::format("{}{} through {} as operands {} and {}", separator,
                        display_name(function, uses, generic.inputs[d.kept]),
                        to_string(generic.maps[d.kept]), d.kept, d.dropped);
    separator = "; ";
  }
  return text;
}

} // namespace mo
