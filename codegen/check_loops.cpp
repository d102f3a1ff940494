#include "codegen/check_loops.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/dependence.h"
#include "codegen/loop_walk.h"

namespace mo {
namespace {

class Checker {
public:
  explicit Checker(const Kernel& kernel)
      : kernel_(kernel), defined_(kernel.regs.size()), visible_(kernel.regs.size()),
        allocated_(kernel.buffers.size()), uses_(kernel.regs.size()),
        definition_(kernel.regs.size()) {}

  std::vector<std::string> run() {
    for (size_t b = 0; b < kernel_.buffers.size(); ++b)
      allocated_[b] = kernel_.buffers[b].kind != Buffer::Kind::Temp;
    note_definitions();
    for (const ScalarParam& scalar : kernel_.scalars)
      define(scalar.reg);
    block(kernel_.body);
    return std::move(violations_);
  }

private:
  /// What gives a register its value, where it is a computation or what a loop carried.
  struct Definition {
    const Compute* compute = nullptr;
    const Carried* carried = nullptr;
  };

  template <class... Args> void violation(fmt::format_string<Args...> format, Args&&... args) {
    violations_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  /// Ahead of the checks, so that each of them is one look-up and the whole is linear.
  void note_definitions() {
    const auto note = [&](Reg dst, const Definition& definition) {
      if (dst.index < definition_.size())
        definition_[dst.index] = definition;
    };
    for_each_node(kernel_.body, 0, [&](const Node& node, unsigned) {
      if (const Compute* compute = node.as<Compute>())
        note(compute->dst, {compute, nullptr});
      else if (const Loop* loop = node.as<Loop>())
        for (const Carried& carried : loop->carried)
          note(carried.result, {nullptr, &carried});
    });
  }

  bool exists(Reg reg) {
    if (reg.index < kernel_.regs.size())
      return true;
    violation("register {} where the kernel has {}", reg.index, kernel_.regs.size());
    return false;
  }
  std::string name(Reg reg) const {
    return fmt::format("%{} (register {})", kernel_.regs[reg.index].name, reg.index);
  }
  ElementType type(Reg reg) const { return kernel_.regs[reg.index].type; }

  void define(Reg reg) {
    if (!exists(reg))
      return;
    if (defined_[reg.index])
      violation("{} is defined twice", name(reg));
    defined_[reg.index] = visible_[reg.index] = true;
    scope_.push_back(reg);
  }
  bool use(Reg reg) {
    if (!exists(reg))
      return false;
    if (!visible_[reg.index])
      violation("{} is used where no definition is visible", name(reg));
    ++uses_[reg.index];
    return true;
  }

  void block(const std::vector<Node>& nodes) {
    for (const Node& node : nodes)
      std::visit([this](const auto& step) { check_step(step); }, node.kind);
  }
  /// Ends the visibility of what was defined since `scope_` had this size.
  void leave_scope(size_t size) {
    for (; scope_.size() > size; scope_.pop_back())
      visible_[scope_.back().index] = false;
  }

  void check_step(const Load& load) {
    define(load.dst);
    access(load.from, load.dst);
  }

  void check_step(const Store& store) {
    if (use(store.value))
      access(store.to, store.value);
    if (store.to.buffer < kernel_.buffers.size() &&
        kernel_.buffers[store.to.buffer].kind == Buffer::Kind::Constant)
      violation("store to the constant %{}", kernel_.buffers[store.to.buffer].name);
    if (store.streaming &&
        (loops_.empty() || !loops_.back()->vectorizable || store.to.strides.back() != 1))
      violation("streaming store of {} outside of a vectorizable loop of unit stride",
                name(store.value));
  }

  void check_step(const Prefetch& prefetch) {
    if (prefetch.from.strides.size() != loops_.size())
      violation("prefetch with {} strides in {} loops", prefetch.from.strides.size(),
                loops_.size());
  }

  void check_step(const Alloc& alloc) { set_allocated(alloc.buffer, true, "alloc"); }
  void check_step(const Free& free) { set_allocated(free.buffer, false, "free"); }
  void set_allocated(uint32_t b, bool now, std::string_view what) {
    if (b >= kernel_.buffers.size() || kernel_.buffers[b].kind != Buffer::Kind::Temp) {
      violation("{} of buffer {}, which is no temp", what, b);
      return;
    }
    if (!loops_.empty())
      violation("{} of %{} in a loop", what, kernel_.buffers[b].name);
    if (allocated_[b] == now)
      violation("{} of %{}, which is {}allocated", what, kernel_.buffers[b].name,
                now ? "" : "not ");
    allocated_[b] = now;
  }

  void check_step(const Compute& compute) {
    bool sound = true;
    for (Reg operand : operands_of(compute))
      sound = use(operand) && sound;
    define(compute.dst);
    if (!sound || !exists(compute.dst))
      return;
    if (compute.op == ScalarOp::LoopIndex && compute.immediate >= loops_.size())
      violation("index of loop {} where {} loops stand around it", compute.immediate,
                loops_.size());
    check_types(compute);
  }

  void check_types(const Compute& compute) {
    const ElementType to = type(compute.dst);
    const TypeRule rule = info(compute.op).rule;
    const std::span<const Reg> operands = operands_of(compute);
    bool agree = true;
    switch (rule) {
    case TypeRule::Constant: break;
    case TypeRule::LoopIndex: agree = to == ElementType::Index; break;
    case TypeRule::CompareFloat:
    case TypeRule::CompareInt:
      agree = to == ElementType::I1 && type(operands[0]) == type(operands[1]) &&
              is_float(type(operands[0])) == (rule == TypeRule::CompareFloat);
      break;
    case TypeRule::Select:
      agree = type(operands[0]) == ElementType::I1 && type(operands[1]) == to &&
              type(operands[2]) == to;
      break;
    default:
      agree = std::ranges::all_of(operands, [&](Reg r) { return types_agree(rule, type(r), to); });
    }
    if (!agree)
      violation("{} gives {} ({}) from operands that do not fit", info(compute.op).spelling,
                name(compute.dst), spelling(to));
  }

  void check_step(const Loop& loop) {
    if (loop.extent < 0)
      violation("loop {} of extent {}", loop.name, loop.extent);
    if (loop.vectorizable && contains_loop(loop.body))
      violation("loop {} is vectorizable and holds loops", loop.name);
    for (const Carried& carried : loop.carried)
      use(carried.init);
    const size_t scope = scope_.size();
    for (const Carried& carried : loop.carried)
      define(carried.current);
    loops_.push_back(&loop);
    block(loop.body);
    loops_.pop_back();
    for (const Carried& carried : loop.carried)
      use(carried.next);
    leave_scope(scope);
    for (const Carried& carried : loop.carried) {
      define(carried.result);
      check_carried(loop, carried);
    }
  }

  void check_carried(const Loop& loop, const Carried& carried) {
    for (Reg reg : {carried.init, carried.current, carried.next, carried.result})
      if (!exists(reg))
        return;
    for (Reg reg : {carried.init, carried.next, carried.result})
      if (type(reg) != type(carried.current))
        violation("loop {} carries {} as {} and as {}", loop.name, name(carried.current),
                  spelling(type(carried.current)), spelling(type(reg)));
    if (loop.vectorizable && !carried.combine)
      violation("loop {} is vectorizable and carries {} in order", loop.name,
                name(carried.current));
    if (carried.combine && !combines(carried))
      violation("loop {} does not carry {} by {} alone", loop.name, name(carried.current),
                info(*carried.combine).spelling);
  }

  /// Is `next` combine(current, x), or what an inner loop leaves that combines on from `current`;
  /// and is that the only use of `current`, and carrying on the only use of `next`?
  /// Asked right after the loop, so that all uses so far are in it; one of `next` is the carrying.
  bool combines(const Carried& carried) const {
    if (!order_free(*carried.combine) || uses_[carried.current.index] != 1 ||
        uses_[carried.next.index] != 1)
      return false;
    const Definition& next = definition_[carried.next.index];
    if (next.compute)
      return next.compute->op == *carried.combine &&
             (next.compute->operands[0] == carried.current ||
              next.compute->operands[1] == carried.current);
    return next.carried && next.carried->combine == carried.combine &&
           next.carried->init == carried.current;
  }

  void access(const Access& access, Reg element) {
    if (access.buffer >= kernel_.buffers.size()) {
      violation("buffer {} where the kernel has {}", access.buffer, kernel_.buffers.size());
      return;
    }
    const Buffer& buffer = kernel_.buffers[access.buffer];
    if (!allocated_[access.buffer])
      violation("%{} is used where it is not allocated", buffer.name);
    if (exists(element) && type(element) != buffer.element)
      violation("{} ({}) meets an element of %{} ({})", name(element), spelling(type(element)),
                buffer.name, spelling(buffer.element));
    if (access.strides.size() != loops_.size())
      violation("access to %{} with {} strides in {} loops", buffer.name, access.strides.size(),
                loops_.size());
    else
      check_bounds(access, buffer);
  }

  void check_bounds(const Access& access, const Buffer& buffer) {
    __int128 first = access.offset, last = access.offset;
    for (size_t d = 0; d < loops_.size(); ++d) {
      if (loops_[d]->extent == 0)
        return; // does not run
      if (loops_[d]->extent == 1)
        continue; // the counter is 0, the stride may be anything
      const __int128 walk = static_cast<__int128>(access.strides[d]) * (loops_[d]->extent - 1);
      (walk < 0 ? first : last) += walk;
    }
    if (first < 0 || last >= buffer.elements)
      violation("access to %{} from {} to {} where it has {} elements", buffer.name,
                static_cast<int64_t>(first), static_cast<int64_t>(last), buffer.elements);
  }

  const Kernel& kernel_;
  std::vector<bool> defined_, visible_; // by Reg::index
  std::vector<bool> allocated_;         // by buffer
  std::vector<uint32_t> uses_;          // so far, by Reg::index
  std::vector<Definition> definition_;  // by Reg::index
  std::vector<Reg> scope_;              // what is visible, in the order of definition
  std::vector<const Loop*> loops_;      // around the current place
  std::vector<std::string> violations_;
};

} // namespace

std::vector<std::string> check(const Kernel& kernel) {
  return Checker(kernel).run();
}

} // namespace mo
