#include "codegen/emit_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

#include "codegen/emit_context.h"
#include "codegen/emit_loop.h"
#include "codegen/loop_walk.h"

namespace mo {

namespace x86 = asmjit::x86;

namespace {

constexpr size_t kStepsPerPart = 40;
constexpr uint32_t kFunctionAlignment = 16;

using Block = std::span<const Node>;

// Runs of the outermost block, each small enough for one machine function.
std::vector<Block> cut_into_parts(const Kernel& kernel) {
  std::vector<Block> parts;
  Block all(kernel.body);
  size_t first = 0, steps = 0;
  for (size_t n = 0; n < all.size(); ++n) {
    size_t here = 1;
    if (const Loop* loop = all[n].as<Loop>())
      for_each_node(loop->body, 1, [&](const Node&, unsigned) { ++here; });
    if (n > first && steps + here > kStepsPerPart) {
      parts.push_back(all.subspan(first, n - first));
      first = n;
      steps = 0;
    }
    steps += here;
  }
  parts.push_back(all.subspan(first));
  return parts;
}

bool is_call(const Node& node) {
  return node.as<Alloc>() || node.as<Free>();
}

class KernelEmitter {
public:
  KernelEmitter(KernelCompiler& cc, const Kernel& kernel, Isa isa, const std::string& entry_suffix)
      : cc_(cc), kernel_(kernel), isa_(isa), entry_suffix_(entry_suffix), layout_(kernel) {}

  void emit(asmjit::FuncNode* entry) {
    for (const Buffer& buffer : kernel_.buffers) {
      bool has_data = buffer.kind == Buffer::Kind::Constant && !buffer.splat;
      constant_data_.push_back(has_data ? cc_.table(bytes_of(buffer), byte_size(buffer.element))
                                        : asmjit::Label());
    }
    std::vector<Block> parts = cut_into_parts(kernel_);
    if (parts.size() == 1) {
      emit_entry(entry, [&](EmitContext& context) { emit_block(context, parts[0]); });
    } else {
      std::vector<asmjit::FuncNode*> functions;
      for (size_t p = 0; p < parts.size(); ++p)
        functions.push_back(cc_.newFunc(asmjit::FuncSignatureT<uint64_t, void* const*, void*>()));
      emit_entry(entry, [&](EmitContext& context) {
        for (asmjit::FuncNode* function : functions)
          call_part(context, function);
      });
      for (size_t p = 0; p < parts.size(); ++p)
        emit_part(functions[p], parts[p], p);
    }
  }

private:
  EmitContext new_context() {
    return EmitContext{cc_,
                       kernel_,
                       layout_,
                       constant_data_,
                       isa_,
                       cc_.newIntPtr("arguments"),
                       cc_.newIntPtr("state")};
  }

  // Begins a function whose symbol is the kernel's name and `suffix`.
  void begin(asmjit::FuncNode* function, const std::string& suffix) {
    cc_.align(asmjit::AlignMode::kData, kFunctionAlignment);
    cc_.name_part({function->label(), kernel_.name + suffix, false, kernel_.loc});
    cc_.addFunc(function);
    asmjit::FuncFrame& frame = function->frame();
    frame.setPreservedFP(); // a debugger finds the caller by it
    // The allocator moves values between branches into callee-saved registers without noting that
    // it did, where an instruction wants a fixed register (fnstsw ax in remf); the caller's values
    // were lost. So all of them are saved, once per call.
    frame.addDirtyRegs(x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15);
    if (isa_ != Isa::SSE42) {
      frame.setAvxEnabled();
      frame.setAvxCleanup();
    }
    if (isa_ == Isa::AVX512)
      frame.setAvx512Enabled();
  }

  template <class Body> void emit_entry(asmjit::FuncNode* function, Body body) {
    begin(function, entry_suffix_);
    EmitContext context = new_context();
    function->setArg(0, context.arguments);
    if (layout_.state_bytes > 0)
      cc_.lea(context.state, cc_.newStack(static_cast<uint32_t>(layout_.state_bytes),
                                          layout_.has_scratch() ? 64 : 16, "state"));
    for_each_temp_slot(context, [&](const x86::Mem& slot) { cc_.mov(slot, 0); });

    status_ = cc_.newUInt64("status");
    leave_ = cc_.newLabel();
    body(context);
    cc_.mark(kernel_.loc);
    cc_.xor_(status_.r32(), status_.r32());
    cc_.bind(leave_);
    // After a failed allocation these are held still; after success they are what nobody freed.
    for_each_temp_slot(context, [&](const x86::Mem& slot) { free_slot(slot); });
    cc_.ret(status_);
    cc_.endFunc();
  }

  void emit_part(asmjit::FuncNode* function, Block nodes, size_t number) {
    if (!function)
      return; // cc_'s error handler has heard of it
    begin(function, fmt::format(".part{}", number));
    EmitContext context = new_context();
    function->setArg(0, context.arguments);
    function->setArg(1, context.state);
    status_ = cc_.newUInt64("status");
    leave_ = cc_.newLabel();
    emit_block(context, nodes);
    cc_.mark(kernel_.loc);
    cc_.xor_(status_.r32(), status_.r32());
    cc_.bind(leave_);
    cc_.ret(status_);
    cc_.endFunc();
  }

  void call_part(EmitContext& context, asmjit::FuncNode* function) {
    if (!function)
      return;
    asmjit::InvokeNode* call = nullptr;
    cc_.invoke(&call, function->label(), asmjit::FuncSignatureT<uint64_t, void* const*, void*>());
    if (!call)
      return;
    call->setArg(0, context.arguments);
    call->setArg(1, context.state);
    call->setRet(0, status_);
    cc_.test(status_, status_);
    cc_.jnz(leave_);
  }

  void emit_block(EmitContext& context, Block nodes) {
    for (size_t n = 0; n < nodes.size();) {
      if (const Alloc* alloc = nodes[n].as<Alloc>()) {
        emit_alloc(context, *alloc);
        ++n;
      } else if (const Free* free = nodes[n].as<Free>()) {
        cc_.mark(free->loc, "free " + kernel_.buffers[free->buffer].name);
        free_slot(slot_memory(context, layout_.allocation_slots[free->buffer], 8));
        ++n;
      } else {
        // A loop alone: what a nest works on is not kept in registers for the next one.
        size_t end = n + 1;
        while (!nodes[n].as<Loop>() && end < nodes.size() && !is_call(nodes[end]) &&
               !nodes[end].as<Loop>())
          ++end;
        emit_run(context, &nodes[n], end - n);
        n = end;
        if (streams(nodes[end - 1]))
          cc_.sfence(); // streaming stores are ordered with nothing else
      }
    }
  }

  static bool streams(const Node& node) {
    const Loop* loop = node.as<Loop>();
    bool found = false;
    if (loop)
      for_each_node(loop->body, 1, [&](const Node& inner, unsigned) {
        const Store* store = inner.as<Store>();
        found |= store && store->streaming;
      });
    return found;
  }

  // C code may use legacy SSE, which is slow while the upper halves of registers hold something.
  asmjit::InvokeNode* call_c(const asmjit::Imm& address, const asmjit::FuncSignature& signature) {
    if (isa_ != Isa::SSE42)
      cc_.vzeroupper(); // between nests no vector register holds a value (StateLayout)
    asmjit::InvokeNode* call = nullptr;
    cc_.invoke(&call, address, signature);
    return call;
  }

  // malloc with room to align: the allocator's settings and its page faults are the real ones.
  void emit_alloc(EmitContext& context, const Alloc& alloc) {
    const Buffer& buffer = kernel_.buffers[alloc.buffer];
    uint64_t alignment = static_cast<uint64_t>(std::max<int64_t>(buffer.alignment, 16));
    uint64_t bytes = static_cast<uint64_t>(buffer.elements) * byte_size(buffer.element);
    cc_.mark(alloc.loc, "alloc " + buffer.name);
    x86::Gp address = cc_.newIntPtr("temp"), mask = cc_.newInt64("mask");
    asmjit::InvokeNode* call =
        call_c(asmjit::imm(&std::malloc), asmjit::FuncSignatureT<void*, size_t>());
    if (!call)
      return;
    call->setArg(0, asmjit::imm(bytes + alignment - 1)); // not 0: null always means failure
    call->setRet(0, address);
    cc_.mov(slot_memory(context, layout_.allocation_slots[alloc.buffer], 8), address);
    cc_.mov(status_, uint64_t{1} + alloc.buffer);
    cc_.test(address, address);
    cc_.jz(leave_);
    cc_.mov(mask, alignment - 1);
    cc_.add(address, mask);
    cc_.not_(mask);
    cc_.and_(address, mask);
    cc_.mov(slot_memory(context, layout_.buffer_slots[alloc.buffer], 8), address);
  }

  // Frees what the slot holds, if anything, and empties it.
  void free_slot(const x86::Mem& slot) {
    asmjit::Label empty = cc_.newLabel();
    x86::Gp address = cc_.newIntPtr("temp");
    cc_.mov(address, slot);
    cc_.test(address, address);
    cc_.jz(empty);
    cc_.mov(slot, 0);
    asmjit::InvokeNode* call =
        call_c(asmjit::imm(&std::free), asmjit::FuncSignatureT<void, void*>());
    if (call)
      call->setArg(0, address);
    cc_.bind(empty);
  }

  template <class F> void for_each_temp_slot(EmitContext& context, F f) {
    if (layout_.num_temps == 0)
      return;
    x86::Gp slot = cc_.newInt64("slot");
    cc_.xor_(slot.r32(), slot.r32());
    asmjit::Label top = cc_.newLabel();
    cc_.bind(top);
    f(x86::qword_ptr(context.state, slot, 3));
    cc_.inc(slot);
    cc_.cmp(slot, layout_.num_temps);
    cc_.jb(top);
  }

  static std::vector<std::byte> bytes_of(const Buffer& buffer) {
    unsigned size = byte_size(buffer.element);
    std::vector<std::byte> bytes(buffer.bits.size() * size);
    for (size_t k = 0; k < buffer.bits.size(); ++k)
      std::memcpy(&bytes[k * size], &buffer.bits[k], size); // little-endian: the low bytes
    return bytes;
  }

  KernelCompiler& cc_;
  const Kernel& kernel_;
  Isa isa_;
  const std::string& entry_suffix_;
  StateLayout layout_;
  std::vector<asmjit::Label> constant_data_; // by buffer
  x86::Gp status_;                           // of the function being emitted: what it returns
  asmjit::Label leave_;                      // its end, with status_ set
};

} // namespace

void emit_kernel(KernelCompiler& cc, const Kernel& kernel, Isa isa, asmjit::FuncNode* entry,
                 const std::string& entry_suffix) {
  KernelEmitter(cc, kernel, isa, entry_suffix).emit(entry);
}

} // namespace mo
