#include "codegen/emit_vector_loop.h"

#include <algorithm>
#include <vector>

#include "codegen/emit_reduction.h"
#include "codegen/interleave.h"
#include "codegen/loop_walk.h"

namespace mo {

namespace x86 = asmjit::x86;

namespace {

class VectorLoop {
public:
  VectorLoop(EmitContext& context, const Loop& loop, const VectorPlan& plan, Addresses& addresses,
             std::vector<x86::Gp>& counters, Values& outside)
      : context_(context), cc_(context.cc), loop_(loop), plan_(plan), addresses_(addresses),
        counters_(counters), outside_(outside), full_(cc_, context.isa, plan.lanes),
        broadcasts_(context.layout), counter_(cc_.newInt64("i")) {}

  void emit() {
    broadcast_outer_values();
    Accumulators accumulators(context_, plan_, full_);
    accumulators_ = &accumulators;
    cc_.xor_(counter_.r32(), counter_.r32());
    addresses_.enter_loop(loop_, depth(), &counter_);
    counters_.push_back(counter_);
    // What is left is for the constants inside the ops.
    cc_.begin_held_constants(max_constants_in_registers(context_.isa) - constants_in_registers_,
                             vector_bytes(context_.isa));
    if (plan_.streams)
      emit_streaming();
    else
      emit_ordinary();
    cc_.end_held_constants();
    counters_.pop_back();
    addresses_.leave_loop();
    accumulators.finish(full_, outside_);
  }

private:
  // The code that follows belongs to the loop itself.
  void mark() { cc_.mark(loop_.loc, "loop " + loop_.name); }

  unsigned depth() const { return static_cast<unsigned>(counters_.size()); } // before the loop
  int64_t step(unsigned vectors) const { return int64_t{vectors} * plan_.lanes; }

  void broadcast_outer_values() {
    VectorOps one(cc_, context_.isa, 1);
    for (const Node& node : loop_.body)
      for_each_use(node, [&](Reg reg) {
        ElementType type = context_.type_of(reg);
        if (broadcasts_.has(reg)) {
          return;
        } else if (context_.layout.constants[reg.index]) {
          if (constants_in_registers_ < max_constants_in_registers(context_.isa)) {
            ++constants_in_registers_;
            broadcasts_.set(reg, full_.constant(*context_.layout.constants[reg.index], type));
          }
        } else if (outside_.has(reg)) {
          broadcasts_.set(reg, full_.broadcast(outside_.get(reg, one, type)));
        }
      });
  }

  // Every count is known now.
  void emit_ordinary() {
    int64_t left = loop_.extent;
    if (left >= step(plan_.unroll)) {
      emit_vectors(plan_.unroll, false, false);
      left %= step(plan_.unroll);
    }
    if (left >= step(1)) {
      emit_vectors(1, false, false);
      left %= step(1);
    }
    if (left > 0)
      emit_tail(static_cast<unsigned>(left));
  }

  // Counts depend on the addresses.
  void emit_streaming() {
    asmjit::Label ordinary = cc_.newLabel(), rest = cc_.newLabel();
    x86::Gp head = elements_before_alignment(ordinary);
    emit_some(head);
    emit_vectors(plan_.unroll, true, true);
    if (plan_.unroll > 1)
      emit_vectors(1, true, true);
    cc_.jmp(rest);
    cc_.bind(ordinary);
    emit_vectors(plan_.unroll, false, true);
    cc_.bind(rest);
    if (plan_.unroll > 1)
      emit_vectors(1, false, true);
    x86::Gp left = cc_.newInt64("left");
    cc_.mov(left, loop_.extent);
    cc_.sub(left, counter_);
    emit_some(left);
  }

  // How many elements come before the one whose address is a multiple of the vector's bytes, the
  // same for all streaming stores; jumps to `otherwise` where there is no such number.
  x86::Gp elements_before_alignment(const asmjit::Label& otherwise) {
    x86::Gp common;
    for (const Node& node : loop_.body) {
      const Store* store = node.as<Store>();
      if (!store || !streams(*store))
        continue;
      int32_t size = static_cast<int32_t>(byte_size(context_.type_of(store->value)));
      int32_t vector = size * static_cast<int32_t>(plan_.lanes);
      x86::Gp bytes = cc_.newInt64("head");
      cc_.lea(bytes, addresses_.address(store->to));
      cc_.neg(bytes);
      cc_.and_(bytes, vector - 1);
      cc_.test(bytes, size - 1);
      cc_.jnz(otherwise);
      cc_.shr(bytes, size == 8 ? 3 : 2);
      if (common.isValid()) {
        cc_.cmp(common, bytes);
        cc_.jne(otherwise);
      } else {
        common = bytes;
      }
    }
    return common;
  }

  bool streams(const Store& store) const {
    return store.streaming && Addresses::stride_at(store.to, depth() - 1) == 1 &&
           can_stream(plan_.lanes, context_.type_of(store.value));
  }

  // As many steps of `vectors` vectors as fit into what is left. Without `check` at least one does.
  void emit_vectors(unsigned vectors, bool streaming, bool check) {
    int64_t last = loop_.extent - step(vectors); // the last iteration at which a step may start
    if (last < 0)
      return;
    asmjit::Label top = cc_.newLabel(), done = cc_.newLabel();
    if (check) {
      compare_with(cc_, counter_, last);
      cc_.jg(done);
    }
    cc_.align(asmjit::AlignMode::kCode, 32);
    cc_.bind(top);
    cc_.begin_loop_body(plan_.lanes, vectors);
    const unsigned turns = std::min(vectors, plan_.turns);
    for (unsigned v = 0; v < vectors; v += turns)
      emit_full_vectors(v, turns, streaming);
    cc_.end_loop_body();
    mark();
    advance(step(vectors));
    compare_with(cc_, counter_, last);
    cc_.jle(top);
    cc_.bind(done);
  }

  // Vectors `first` to first + count - 1 of a step, their computations in turns.
  void emit_full_vectors(unsigned first, unsigned count, bool streaming) {
    std::vector<Values> values(count, Values(context_.layout, &broadcasts_));
    std::vector<StepContext> at;
    for (unsigned k = 0; k < count; ++k) {
      accumulators_->bind(first + k, values[k]);
      at.push_back(context_of(full_, values[k]));
      at[k].ahead = step(first + k);
      at[k].streaming = streaming;
    }
    for (const Node& node : loop_.body) {
      const auto emit = [&](unsigned k) { emit_step_or_move(node, at[k]); };
      if (node.as<Compute>())
        emit_in_turns(cc_, count, emit);
      else // memory is best gone through in its order
        for (unsigned k = 0; k < count; ++k)
          emit(k);
    }
    for (unsigned k = 0; k < count; ++k)
      accumulators_->update(first + k, at[k]);
  }

  // Fewer elements than a vector has, `count` >= 0 in a register.
  void emit_some(const x86::Gp& count) {
    if (plan_.masked_ends) {
      asmjit::Label none = cc_.newLabel();
      cc_.test(count, count);
      cc_.jz(none);
      x86::Gp bits = cc_.newInt64("bits");
      cc_.xor_(bits.r32(), bits.r32());
      cc_.bts(bits, count);
      cc_.dec(bits);
      emit_masked_vector(bits);
      cc_.add(counter_, count); // contiguous accesses: there are no pointers to move
      cc_.bind(none);
      return;
    }
    for (unsigned lanes = plan_.lanes / 2; lanes > 0; lanes /= 2) {
      asmjit::Label skip = cc_.newLabel();
      cc_.test(count, lanes);
      cc_.jz(skip);
      emit_narrow_vector(lanes);
      cc_.bind(skip);
    }
  }

  // The same for a number that is known here, 0 < count < lanes: what a loop leaves at its end.
  void emit_tail(unsigned count) {
    // exercise: masked-tail
    if (plan_.masked_ends) {
      x86::Gp bits = cc_.newInt64("bits");
      cc_.mov(bits, (uint64_t{1} << count) - 1);
      emit_masked_vector(bits);
      return;
    }
    for (unsigned lanes = plan_.lanes / 2; lanes > 0; lanes /= 2)
      if (count & lanes)
        emit_narrow_vector(lanes);
    // end of exercise
  }

  void emit_masked_vector(const x86::Gp& bits) {
    x86::KReg mask = cc_.newKw("mask");
    cc_.kmovw(mask, bits.r32());
    Values values(context_.layout, &broadcasts_);
    accumulators_->bind(0, values);
    StepContext at = context_of(full_, values);
    at.mask = mask;
    cc_.begin_loop_body(plan_.lanes);
    for (const Node& node : loop_.body)
      emit_step_or_move(node, at);
    accumulators_->update(0, at);
    cc_.end_loop_body();
    mark();
  }

  void emit_narrow_vector(unsigned lanes) {
    VectorOps narrow_ops(cc_, context_.isa, lanes);
    Values values(context_.layout, &broadcasts_);
    StepContext at = context_of(narrow_ops, values);
    cc_.begin_loop_body(lanes);
    for (const Node& node : loop_.body)
      if (!accumulators_->combines(node))
        emit_step_or_move(node, at);
    accumulators_->fold(at);
    cc_.end_loop_body();
    mark();
    advance(lanes);
  }

  void emit_step_or_move(const Node& node, StepContext& at) {
    const Store* store = node.as<Store>();
    if (const auto move = plan_.moves.find(store); move != plan_.moves.end())
      emit_move(*move->second, *store, at);
    else if (!plan_.left_out.contains(&node))
      emit_step(node, at);
  }

  StepContext context_of(VectorOps& ops, Values& values) {
    return StepContext{context_, ops, addresses_, counters_, values, depth()};
  }

  void advance(int64_t iterations) {
    cc_.add(counter_, iterations);
    addresses_.advance(iterations);
  }

  EmitContext& context_;
  KernelCompiler& cc_;
  const Loop& loop_;
  const VectorPlan& plan_;
  Addresses& addresses_;
  std::vector<x86::Gp>& counters_;
  Values& outside_;
  VectorOps full_;
  Values broadcasts_; // what the loop uses from outside, in every lane
  unsigned constants_in_registers_ = 0;
  x86::Gp counter_; // iterations done
  Accumulators* accumulators_ = nullptr;
};

} // namespace

void emit_vector_loop(EmitContext& context, const Loop& loop, const VectorPlan& plan,
                      Addresses& addresses, std::vector<x86::Gp>& counters, Values& values) {
  VectorLoop(context, loop, plan, addresses, counters, values).emit();
}

void compare_with(x86::Compiler& cc, const x86::Gp& reg, int64_t number) {
  if (number >= INT32_MIN && number <= INT32_MAX) {
    cc.cmp(reg, number);
    return;
  }
  x86::Gp wide = cc.newInt64("limit");
  cc.mov(wide, number);
  cc.cmp(reg, wide);
}

} // namespace mo
