#include "codegen/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <unordered_map>

#include "codegen/assembly_text.h"
#include "codegen/external_functions.h"
#include "codegen/value_ranges.h"

namespace mo {

namespace x86 = asmjit::x86;

namespace {

constexpr std::byte kInt3{0xcc};

std::vector<std::byte> bytes_of(const asmjit::Section& section) {
  const auto* data = reinterpret_cast<const std::byte*>(section.data());
  return {data, data + section.bufferSize()};
}

class Assembling {
public:
  Assembling(KernelCompiler& cc, FirstError& errors, unsigned number)
      : cc_(cc), errors_(errors), text_(number) {}

  MachineCode run() {
    name_labels();
    call_by_symbol();
    if (errors_.any())
      return {};
    ValueRanges values(cc_);
    values_ = &values;
    errors_.check(cc_.runPasses());
    if (errors_.any())
      return {};
    x86::Assembler out(cc_.code());
    out.addDiagnosticOptions(asmjit::DiagnosticOptions::kValidateAssembler);
    if (cc_.comments())
      note_referenced_labels();
    for (asmjit::BaseNode* node = cc_.firstNode(); node && !errors_.any(); node = node->next())
      translate(*node, out);
    end_part(out.offset());
    code_.values = values.take();
    std::erase_if(code_.loop_bodies, [](const auto& body) { return body.begin == body.end; });
    code_.text = bytes_of(*cc_.code()->textSection());
    if (code_.text.size() + code_.rodata.size() > INT32_MAX / 2)
      errors_.handleError(asmjit::kErrorTooLarge, "more code and constants than 1 GiB", &cc_);
    collect_relocations();
    if (cc_.comments()) {
      code_.assembly = text_.finish(constants_);
      code_.assembly_places = text_.take_places();
    }
    return std::move(code_);
  }

private:
  void name_labels() {
    for (const KernelCompiler::PartName& part : cc_.parts())
      text_.name_label(part.label.id(), quoted_symbol(part.name));
    constants_ = cc_.constants();
    for (size_t k = 0; k < constants_.size(); ++k) {
      text_.name_constant(constants_[k].label.id(), k);
      const size_t alignment = constants_[k].alignment;
      code_.rodata.resize((code_.rodata.size() + alignment - 1) / alignment * alignment);
      constant_offsets_[constants_[k].label.id()] = code_.rodata.size();
      code_.rodata.insert(code_.rodata.end(), constants_[k].bytes.begin(),
                          constants_[k].bytes.end());
    }
  }

  // Emitters call a function of the C library by its address in this process: put a label there,
  // never bound, that stands for its symbol.
  void call_by_symbol() {
    for (asmjit::BaseNode* node = cc_.firstNode(); node; node = node->next()) {
      if (node->type() != asmjit::NodeType::kInvoke)
        continue;
      auto* call = node->as<asmjit::InvokeNode>();
      if (!call->target().isImm())
        continue;
      const auto address = call->target().as<asmjit::Imm>().valueAs<uint64_t>();
      const auto symbol = external_symbol(address);
      if (!symbol) {
        errors_.handleError(asmjit::kErrorInvalidArgument, "a call of an unknown function", &cc_);
        return;
      }
      asmjit::Label& label = externals_[*symbol];
      if (!label.isValid()) {
        label = cc_.newLabel();
        text_.name_label(label.id(), std::string(*symbol) + "@PLT");
      }
      call->setOp(0, label);
    }
  }

  void note_referenced_labels() {
    for (asmjit::BaseNode* node = cc_.firstNode(); node; node = node->next())
      if (node->isInst())
        text_.note_labels(*node->as<asmjit::InstNode>());
  }

  void translate(asmjit::BaseNode& node, x86::Assembler& out) {
    if (const KernelCompiler::Mark* mark = cc_.mark_at(node)) {
      what_ = mark->what;
      text_.from(mark->loc);
      add_line(out.offset(), mark->loc);
    } else if (const KernelCompiler::LoopBodyEdge* edge = cc_.loop_body_edge_at(node)) {
      add_edge(out.offset(), *edge);
    } else if (node.type() == asmjit::NodeType::kFuncRet) {
      // Register allocation has put a jump to the function's end there, where one is needed.
    } else if (node.isInst()) {
      translate(*node.as<asmjit::InstNode>(), out);
    } else if (node.isLabel()) {
      const asmjit::Label label = node.as<asmjit::LabelNode>()->label();
      out.bind(label);
      values_->label(out.offset());
      if (next_part_ < cc_.parts().size() && cc_.parts()[next_part_].label.id() == label.id())
        begin_part(out.offset());
      else if (cc_.comments())
        text_.label(label.id());
    } else if (node.isAlign()) {
      align(*node.as<asmjit::AlignNode>(), out);
    }
  }

  void translate(asmjit::InstNode& node, x86::Assembler& out) {
    const size_t before = out.offset();
    note_frame_before(node, before);
    out.setInstOptions(node.options());
    out.setExtraReg(node.extraReg());
    out.emitOpArray(node.id(), node.operands(), node.opCount());
    note_frame_after(node, out.offset());
    values_->instruction(node, out.offset());
    if (cc_.comments() && out.offset() > before)
      text_.instruction(node, out.offset() - before, what_);
  }

  void align(const asmjit::AlignNode& node, x86::Assembler& out) {
    const size_t alignment = node.alignment();
    size_t missing = (alignment - out.offset() % alignment) % alignment;
    if (node.alignMode() == asmjit::AlignMode::kData) { // nothing runs into it
      end_part(out.offset());
      const std::vector<std::byte> filler(missing, kInt3);
      out.embed(filler.data(), filler.size());
      if (cc_.comments())
        text_.between_functions(alignment);
      return;
    }
    while (missing > 0) {
      const Padding nop = padding(missing);
      out.embed(nop.bytes.data(), nop.bytes.size());
      if (cc_.comments())
        text_.padding(nop, alignment);
      missing -= nop.bytes.size();
    }
  }

  void begin_part(size_t offset) {
    end_part(offset);
    const KernelCompiler::PartName& part = cc_.parts()[next_part_++];
    code_.parts.push_back({part.name, offset, offset, part.global, part.loc});
    part_is_open_ = in_prologue_ = true;
    what_.clear();
    text_.from(part.loc);
    add_line(offset, part.loc);
    if (cc_.comments())
      text_.begin_function(quoted_symbol(part.name), part.global);
  }

  void end_part(size_t offset) {
    if (!part_is_open_)
      return;
    code_.parts.back().end = offset;
    values_->label(offset);
    part_is_open_ = false;
    if (cc_.comments())
      text_.end_function(quoted_symbol(code_.parts.back().name));
  }

  void add_line(size_t offset, Loc loc) {
    if (loc.line == 0 || (!code_.lines.empty() && code_.lines.back().loc == loc))
      return;
    if (!code_.lines.empty() && code_.lines.back().offset == offset)
      code_.lines.back().loc = loc; // nothing was emitted for that one
    else
      code_.lines.push_back({offset, loc});
  }

  void add_edge(size_t offset, const KernelCompiler::LoopBodyEdge& edge) {
    if (edge.begins) {
      open_bodies_.push_back(code_.loop_bodies.size());
      code_.loop_bodies.push_back({offset, offset, edge.lanes, edge.vectors});
      return;
    }
    code_.loop_bodies[open_bodies_.back()].end = offset;
    open_bodies_.pop_back();
  }

  using FrameStep = MachineCode::FrameStep;

  void note_frame_before(const asmjit::InstNode& node, size_t offset) {
    if (node.id() == x86::Inst::kIdRet)
      code_.frame_steps.push_back({offset, FrameStep::Kind::AboutToReturn, 0});
  }

  void note_frame_after(const asmjit::InstNode& node, size_t offset) {
    const bool push = node.id() == x86::Inst::kIdPush;
    const bool sets_rbp = node.id() == x86::Inst::kIdMov && node.op(0) == x86::rbp;
    in_prologue_ = in_prologue_ && (push || sets_rbp);
    if (in_prologue_)
      code_.frame_steps.push_back({offset,
                                   push ? FrameStep::Kind::Pushed : FrameStep::Kind::FramePointer,
                                   static_cast<uint8_t>(node.op(0).as<x86::Gp>().id())});
  }

  void collect_relocations() {
    for (const auto& [label, offset] : constant_offsets_)
      collect_links(label, "", static_cast<int64_t>(offset));
    for (const auto& [symbol, label] : externals_)
      collect_links(label.id(), symbol, 0);
    std::sort(code_.relocations.begin(), code_.relocations.end(),
              [](const auto& a, const auto& b) { return a.offset < b.offset; });
    if (!cc_.code()->relocEntries().empty() || links_ != cc_.code()->unresolvedLinkCount())
      errors_.handleError(asmjit::kErrorInvalidRelocEntry, "an address of an unknown kind", &cc_);
  }

  void collect_links(uint32_t label, std::string_view symbol, int64_t offset) {
    for (const asmjit::LabelLink* link = cc_.code()->labelEntry(label)->links(); link;
         link = link->next) {
      code_.relocations.push_back({link->offset, symbol, offset + link->rel});
      ++links_;
    }
  }

  KernelCompiler& cc_;
  FirstError& errors_;
  AssemblyText text_;
  MachineCode code_;
  std::vector<KernelCompiler::Constant> constants_;
  std::unordered_map<uint32_t, size_t> constant_offsets_; // by label, in rodata
  std::map<std::string_view, asmjit::Label> externals_;   // by symbol
  size_t next_part_ = 0;                                  // of cc_.parts()
  ValueRanges* values_ = nullptr;
  std::vector<size_t> open_bodies_; // indices into code_.loop_bodies
  bool part_is_open_ = false;
  bool in_prologue_ = false;
  std::string what_; // the code is there for
  size_t links_ = 0; // that relocations were made of
};

} // namespace

void FirstError::handleError(asmjit::Error error, const char* message, asmjit::BaseEmitter*) {
  if (text_.empty())
    text_ = fmt::format("{} ({})", message, asmjit::DebugUtils::errorAsString(error));
}

void FirstError::check(asmjit::Error error) {
  if (error != asmjit::kErrorOk)
    handleError(error, "asmjit", nullptr);
}

MachineCode assemble(KernelCompiler& cc, FirstError& errors, unsigned number) {
  return Assembling(cc, errors, number).run();
}

} // namespace mo
