// Kernels as text, for people: one step per line, blocks indented.
//
//   kernel @sum(%x: 64 x f32, %o: 1 x f32) {
//     %acc_init = load %o[0]
//     %s_0 = for d0 in 0..64 vector carrying (%acc = %acc_init by arith.addf) {
//       %v = load %x[d0]
//       %s = arith.addf %acc, %v : f32
//       next %s
//     }
//     store %s_0, %o[0]
//   }
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "codegen/loop_nest.h"
#include "codegen/loop_walk.h"
#include "ir/print.h"

namespace mo {
namespace {

/// Gives each register and buffer a name: its hint, with a suffix where that is taken, in the
/// outermost block or in the same nest. Nests that follow each other may use the same names.
class Names {
public:
  explicit Names(const Kernel& kernel)
      : regs_(kernel.regs.size()), buffers_(kernel.buffers.size()), kernel_(kernel) {
    Scope outermost;
    for (const ScalarParam& scalar : kernel.scalars)
      name(scalar.reg, outermost);
    for (size_t b = 0; b < kernel.buffers.size(); ++b)
      buffers_[b] = unique(kernel.buffers[b].name, outermost);
    name_outermost(kernel.body);
  }
  const std::string& operator[](Reg reg) const { return regs_[reg.index]; }
  const std::string& buffer(uint32_t index) const { return buffers_[index]; }

private:
  /// Names to give up at the end of something.
  using Scope = std::vector<std::string>;

  void name_outermost(const std::vector<Node>& block) {
    Scope outermost;
    for (const Node& node : block) {
      if (const Loop* loop = node.as<Loop>()) {
        Scope nest;
        name_loop(*loop, outermost, nest);
        for (const std::string& gone : nest) {
          taken_.erase(gone);
          next_suffix_.erase(gone);
        }
      } else {
        name_step(node, outermost);
      }
    }
  }

  /// What a loop leaves behind is named unlike anything inside, for the reader's sake.
  void name_loop(const Loop& loop, Scope& around, Scope& nest) {
    for (const Carried& carried : loop.carried)
      name(carried.current, nest);
    for (const Node& node : loop.body) {
      if (const Loop* inner = node.as<Loop>())
        name_loop(*inner, nest, nest);
      else
        name_step(node, nest);
    }
    for (const Carried& carried : loop.carried)
      name(carried.result, around);
  }

  void name_step(const Node& node, Scope& scope) {
    if (const Load* load = node.as<Load>())
      name(load->dst, scope);
    else if (const Compute* compute = node.as<Compute>())
      name(compute->dst, scope);
  }

  void name(Reg reg, Scope& scope) {
    regs_[reg.index] = unique(kernel_.regs[reg.index].name, scope);
  }

  std::string unique(const std::string& hint, Scope& scope) {
    const std::string base = fmt::format("%{}", hint.empty() ? "v" : hint);
    std::string candidate = base;
    while (!taken_.insert(candidate).second)
      candidate = fmt::format("{}_{}", base, next_suffix_[base]++);
    scope.push_back(candidate);
    return candidate;
  }

  std::vector<std::string> regs_, buffers_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, unsigned> next_suffix_; // of names that are taken
  const Kernel& kernel_;
};

class Printer {
public:
  explicit Printer(const Kernel& kernel) : kernel_(kernel), names_(kernel) {}

  LocatedText print() {
    for (const ScalarParam& scalar : kernel_.scalars)
      define(scalar.reg);
    for (uint32_t b = 0; b < kernel_.buffers.size(); ++b)
      define(names_.buffer(b), kernel_.buffers[b].name, kernel_.buffers[b].defined);
    from(kernel_.loc);
    line("kernel @{}({}) {{", kernel_.name, parameters());
    for (uint32_t b = 0; b < kernel_.buffers.size(); ++b)
      if (const Buffer& buffer = kernel_.buffers[b]; buffer.kind == Buffer::Kind::Constant)
        print_data(b);
      else if (buffer.kind == Buffer::Kind::Scratch)
        line("{} = scratch {}", names_.buffer(b), extent(buffer));
    print_block(kernel_.body);
    --indent_;
    from(kernel_.loc);
    line("}}");
    return std::move(out_);
  }

private:
  template <class... Args> void line(fmt::format_string<Args...> format, Args&&... args) {
    std::string& text = out_.text;
    text.append(2 * static_cast<size_t>(indent_), ' ');
    const size_t begin = text.size();
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    note_mentions(begin);
    if (text.size() > begin && text.back() == '{')
      ++indent_;
    text += '\n';
  }

  /// The lines that follow are there for `loc`.
  void from(Loc loc) { out_.places.push_back({out_.text.size(), loc}); }

  struct Origin {
    std::string name;
    Loc defined;
  };
  /// From here on `shown` means that value. A later nest may use the name again for another.
  void define(const std::string& shown, const std::string& name, Loc defined) {
    origins_[shown] = {name, defined};
  }
  void define(Reg reg) {
    define(names_[reg], kernel_.regs[reg.index].name, kernel_.regs[reg.index].defined);
  }

  void note_mentions(size_t at) {
    const std::string& text = out_.text;
    while ((at = text.find('%', at)) != text.npos) {
      const size_t end = std::min(text.find_first_of(" ,:[]()", at), text.size());
      if (const auto known = origins_.find(text.substr(at, end - at)); known != origins_.end())
        out_.mentions.push_back({at, end - at, known->second.name, known->second.defined});
      at = end;
    }
  }

  std::string parameters() const {
    std::vector<std::string> parameter(kernel_.num_arguments);
    for (uint32_t b = 0; b < kernel_.buffers.size(); ++b)
      if (const Buffer& buffer = kernel_.buffers[b]; buffer.kind == Buffer::Kind::Argument)
        parameter[buffer.argument] = fmt::format("{}: {}", names_.buffer(b), extent(buffer));
    for (const ScalarParam& scalar : kernel_.scalars)
      parameter[scalar.argument] =
          fmt::format("{}: {}", names_[scalar.reg], spelling(type_of(scalar.reg)));
    return fmt::format("{}", fmt::join(parameter, ", "));
  }

  static std::string extent(const Buffer& buffer) {
    return fmt::format("{} x {}", buffer.elements, spelling(buffer.element));
  }

  void print_data(uint32_t b) {
    constexpr size_t kMaxShown = 8;
    const Buffer& buffer = kernel_.buffers[b];
    std::string values;
    for (size_t i = 0; i < std::min(buffer.bits.size(), kMaxShown); ++i)
      values += (i ? ", " : "") + literal_text(buffer.bits[i], buffer.element);
    if (buffer.bits.size() > kMaxShown)
      values += fmt::format(", and {} more", buffer.bits.size() - kMaxShown);
    line("{} = data {} {}[{}]", names_.buffer(b), extent(buffer), buffer.splat ? "splat " : "",
         values);
  }

  void print_block(const std::vector<Node>& block) {
    for (const Node& node : block)
      std::visit(
          [this](const auto& step) {
            from(step.loc);
            print_step(step);
          },
          node.kind);
  }

  void print_step(const Load& load) {
    define(load.dst);
    line("{} = load {}", names_[load.dst], place(load.from));
  }

  void print_step(const Store& store) {
    line("store{} {}, {}", store.streaming ? ".stream" : "", names_[store.value], place(store.to));
  }

  void print_step(const Prefetch& prefetch) {
    line("prefetch {} x {}", prefetch.elements, place(prefetch.from));
  }

  void print_step(const Alloc& alloc) {
    const Buffer& buffer = kernel_.buffers[alloc.buffer];
    line("{} = alloc {} align {}", names_.buffer(alloc.buffer), extent(buffer), buffer.alignment);
  }

  void print_step(const Free& free) { line("free {}", names_.buffer(free.buffer)); }

  void print_step(const Compute& compute) {
    const ElementType type = type_of(compute.dst);
    const std::string& dst = names_[compute.dst];
    define(compute.dst);
    if (compute.op == ScalarOp::Constant) {
      line("{} = constant {}", dst, print_constant(compute.immediate, type));
      return;
    }
    if (compute.op == ScalarOp::LoopIndex) {
      line("{} = index {}", dst, counters_[compute.immediate]);
      return;
    }
    std::string operands;
    for (Reg operand : operands_of(compute))
      operands += (operands.empty() ? "" : ", ") + names_[operand];
    line("{} = {}{} {} : {}", dst, info(compute.op).spelling, predicate(compute), operands,
         types(compute));
  }

  static std::string predicate(const Compute& compute) {
    if (compute.op == ScalarOp::CmpF)
      return fmt::format(" {},", spelling(static_cast<CmpFPredicate>(compute.predicate)));
    if (compute.op == ScalarOp::CmpI)
      return fmt::format(" {},", spelling(static_cast<CmpIPredicate>(compute.predicate)));
    return "";
  }

  /// As MLIR writes them: of the operands, and for a cast the result's too.
  std::string types(const Compute& compute) const {
    const std::string_view result = spelling(type_of(compute.dst));
    const std::string_view operand = spelling(type_of(compute.operands[0]));
    const TypeRule rule = info(compute.op).rule;
    if (is_cast(rule))
      return fmt::format("{} to {}", operand, result);
    const bool compares = rule == TypeRule::CompareFloat || rule == TypeRule::CompareInt;
    return std::string(compares ? operand : result);
  }

  void print_step(const Loop& loop) {
    std::vector<std::string> results, handed, next;
    for (const Carried& carried : loop.carried) {
      define(carried.current);
      define(carried.result);
      results.push_back(names_[carried.result]);
      handed.push_back(fmt::format(
          "{} = {}{}", names_[carried.current], names_[carried.init],
          carried.combine ? fmt::format(" by {}", info(*carried.combine).spelling) : ""));
      next.push_back(names_[carried.next]);
    }
    const bool carries = !loop.carried.empty();
    line("{}for {} in 0..{}{}{} {{", carries ? fmt::format("{} = ", fmt::join(results, ", ")) : "",
         loop.name, loop.extent, loop.vectorizable ? " vector" : "",
         carries ? fmt::format(" carrying ({})", fmt::join(handed, ", ")) : "");
    counters_.push_back(loop.name);
    print_block(loop.body);
    counters_.pop_back();
    from(loop.loc);
    if (carries)
      line("next {}", fmt::join(next, ", "));
    --indent_;
    line("}}");
  }

  /// "%x[8*d0 + d1 + 3]"
  std::string place(const Access& access) const {
    std::string sum;
    const auto add = [&](int64_t factor, std::string_view counter) {
      const uint64_t size =
          factor < 0 ? 0 - static_cast<uint64_t>(factor) : static_cast<uint64_t>(factor);
      sum += sum.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
      if (counter.empty())
        sum += fmt::format("{}", size);
      else
        sum += size == 1 ? fmt::format("{}", counter) : fmt::format("{}*{}", size, counter);
    };
    for (size_t d = 0; d < access.strides.size(); ++d)
      if (access.strides[d] != 0)
        add(access.strides[d], counters_[d]);
    if (access.offset != 0 || sum.empty())
      add(access.offset, "");
    return fmt::format("{}[{}]", names_.buffer(access.buffer), sum);
  }

  ElementType type_of(Reg reg) const { return kernel_.regs[reg.index].type; }

  const Kernel& kernel_;
  const Names names_;
  std::vector<std::string> counters_;               // names of the loops around the current place
  std::unordered_map<std::string, Origin> origins_; // of the names that are shown, so far
  unsigned indent_ = 0;
  LocatedText out_;
};

} // namespace

std::string print(const Kernel& kernel) {
  return print_located(kernel).text;
}

LocatedText print_located(const Kernel& kernel) {
  return Printer(kernel).print();
}

} // namespace mo
