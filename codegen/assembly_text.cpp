#include "codegen/assembly_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstring>
#include <span>

#include "codegen/machine_code.h"

namespace mo {

namespace x86 = asmjit::x86;

namespace {

constexpr auto kArch = asmjit::Arch::kX64;

bool is_symbol_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
}

std::string_view size_prefix(unsigned bytes) {
  switch (bytes) {
  case 1: return "byte ptr ";
  case 2: return "word ptr ";
  case 4: return "dword ptr ";
  case 8: return "qword ptr ";
  case 10: return "tbyte ptr ";
  case 16: return "xmmword ptr ";
  case 32: return "ymmword ptr ";
  case 64: return "zmmword ptr ";
  default: return "";
  }
}

std::string reg_name(asmjit::RegType type, uint32_t id) {
  if (type == asmjit::RegType::kX86_St)
    return fmt::format("st({})", id);
  asmjit::String name;
  asmjit::Formatter::formatRegister(name, asmjit::FormatFlags::kNone, nullptr, kArch, type, id);
  return name.data();
}

std::string mnemonic(asmjit::InstId id) {
  asmjit::String name;
  asmjit::InstAPI::instIdToString(kArch, id, name);
  return name.data();
}

// "{rn-sae}" and the like, a last operand.
std::string rounding(asmjit::InstOptions options) {
  using asmjit::InstOptions;
  if (asmjit::Support::test(options, InstOptions::kX86_SAE))
    return ", {sae}";
  if (!asmjit::Support::test(options, InstOptions::kX86_ER))
    return "";
  switch (options & InstOptions::kX86_ERMask) {
  case InstOptions::kX86_RD_SAE: return ", {rd-sae}";
  case InstOptions::kX86_RU_SAE: return ", {ru-sae}";
  case InstOptions::kX86_RZ_SAE: return ", {rz-sae}";
  default: return ", {rn-sae}";
  }
}

uint64_t word_at(const std::vector<std::byte>& bytes, size_t offset, size_t size) {
  uint64_t word = 0;
  std::memcpy(&word, &bytes[offset], size);
  return word;
}

// What the bits are, where all words are the same.
std::string value_comment(uint64_t word, unsigned size) {
  if (size == 8)
    return fmt::format("  # f64 {}, i64 {}", std::bit_cast<double>(word),
                       static_cast<int64_t>(word));
  const auto low = static_cast<uint32_t>(word);
  return fmt::format("  # f32 {}, i32 {}", std::bit_cast<float>(low), static_cast<int32_t>(low));
}

// The directives for it, the first of which follows a label.
std::string data(const KernelCompiler::Constant& constant) {
  const unsigned size = constant.word;
  const std::string_view directive = size == 8 ? ".quad" : size == 4 ? ".long" : ".byte";
  std::vector<uint64_t> words;
  for (size_t at = 0; at < constant.bytes.size(); at += size)
    words.push_back(word_at(constant.bytes, at, size));
  if (words.empty())
    return "";
  const bool all_equal = std::equal(words.begin() + 1, words.end(), words.begin());
  const std::string comment = all_equal && size >= 4 ? value_comment(words[0], size) : "";
  if (all_equal && words.size() > 1 && size <= 4)
    return fmt::format("\t.fill {}, {}, {:#x}{}", words.size(), size, words[0], comment);
  std::string text;
  constexpr size_t kPerLine = 8;
  for (size_t first = 0; first < words.size(); first += kPerLine) {
    const std::span line(&words[first], std::min(kPerLine, words.size() - first));
    text += fmt::format("{}\t{} {:#x}", first ? "\n" : "", directive, fmt::join(line, ", "));
  }
  return text + comment;
}

} // namespace

std::string quoted_symbol(std::string_view name) {
  const bool plain = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                     std::all_of(name.begin(), name.end(), is_symbol_char);
  return plain ? std::string(name) : fmt::format("\"{}\"", name);
}

AssemblyText::AssemblyText(unsigned number)
    : prefix_(number == 0 ? ".L" : fmt::format(".L{}_", number)),
      text_(fmt::format("\t.intel_syntax noprefix\n\t.text\n\t.balign {}, 0xcc\n",
                        MachineCode::kAlignment)) {}

void AssemblyText::name_constant(uint32_t label, size_t index) {
  name_label(label, fmt::format("{}C{}", prefix_, index));
}

void AssemblyText::note_labels(const asmjit::InstNode& node) {
  for (uint32_t k = 0; k < node.opCount(); ++k) {
    const asmjit::Operand& op = node.op(k);
    if (op.isLabel() || (op.isMem() && op.as<x86::Mem>().hasBaseLabel()))
      referenced_.insert(op.isLabel() ? op.id() : op.as<x86::Mem>().baseId());
  }
}

void AssemblyText::begin_function(const std::string& symbol, bool global) {
  if (global)
    text_ += fmt::format("\t.globl {}\n", symbol);
  text_ += fmt::format("\t.type {0}, @function\n{0}:\n", symbol);
}

void AssemblyText::end_function(const std::string& symbol) {
  text_ += fmt::format("\t.size {0}, . - {0}\n", symbol);
}

void AssemblyText::between_functions(size_t alignment) {
  text_ += fmt::format("\n\t.balign {}, 0xcc\n", alignment);
}

void AssemblyText::label(uint32_t label) {
  if (referenced_.count(label) != 0)
    text_ += name_of(label) + ":\n";
}

std::string AssemblyText::name_of(uint32_t label) {
  const auto [it, is_new] = names_.try_emplace(label);
  if (is_new)
    it->second = fmt::format("{}{}", prefix_, ++num_local_labels_);
  return it->second;
}

void AssemblyText::line(const std::string& instruction, const std::string& comment) {
  if (comment.empty())
    text_ += fmt::format("\t{}\n", instruction);
  else
    text_ += fmt::format("\t{:<50} # {}\n", instruction, comment);
}

void AssemblyText::instruction(const asmjit::InstNode& node, size_t bytes,
                               const std::string& what) {
  std::string operands;
  const std::string sae = rounding(node.options());
  bool sae_is_written = sae.empty();
  const uint32_t first = num_implicit_operands(node);
  for (uint32_t k = first; k < node.opCount() && !node.op(k).isNone(); ++k) {
    if (node.op(k).isImm() && !sae_is_written) { // an immediate stands behind it
      operands += sae;
      sae_is_written = true;
    }
    operands += (k > first ? ", " : "") + operand(node.op(k));
    if (k == 0 && node.hasExtraReg())
      operands += fmt::format("{{{}}}", reg_name(node.extraReg().type(), node.extraReg().id()));
    if (k == 0 && asmjit::Support::test(node.options(), asmjit::InstOptions::kX86_ZMask))
      operands += "{z}";
  }
  if (!sae_is_written)
    operands += sae;
  const std::string name = std::string(encoding_prefix(node, bytes)) + mnemonic(node.id());
  line(operands.empty() ? name : fmt::format("{:<12} {}", name, operands), what);
}

void AssemblyText::padding(const Padding& nop, size_t alignment) {
  line(std::string(nop.text), fmt::format("to a multiple of {}", alignment));
}

std::string AssemblyText::operand(const asmjit::Operand_& op) {
  if (op.isReg())
    return reg_name(op.as<asmjit::BaseReg>().type(), op.id());
  if (op.isLabel())
    return name_of(op.id());
  if (op.isImm())
    return fmt::format("{}", op.as<asmjit::Imm>().value());
  return memory(op.as<x86::Mem>());
}

std::string AssemblyText::memory(const x86::Mem& mem) {
  std::string address;
  if (mem.hasBaseLabel())
    address = "rip+" + name_of(mem.baseId());
  else if (mem.hasBaseReg())
    address = reg_name(mem.baseType(), mem.baseId());
  if (mem.hasIndex()) {
    address += (address.empty() ? "" : "+") + reg_name(mem.indexType(), mem.indexId());
    if (mem.hasShift())
      address += fmt::format("*{}", 1u << mem.shift());
  }
  if (const int64_t offset = mem.offset(); offset != 0 || address.empty())
    address += fmt::format("{:+}", offset);
  std::string broadcast;
  if (mem.hasBroadcast())
    broadcast = fmt::format("{{1to{}}}", 1u << static_cast<unsigned>(mem.getBroadcast()));
  return fmt::format("{}[{}]{}", size_prefix(mem.size()), address, broadcast);
}

std::string AssemblyText::finish(const std::vector<KernelCompiler::Constant>& constants) {
  from({});
  if (!constants.empty())
    text_ += fmt::format("\n\t.section .rodata\n\t.balign {}\n", MachineCode::kAlignment);
  size_t offset = 0;
  for (const KernelCompiler::Constant& constant : constants) {
    if (const size_t past = offset % constant.alignment; past != 0) {
      text_ += fmt::format("\t.balign {}\n", constant.alignment);
      offset += constant.alignment - past;
    }
    text_ += fmt::format("{}:{}\n", name_of(constant.label.id()), data(constant));
    offset += constant.bytes.size();
  }
  text_ += "\n\t.section .note.GNU-stack, \"\", @progbits\n";
  return std::move(text_);
}

} // namespace mo
