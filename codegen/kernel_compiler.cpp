#include "codegen/kernel_compiler.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace mo {

namespace {

constexpr size_t kCacheLine = 64;

} // namespace

asmjit::x86::Mem KernelCompiler::splat_constant(uint64_t bits, uint32_t bytes) {
  const auto [it, is_new] = splats_.try_emplace(bits, constants_.size());
  if (is_new)
    constants_.push_back({newLabel(), 0, bits >> 32 == (bits & 0xffffffffu) ? 4u : 8u, {}});
  Constant& constant = constants_[it->second];
  if (constant.bytes.size() < bytes) {
    constant.alignment = bytes;
    constant.bytes.resize(bytes);
    for (size_t k = 0; k < bytes; k += sizeof(bits))
      std::memcpy(&constant.bytes[k], &bits, std::min<size_t>(sizeof(bits), bytes - k));
  }
  return asmjit::x86::ptr(constant.label, 0, bytes);
}

asmjit::x86::Mem KernelCompiler::constant(std::span<const std::byte> bytes) {
  const std::vector<std::byte> key(bytes.begin(), bytes.end());
  const auto [it, is_new] = patterns_.try_emplace(key, constants_.size());
  if (is_new)
    constants_.push_back({newLabel(), key.size(), key.size() < 8 ? 4u : 8u, key});
  return asmjit::x86::ptr(constants_[it->second].label, 0, static_cast<uint32_t>(key.size()));
}

asmjit::Label KernelCompiler::table(std::vector<std::byte> bytes, unsigned word) {
  return constants_.emplace_back(Constant{newLabel(), kCacheLine, word, std::move(bytes)}).label;
}

void KernelCompiler::begin_held_constants(unsigned registers, uint32_t bytes) {
  held_ = {cursor(), registers, bytes, {}, {}};
}

void KernelCompiler::end_held_constants() {
  held_ = {};
}

asmjit::Operand KernelCompiler::held_constant(uint64_t bits, uint32_t bytes) {
  if (bytes > held_.bytes)
    return splat_constant(bits, bytes);
  auto found = held_.registers.find(bits);
  if (found == held_.registers.end()) {
    if (held_.registers_left == 0)
      return splat_constant(bits, bytes);
    --held_.registers_left;
    found = held_.registers.emplace(bits, load_ahead(splat_constant(bits, held_.bytes))).first;
  }
  const asmjit::x86::Vec& full = found->second;
  if (bytes <= 16)
    return full.xmm();
  if (bytes == 32)
    return full.ymm();
  return full;
}

asmjit::Operand KernelCompiler::held_constant(std::span<const std::byte> bytes) {
  const asmjit::x86::Mem memory = constant(bytes);
  if (bytes.size() != held_.bytes)
    return memory;
  auto found = held_.patterns.find(memory.baseId());
  if (found == held_.patterns.end()) {
    if (held_.registers_left == 0)
      return memory;
    --held_.registers_left;
    found = held_.patterns.emplace(memory.baseId(), load_ahead(memory)).first;
  }
  return found->second;
}

asmjit::x86::Vec KernelCompiler::load_ahead(const asmjit::x86::Mem& constant) {
  // A mask or a comment may be set for the instruction that is to use the constant.
  const asmjit::InstOptions options = instOptions();
  const asmjit::RegOnly mask = extraReg();
  const char* comment = inlineComment();
  resetInstOptions();
  resetExtraReg();
  resetInlineComment();
  asmjit::BaseNode* here = setCursor(held_.load_after);
  asmjit::x86::Vec held;
  if (held_.bytes <= 16)
    held = newXmm("constant");
  else if (held_.bytes == 32)
    held = newYmm("constant");
  else
    held = newZmm("constant");
  emit(asmjit::x86::Inst::kIdVmovaps, held, constant);
  const bool nothing_since = here == held_.load_after;
  held_.load_after = cursor();
  if (!nothing_since)
    setCursor(here);
  setInstOptions(options);
  setExtraReg(mask);
  setInlineComment(comment);
  return held;
}

std::vector<KernelCompiler::Constant> KernelCompiler::constants() const {
  std::vector<Constant> sorted = constants_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Constant& a, const Constant& b) { return a.alignment > b.alignment; });
  return sorted;
}

// A note is a comment node: register allocation neither moves nor minds it.
void KernelCompiler::add_note(Note note) {
  asmjit::CommentNode* node = nullptr;
  if (newCommentNode(&node, nullptr, 0) != asmjit::kErrorOk)
    return; // the error handler has heard of it
  notes_.push_back(std::move(note));
  node->setUserDataAsUInt64(notes_.size());
  addNode(node);
}

const KernelCompiler::Note* KernelCompiler::note_at(const asmjit::BaseNode& node) const {
  if (!node.isComment() || node.userDataAsUInt64() == 0)
    return nullptr;
  return &notes_[node.userDataAsUInt64() - 1];
}

void KernelCompiler::mark(Loc loc, std::string what) {
  add_note(Mark{loc, std::move(what)});
}

const KernelCompiler::Mark* KernelCompiler::mark_at(const asmjit::BaseNode& node) const {
  return std::get_if<Mark>(note_at(node));
}

void KernelCompiler::begin_loop_body(unsigned lanes, unsigned vectors) {
  add_note(LoopBodyEdge{true, lanes, vectors});
}

void KernelCompiler::end_loop_body() {
  add_note(LoopBodyEdge{false, 0, 0});
}

const KernelCompiler::LoopBodyEdge*
KernelCompiler::loop_body_edge_at(const asmjit::BaseNode& node) const {
  return std::get_if<LoopBodyEdge>(note_at(node));
}

void KernelCompiler::name_value(ValueName value) {
  add_note(std::move(value));
}

const KernelCompiler::ValueName* KernelCompiler::value_name_at(const asmjit::BaseNode& node) const {
  return std::get_if<ValueName>(note_at(node));
}

void KernelCompiler::name_part(PartName part) {
  parts_.push_back(std::move(part));
}

} // namespace mo
