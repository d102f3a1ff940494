#include "codegen/emit_address.h"

#include <algorithm>

#include "codegen/loop_walk.h"
#include "ir/wrapping.h"

namespace mo {

namespace x86 = asmjit::x86;

namespace {

bool fits_displacement(int64_t bytes) {
  return bytes >= INT32_MIN && bytes <= INT32_MAX;
}

void add_bytes(x86::Compiler& cc, const x86::Gp& pointer, int64_t bytes) {
  if (bytes == 0)
    return;
  if (fits_displacement(bytes)) {
    cc.add(pointer, bytes);
    return;
  }
  x86::Gp amount = cc.newInt64("bytes");
  cc.mov(amount, bytes);
  cc.add(pointer, amount);
}

} // namespace

Addresses::Addresses(EmitContext& context, const Node* nodes, size_t count) : context_(context) {
  for (size_t n = 0; n < count; ++n) {
    if (const Access* access = access_of(nodes[n]))
      add(*access);
    if (const Loop* loop = nodes[n].as<Loop>())
      for_each_node(loop->body, 1, [&](const Node& node, unsigned) {
        if (const Access* access = access_of(node))
          add(*access);
      });
  }
}

void Addresses::add(const Access& access) {
  const Buffer& buffer = context_.kernel.buffers[access.buffer];
  if (buffer.kind == Buffer::Kind::Constant && buffer.splat)
    return; // no memory behind it: StateLayout::constants
  int64_t size = byte_size(buffer.element);
  Stream stream{access.buffer, access.strides, 0, {}};
  for (int64_t& stride : stream.strides)
    stride = wrapping_mul(stride, size);
  int64_t offset = wrapping_mul(access.offset, size);
  constexpr int64_t kShared = int64_t{1} << 30;
  bool small = offset > -kShared && offset < kShared;
  stream.base_bytes = small ? 0 : offset;
  auto key = std::make_tuple(stream.buffer, stream.strides, stream.base_bytes);
  auto [it, is_new] = ids_.try_emplace(key, streams_.size());
  if (is_new)
    streams_.push_back(stream);
  places_[&access] = Place{it->second, small ? static_cast<int32_t>(offset) : 0};
}

void Addresses::load_bases() {
  x86::Compiler& cc = context_.cc;
  for (Stream& stream : streams_) {
    const Buffer& buffer = context_.kernel.buffers[stream.buffer];
    stream.pointer = cc.newIntPtr("p");
    switch (buffer.kind) {
    case Buffer::Kind::Argument:
      cc.mov(stream.pointer, x86::qword_ptr(context_.arguments,
                                            static_cast<int32_t>(buffer.argument * sizeof(void*))));
      break;
    case Buffer::Kind::Temp:
      cc.mov(stream.pointer,
             slot_memory(context_, context_.layout.buffer_slots[stream.buffer], sizeof(void*)));
      break;
    case Buffer::Kind::Constant:
      cc.lea(stream.pointer, x86::ptr(context_.constant_data[stream.buffer]));
      break;
    case Buffer::Kind::Scratch:
      cc.lea(stream.pointer,
             x86::ptr(context_.state, context_.layout.scratch_offsets[stream.buffer]));
      break;
    }
    add_bytes(cc, stream.pointer, stream.base_bytes);
  }
}

std::vector<size_t> Addresses::streams_in(const Loop& loop) const {
  std::vector<size_t> found;
  for_each_node(loop.body, 0, [&](const Node& node, unsigned) {
    const Access* access = access_of(node);
    auto place = places_.find(access);
    if (place != places_.end())
      found.push_back(place->second.stream);
  });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

int64_t Addresses::stride_bytes(const Stream& stream, unsigned depth) const {
  return depth < stream.strides.size() ? stream.strides[depth] : 0;
}

int64_t Addresses::stride_at(const Access& access, unsigned depth) {
  return depth < access.strides.size() ? access.strides[depth] : 0;
}

bool Addresses::by_counter(const Stream& stream, const Level& level) const {
  int64_t size = byte_size(context_.kernel.buffers[stream.buffer].element);
  return level.counter && stride_bytes(stream, level.depth) == size;
}

void Addresses::enter_loop(const Loop& loop, unsigned depth, const x86::Gp* counter) {
  Level& level = levels_.emplace_back();
  level.depth = depth;
  level.counter = counter;
  for (size_t s : streams_in(loop)) {
    Stream& stream = streams_[s];
    if (stride_bytes(stream, depth) == 0 || by_counter(stream, level))
      continue;
    level.outer.emplace_back(s, stream.pointer);
    x86::Gp own = context_.cc.newIntPtr("p");
    context_.cc.mov(own, stream.pointer);
    stream.pointer = own;
  }
}

void Addresses::advance(int64_t iterations) {
  const Level& level = levels_.back();
  for (const auto& [s, outer] : level.outer)
    add_bytes(context_.cc, streams_[s].pointer,
              wrapping_mul(iterations, stride_bytes(streams_[s], level.depth)));
}

void Addresses::leave_loop() {
  for (const auto& [s, outer] : levels_.back().outer)
    streams_[s].pointer = outer;
  levels_.pop_back();
}

x86::Mem Addresses::address(const Access& access, int64_t ahead) const {
  const Place& place = places_.at(&access);
  const Stream& stream = streams_[place.stream];
  x86::Compiler& cc = context_.cc;
  x86::Gp base = stream.pointer;
  int64_t displacement = place.displacement;
  if (!levels_.empty()) {
    const Level& level = levels_.back();
    displacement =
        wrapping_add(displacement, wrapping_mul(ahead, stride_bytes(stream, level.depth)));
    if (by_counter(stream, level)) { // a displacement below 2^30 plus a few elements: it fits
      unsigned size = byte_size(context_.kernel.buffers[stream.buffer].element);
      unsigned shift = size == 8 ? 3 : size == 4 ? 2 : 0;
      return x86::ptr(base, *level.counter, shift, static_cast<int32_t>(displacement));
    }
  }
  if (fits_displacement(displacement))
    return x86::ptr(base, static_cast<int32_t>(displacement));
  x86::Gp far = cc.newIntPtr("far");
  cc.mov(far, displacement);
  cc.add(far, base);
  return x86::ptr(far);
}

} // namespace mo
