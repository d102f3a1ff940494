// Names of values: definitions, uses, scopes, and what is said about wrong ones.
#include <algorithm>

#include <fmt/format.h>

#include "ir/parser.h"

namespace mo {

// ---- uses --------------------------------------------------------------------------------------

ValueId Parser::parse_operand() {
  const Token name = expect(TokenKind::Percent, "a value, like %x");
  const bool numbered = tok_.is(TokenKind::Hash) && tok_.loc.line == name.loc.line;
  if (!numbered)
    return use(name, std::nullopt);
  const Token number = take();
  if (number.text.empty() || number.text[0] < '0' || number.text[0] > '9')
    fail(DiagId::UnexpectedToken, number.loc,
         fmt::format("expected the number of a result, like #0, found {}", describe(number)));
  return use(name, static_cast<uint64_t>(to_int64(number, /*negative=*/false)));
}

std::vector<ValueId> Parser::parse_operands() {
  std::vector<ValueId> values;
  do
    values.push_back(parse_operand());
  while (accept(','));
  return values;
}

ValueId Parser::use(const Token& name, std::optional<uint64_t> number) {
  const auto found = names_.find(name.text);
  if (found == names_.end()) {
    unresolved_.push_back(name);
    return kPoison;
  }
  const Name& definition = found->second;
  if (definition.first == kPoison)
    return kPoison;
  if (number.value_or(0) >= definition.count)
    fail(DiagId::ResultNumber, name.loc,
         fmt::format("there is no result #{} of %{}, which has {}", *number, cut(name.text),
                     definition.count == 1 ? "one result"
                                           : fmt::format("{} results", definition.count)),
         {{definition.loc, fmt::format("%{} is defined here", cut(name.text))}});
  return {definition.first.index + static_cast<uint32_t>(number.value_or(0))};
}

// Uses from `first_use` on that the scope about to end defines further down, or, at the end of the
// function, that nothing defines. One report per name.
void Parser::report_unresolved(size_t first_use, bool end_of_function) {
  std::vector<Token> outer;
  std::unordered_set<std::string_view> reported;
  for (size_t i = first_use; i < unresolved_.size(); ++i) {
    const Token& name = unresolved_[i];
    const auto found = names_.find(name.text);
    if (found == names_.end() && !end_of_function) {
      outer.push_back(name);
    } else if (!reported.insert(name.text).second) {
      continue;
    } else if (found == names_.end()) {
      error(DiagId::UndefinedValue, name.loc,
            fmt::format("nothing defines {} here", describe(name)));
    } else {
      error(DiagId::UseBeforeDefinition, name.loc,
            fmt::format("{} is used above its definition", describe(name)),
            {{found->second.loc, "it is defined here"}});
    }
  }
  unresolved_.resize(first_use);
  unresolved_.insert(unresolved_.end(), outer.begin(), outer.end());
}

// "%x", "%r#1", for messages.
std::string Parser::display(ValueId value) const {
  const std::string& name = function_.value(value).name;
  const auto found = names_.find(name);
  if (found == names_.end() || found->second.count == 1)
    return "%" + cut(name);
  return fmt::format("%{}#{}", cut(name), value.index - found->second.first.index);
}

void Parser::check_type(ValueId value, const Type& written, Loc use_loc) {
  if (value == kPoison || function_.type(value) == written)
    return;
  const Value& v = function_.value(value);
  error(DiagId::WrittenType, use_loc,
        fmt::format("{} is used as {} here but has type {}", display(value), to_string(written),
                    to_string(v.type)),
        {{v.loc, fmt::format("{} is defined here", display(value))}});
}

std::vector<ValueId> Parser::parse_typed_operands() {
  const Loc list_loc = tok_.loc;
  std::vector<Loc> locs;
  std::vector<ValueId> values;
  do {
    locs.push_back(tok_.loc);
    values.push_back(parse_operand());
  } while (accept(','));
  expect(':');
  size_t types = 0;
  do {
    const Type type = parse_type();
    if (types < values.size())
      check_type(values[types], type, locs[types]);
    ++types;
  } while (accept(','));
  if (types != values.size())
    error(DiagId::TypeListLength, list_loc,
          fmt::format("{} value{} but {} type{} in one list", values.size(),
                      values.size() == 1 ? "" : "s", types, types == 1 ? "" : "s"));
  return values;
}

// ---- definitions -------------------------------------------------------------------------------

void Parser::define(std::string_view name, Loc loc, ValueId first, uint32_t count) {
  const auto [entry, fresh] = names_.try_emplace(name, Name{first, count, loc});
  if (fresh)
    scope_.push_back(name);
  else
    error(DiagId::ValueRedefined, loc, fmt::format("%{} is defined twice", cut(name)),
          {{entry->second.loc, "the first definition is here"}});
}

void Parser::define_poison(std::string_view name, Loc loc) {
  if (names_.try_emplace(name, Name{kPoison, 1, loc}).second)
    scope_.push_back(name);
}

void Parser::leave_scope(size_t mark) {
  for (size_t i = mark; i < scope_.size(); ++i)
    names_.erase(scope_[i]);
  scope_.resize(mark);
}

// [%a [: 2] {, %b [: n]} =]
Parser::Names Parser::parse_result_names() {
  Names names;
  if (!tok_.is(TokenKind::Percent))
    return names;
  do {
    const Token name = expect(TokenKind::Percent, "the name of a result, like %x");
    ResultName result{name.text, name.loc, 1};
    if (accept(':')) {
      const Token count = expect(TokenKind::Integer, "the number of results");
      const int64_t n = to_int64(count, /*negative=*/false);
      if (n < 1 || n > UINT32_MAX)
        fail(DiagId::ResultCount, count.loc,
             fmt::format("{} results are not possible", cut(count.text)));
      result.count = static_cast<uint32_t>(n);
    }
    names.push_back(result);
  } while (accept(','));
  expect('=');
  return names;
}

std::vector<ValueId> Parser::define_results(const Names& names, std::vector<Type> types, Loc op_loc,
                                            std::string_view op) {
  uint64_t named = 0;
  for (const ResultName& name : names)
    named += name.count;
  // An op without names is fine: its results are not used.
  if (!names.empty() && named != types.size()) {
    error(DiagId::ResultCount, names[0].loc,
          fmt::format("{} result{} named here, but this {} has {}", named,
                      named == 1 ? " is" : "s are", op, types.size()));
    poison_results(names);
    return {};
  }
  std::vector<ValueId> results;
  results.reserve(types.size());
  if (names.empty())
    for (Type& type : types)
      results.push_back(function_.add_value("", std::move(type), op_loc));
  for (const ResultName& name : names) {
    const auto first = static_cast<uint32_t>(function_.values.size());
    for (uint32_t i = 0; i < name.count; ++i)
      results.push_back(
          function_.add_value(std::string(name.name), std::move(types[results.size()]), name.loc));
    define(name.name, name.loc, ValueId{first}, name.count);
  }
  return results;
}

void Parser::poison_results(const Names& names) {
  for (const ResultName& name : names)
    define_poison(name.name, name.loc);
}

} // namespace mo
