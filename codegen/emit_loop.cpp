#include "codegen/emit_loop.h"

#include <fmt/format.h>

#include "codegen/emit_state.h"
#include "codegen/emit_transpose.h"
#include "codegen/emit_vector_loop.h"
#include "codegen/loop_walk.h"

namespace mo {

namespace x86 = asmjit::x86;

namespace {

class RunEmitter {
public:
  RunEmitter(EmitContext& context, const Node* nodes, size_t count)
      : context_(context), nodes_(nodes), count_(count), one_(context.cc, context.isa, 1),
        addresses_(context, nodes, count) {}

  void emit() {
    Values values(context_.layout);
    context_.cc.mark(location_of(nodes_[0]), "addresses of buffers");
    addresses_.load_bases();
    for (size_t n = 0; n < count_; ++n) {
      for_each_outer_use(nodes_[n], [&](Reg reg) {
        if (!context_.layout.constants[reg.index] && !values.has(reg)) {
          context_.cc.mark(location_of(nodes_[n]),
                           fmt::format("%{}", context_.kernel.regs[reg.index].name));
          values.set(reg, load_from_state(context_, reg));
        }
      });
      emit_node(nodes_[n], values);
      save_results(nodes_[n], values);
    }
  }

private:
  void save_results(const Node& node, const Values& values) {
    auto save = [&](Reg reg) {
      if (!context_.layout.constants[reg.index])
        store_to_state(context_, reg, values.get(reg, one_, context_.type_of(reg)));
    };
    if (const Reg* defined = definition_of(node))
      save(*defined);
    else if (const Loop* loop = node.as<Loop>())
      for (const Carried& carried : loop->carried)
        save(carried.result);
  }

  void emit_node(const Node& node, Values& values) {
    if (const Loop* loop = node.as<Loop>()) {
      emit_loop(*loop, values);
      return;
    }
    StepContext at{context_, one_, addresses_, counters_, values, depth()};
    emit_step(node, at);
  }

  void emit_loop(const Loop& loop, Values& values) {
    mark_loop(loop);
    if (loop.extent == 0) { // the inits, bit for bit
      for (const Carried& carried : loop.carried)
        values.set(carried.result, values.get(carried.init, one_, context_.type_of(carried.init)));
    } else if (auto copy = plan_transposing_copy(context_.kernel, loop, depth(), context_.isa)) {
      context_.cc.begin_loop_body(copy->tile, copy->tile);
      emit_transposing_copy(context_, *copy, addresses_);
      context_.cc.end_loop_body();
    } else if (auto plan = plan_vector_loop(context_.kernel, loop, depth(), context_.isa)) {
      emit_vector_loop(context_, loop, *plan, addresses_, counters_, values);
    } else {
      emit_sequential(loop, values);
    }
  }

  void mark_loop(const Loop& loop) { context_.cc.mark(loop.loc, "loop " + loop.name); }

  // At least one iteration.
  void emit_sequential(const Loop& loop, Values& values) {
    x86::Compiler& cc = context_.cc;
    std::vector<Vec> carried;
    for (const Carried& c : loop.carried) {
      ElementType type = context_.type_of(c.current);
      Vec& current = carried.emplace_back(one_.new_vec(type, "carried"));
      one_.move(current, values.get(c.init, one_, type));
      values.set(c.current, current);
    }
    x86::Gp counter = cc.newInt64("i");
    cc.xor_(counter.r32(), counter.r32());
    addresses_.enter_loop(loop, depth());
    counters_.push_back(counter);
    asmjit::Label top = cc.newLabel();
    cc.bind(top);
    context_.cc.begin_loop_body(1);
    for (const Node& node : loop.body)
      emit_node(node, values);
    context_.cc.end_loop_body();
    mark_loop(loop);
    hand_on(loop, carried, values);
    if (loop.extent > 1) {
      addresses_.advance(1);
      cc.inc(counter);
      compare_with(cc, counter, loop.extent);
      cc.jl(top);
    }
    counters_.pop_back();
    addresses_.leave_loop();
    for (size_t k = 0; k < carried.size(); ++k)
      values.set(loop.carried[k].result, carried[k]);
  }

  // current = next for all at once: a next may be another one's current.
  void hand_on(const Loop& loop, const std::vector<Vec>& carried, const Values& values) {
    std::vector<Vec> next;
    for (const Carried& c : loop.carried) {
      ElementType type = context_.type_of(c.next);
      Vec v = values.get(c.next, one_, type);
      if (carried.size() > 1) {
        Vec copy = one_.new_vec(type, "next");
        one_.move(copy, v);
        v = copy;
      }
      next.push_back(v);
    }
    for (size_t k = 0; k < carried.size(); ++k)
      if (next[k].reg.id() != carried[k].reg.id())
        one_.move(carried[k], next[k]);
  }

  unsigned depth() const { return static_cast<unsigned>(counters_.size()); }

  EmitContext& context_;
  const Node* nodes_;
  size_t count_;
  VectorOps one_;
  Addresses addresses_;
  std::vector<x86::Gp> counters_;
};

} // namespace

void emit_run(EmitContext& context, const Node* nodes, size_t count) {
  RunEmitter(context, nodes, count).emit();
}

} // namespace mo
