#include "ir/print.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "ir/printer.h"
#include "ir/value_names.h"

namespace mo {

namespace {

std::string in_place(const AffineMap& map) {
  return fmt::format("affine_map<{}>", to_string(map));
}

/// As it follows an @: in quotes unless it is a plain word.
std::string symbol(const std::string& name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_plain = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '$' || c == '.';
  };
  const bool word =
      !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), is_plain);
  return word ? name : fmt::format("\"{}\"", name);
}

} // namespace

// ---- whole texts -------------------------------------------------------------------------------

std::string print(const Module& module) {
  MapAliases aliases;
  aliases.add(module);
  ConstantNames constants;
  constants.reserve(module);
  for (const Function& function : module.functions)
    constants.add(function);
  const unsigned indent = module.explicit_module ? 2 : 0;
  std::string out = aliases.definitions();
  if (module.explicit_module)
    out += "module {\n";
  out += constants.definitions(indent);
  for (const Function& function : module.functions) {
    Printer printer(function, aliases, constants, indent);
    printer.print_function();
    out += printer.take();
  }
  if (module.explicit_module)
    out += "}\n";
  return out;
}

std::string print(const Function& function) {
  const MapAliases no_aliases;
  ConstantNames constants;
  constants.add(function);
  Printer printer(function, no_aliases, constants, 0);
  printer.print_function();
  return constants.definitions(0) + printer.take();
}

std::string print(const Function& function, OpId op) {
  const MapAliases no_aliases;
  ConstantNames constants;
  constants.add(function);
  Printer printer(function, no_aliases, constants, 0);
  printer.print_op(function.op(op));
  return printer.take();
}

SnapshotPrinter::SnapshotPrinter() : aliases_(std::make_unique<MapAliases>()) {}
SnapshotPrinter::~SnapshotPrinter() = default;
SnapshotPrinter::SnapshotPrinter(SnapshotPrinter&&) noexcept = default;

LocatedText SnapshotPrinter::print(const Function& function) {
  aliases_->add(function);
  ConstantNames constants;
  constants.add(function);
  Printer printer(function, *aliases_, constants, 0);
  printer.print_function();
  return printer.take_located(aliases_->definitions(function) + constants.definitions(0));
}

// ---- maps --------------------------------------------------------------------------------------

void MapAliases::add(const Module& module) {
  for (const Function& function : module.functions)
    add(function);
}

void MapAliases::add(const Function& function) {
  for (const Op& op : function.ops)
    if (const auto* generic = op.as<GenericOp>())
      for (const AffineMap& map : generic->maps) {
        std::string text = in_place(map);
        if (number_of_.try_emplace(text, texts_.size()).second)
          texts_.push_back(std::move(text));
      }
}

std::string MapAliases::name(const AffineMap& map) const {
  std::string text = in_place(map);
  const auto found = number_of_.find(text);
  if (found == number_of_.end())
    return text;
  return found->second == 0 ? "#map" : fmt::format("#map{}", found->second);
}

std::string MapAliases::definitions() const {
  std::string out;
  for (size_t i = 0; i < texts_.size(); ++i)
    out += definition(i);
  return out;
}

std::string MapAliases::definitions(const Function& function) const {
  std::set<size_t> used;
  for (const Op& op : function.ops)
    if (const auto* generic = op.as<GenericOp>())
      for (const AffineMap& map : generic->maps)
        used.insert(number_of_.at(in_place(map)));
  std::string out;
  for (const size_t i : used)
    out += definition(i);
  return out;
}

std::string MapAliases::definition(size_t i) const {
  return i == 0 ? fmt::format("#map = {}\n", texts_[i])
                : fmt::format("#map{} = {}\n", i, texts_[i]);
}

// ---- functions ---------------------------------------------------------------------------------

Printer::Printer(const Function& function, const MapAliases& aliases,
                 const ConstantNames& constants, unsigned indent)
    : function_(function), aliases_(aliases), constants_(constants), names_(value_names(function)),
      indent_(indent) {}

void Printer::line() {
  out_ += '\n';
  out_.append(indent_, ' ');
}

LocatedText Printer::take_located(std::string before) {
  LocatedText located{std::move(before), {{0, {}}}, {}};
  const size_t shift = located.text.size();
  for (const LocatedText::Place& place : places_)
    located.places.push_back({place.at + shift, place.loc});
  for (const Put& put : puts_) {
    const Value& value = function_.value(put.value);
    located.mentions.push_back({put.at + shift, put.size, value.name, value.loc});
  }
  located.text += out_;
  return located;
}

void Printer::print_function() {
  out_.append(indent_, ' ');
  from(function_.loc);
  print_signature();
  out_ += " {";
  indent_ += 2;
  for (const Op& op : function_.ops) {
    if (op.is<ErasedOp>())
      continue;
    line();
    print_op(op);
  }
  indent_ -= 2;
  line();
  from(function_.loc);
  out_ += "}\n";
}

void Printer::from(Loc loc) {
  places_.push_back({out_.size(), loc});
}

void Printer::print_signature() {
  constexpr std::string_view kVisibility[] = {"", "public ", "private "};
  out_ += fmt::format("func.func {}@{}(", kVisibility[static_cast<size_t>(function_.visibility)],
                      symbol(function_.name));
  for (size_t i = 0; i < function_.args.size(); ++i) {
    const Argument& argument = function_.args[i];
    out_ += i > 0 ? ", " : "";
    put(argument.value);
    out_ += ": " + type(argument.value);
    if (!argument.writable && !argument.is_result)
      continue;
    out_ += " {";
    if (argument.writable)
      out_ += fmt::format("bufferization.writable = {}", *argument.writable);
    if (argument.is_result)
      out_ += argument.writable ? ", bufferize.result" : "bufferize.result";
    out_ += '}';
  }
  out_ += ')';
  const std::vector<Type>& results = function_.result_types;
  if (results.empty())
    return;
  out_ += results.size() == 1 ? " -> " : " -> (";
  for (size_t i = 0; i < results.size(); ++i)
    out_ += (i > 0 ? ", " : "") + to_string(results[i]);
  out_ += results.size() == 1 ? "" : ")";
}

// ---- values ------------------------------------------------------------------------------------

std::string Printer::name(ValueId value) const {
  const bool known = value.index < names_.size() && !names_[value.index].empty();
  return known ? "%" + names_[value.index] : "%<undefined>"; // only in IR that is not valid
}

std::string Printer::type(ValueId value) const {
  return value.index < function_.values.size() ? to_string(function_.type(value)) : "<undefined>";
}

void Printer::put(ValueId value) {
  const std::string text = name(value);
  if (value.index < names_.size())
    puts_.push_back({out_.size(), text.size(), value});
  out_ += text;
}

void Printer::print_names(const std::vector<ValueId>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    out_ += i > 0 ? ", " : "";
    put(values[i]);
  }
}

void Printer::print_types(const std::vector<ValueId>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    out_ += i > 0 ? ", " : "";
    out_ += type(values[i]);
  }
}

void Printer::print_typed(const std::vector<ValueId>& values) {
  print_names(values);
  out_ += " : ";
  print_types(values);
}

void Printer::print_arrow(const std::vector<ValueId>& results) {
  if (results.empty())
    return;
  out_ += results.size() == 1 ? " -> " : " -> (";
  print_types(results);
  out_ += results.size() == 1 ? "" : ")";
}

} // namespace mo
