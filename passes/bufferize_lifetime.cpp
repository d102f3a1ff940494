#include "passes/bufferize_lifetime.h"

#include <utility>

#include "ir/walk.h"

namespace mo {

namespace {

/// As mlir-opt aligns buffers: a cache line, and the widest vector there is.
constexpr int64_t kAlignment = 64;

struct Lifetime {
  OpId first, last; // invalid: never used
};

std::vector<Lifetime> lifetimes(const Function& function, std::span<const ValueId> temps) {
  constexpr uint32_t kNotATemp = UINT32_MAX;
  std::vector<uint32_t> number(function.values.size(), kNotATemp);
  for (uint32_t t = 0; t < temps.size(); ++t)
    number[temps[t].index] = t;
  std::vector<Lifetime> lives(temps.size());
  for (uint32_t i = 0; i < function.ops.size(); ++i)
    for_each_operand(function.ops[i], [&](ValueId v, Role, unsigned) {
      if (number[v.index] == kNotATemp)
        return;
      Lifetime& life = lives[number[v.index]];
      if (!life.first.valid())
        life.first = OpId{i};
      life.last = OpId{i};
    });
  return lives;
}

} // namespace

std::vector<OpId> place_temps(Function& function, std::span<const ValueId> temps) {
  std::vector<std::vector<ValueId>> born(function.ops.size()), dead(function.ops.size());
  const std::vector<Lifetime> lives = lifetimes(function, temps);
  for (size_t t = 0; t < temps.size(); ++t) {
    if (!lives[t].first.valid())
      continue;
    born[lives[t].first.index].push_back(temps[t]);
    dead[lives[t].last.index].push_back(temps[t]);
  }
  std::vector<Op> ops;
  std::vector<OpId> moved_to;
  for (size_t i = 0; i < function.ops.size(); ++i) {
    for (ValueId temp : born[i])
      ops.push_back({function.value(temp).loc, {temp}, AllocOp{kAlignment}});
    moved_to.push_back(OpId{static_cast<uint32_t>(ops.size())});
    ops.push_back(std::move(function.ops[i]));
    const Loc loc = ops.back().loc;
    for (ValueId temp : dead[i])
      ops.push_back({loc, {}, DeallocOp{temp}});
  }
  function.ops = std::move(ops);
  return moved_to;
}

} // namespace mo
