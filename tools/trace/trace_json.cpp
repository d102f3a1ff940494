#include "tools/trace/trace_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include "passes/remarks.h"

namespace mo {
namespace {

using Json = nlohmann::ordered_json;

Json number(TextId version) {
  return version == kNotKept ? Json(nullptr) : Json(version);
}
Json numbers(const std::vector<TextId>& versions) {
  Json json = Json::array();
  for (const TextId v : versions)
    json.push_back(number(v));
  return json;
}

/// Numbers the places of a page; 0 is nowhere.
class Places {
public:
  size_t number_of(Loc loc) {
    if (loc == Loc{})
      return 0;
    const auto [it, is_new] = numbers_.try_emplace({loc.line, loc.col}, list_.size());
    if (is_new)
      list_.push_back({loc.line, loc.col});
    return it->second;
  }
  const Json& list() const { return list_; }

private:
  std::map<std::pair<uint32_t, uint32_t>, size_t> numbers_;
  Json list_ = Json::array({{0, 0}});
};

// [place, text, name, value, text, name, value, text]
Json json_of(const LineTable::Line& line, Places& places) {
  Json json = {places.number_of(line.loc)};
  size_t at = 0;
  for (const LineTable::Mention& m : line.mentions) {
    json.push_back(line.text.substr(at, m.at - at));
    json.push_back(line.text.substr(m.at, m.size));
    json.push_back(m.value);
    at = m.at + m.size;
  }
  json.push_back(line.text.substr(at));
  return json;
}

// [base, first, dropped, lines]: the text `base` (null: an empty one) with `dropped` lines from
// `first` on replaced by others.
Json delta(const LineTable::Text& text, const LineTable::Text* base, size_t base_number) {
  if (!base)
    return {nullptr, 0, 0, text};
  const auto [end, base_end] = std::mismatch(text.begin(), text.end(), base->begin(), base->end());
  const size_t same = static_cast<size_t>(end - text.begin());
  size_t tail = 0;
  while (tail < std::min(text.size(), base->size()) - same &&
         text[text.size() - 1 - tail] == (*base)[base->size() - 1 - tail])
    ++tail;
  return {base_number, same, base->size() - same - tail,
          LineTable::Text(end, text.end() - static_cast<std::ptrdiff_t>(tail))};
}

Json versions_of(const Trace& trace) {
  Json json = Json::array();
  std::map<size_t, size_t> last; // version of each function
  for (size_t v = 0; v < trace.versions.size(); ++v) {
    const FunctionText& version = trace.versions[v];
    const auto [it, is_first] = last.try_emplace(version.function, v);
    json.push_back(
        delta(version.lines, is_first ? nullptr : &trace.versions[it->second].lines, it->second));
    it->second = v;
  }
  return json;
}

Json json_of(const TraceStep& step, Places& places) {
  Json json = {{"function", step.function},
               {"kind", spelling(step.remark.kind)},
               {"reason", step.remark.reason},
               {"message", step.remark.message},
               {"place", places.number_of(step.remark.loc)}};
  for (const Note& note : step.remark.notes)
    json["notes"].push_back({places.number_of(note.loc), note.message});
  if (!step.remark.grounds.empty())
    json["grounds"] = step.remark.grounds;
  if (step.is_rewrite) {
    json["what"] = step.what;
    json["before"] = number(step.before);
    json["after"] = number(step.after);
  }
  return json;
}

Json json_of(const TracePass& pass, Places& places) {
  Json json = {{"name", pass.name},
               {"before", numbers(pass.before)},
               {"after", numbers(pass.after)},
               {"rewrites", pass.rewrites},
               {"left_out", pass.steps_left_out},
               {"steps", Json::array()}};
  for (const TraceStep& step : pass.steps)
    json["steps"].push_back(json_of(step, places));
  return json;
}

Json json_of(const Trace& trace, Places& places) {
  Json json = {{"name", trace.name},
               {"input", numbers(trace.input)},
               {"output", numbers(trace.output)},
               {"versions", versions_of(trace)},
               {"passes", Json::array()},
               {"code", Json::array()}};
  for (const TracePass& pass : trace.passes)
    json["passes"].push_back(json_of(pass, places));
  for (const TraceCode& code : trace.code)
    json["code"].push_back({{"loops", code.loops},
                            {"assembly", code.assembly},
                            {"loop_lines", code.loop_lines},
                            {"assembly_lines", code.assembly_lines},
                            {"why_none", code.why_none}});
  return json;
}

Json json_of(const TraceVariant& variant, Places& places) {
  Json json = {{"name", variant.name},
               {"is_traced", variant.is_traced},
               {"generics", variant.counts.generics},
               {"allocs", variant.counts.allocs},
               {"copies", variant.counts.copies},
               {"allocated_bytes", variant.allocated_bytes},
               {"walks", Json::array()}};
  for (const TraceVariant::WalkOver& over : variant.walks)
    json["walks"].push_back({{"buffer", over.buffer},
                             {"bytes", over.bytes},
                             {"writes", over.walk.writes},
                             {"streaming", over.walk.streaming},
                             {"nest", over.walk.nest},
                             {"place", places.number_of(over.walk.loc)}});
  return json;
}

} // namespace

std::string json_of(const TracePage& page) {
  Places places;
  Json json = {{"file", page.file},
               {"command", page.command},
               {"isa", page.isa},
               {"functions", page.functions}};
  json["source"] = Json::object();
  for (const auto& [line, text] : page.source)
    json["source"][std::to_string(line)] = text;
  json["lines"] = Json::array();
  for (const LineTable::Line& line : page.lines.lines())
    json["lines"].push_back(json_of(line, places));
  json["traces"] = Json::array();
  for (const Trace& trace : page.traces)
    json["traces"].push_back(json_of(trace, places));
  json["memory"] = Json::array();
  for (const std::vector<TraceVariant>& variants : page.variants) {
    Json list = Json::array();
    for (const TraceVariant& variant : variants)
      list.push_back(json_of(variant, places));
    json["memory"].push_back(std::move(list));
  }
  if (page.figures)
    json["figures"] = Json::parse(json_of(*page.figures));
  json["places"] = places.list();

  std::string text;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<')
      text += "\\u003c"; // only within strings: "</script>" would end the element
    else
      text += c;
  }
  return text;
}

} // namespace mo
