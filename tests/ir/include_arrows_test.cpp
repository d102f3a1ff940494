// The layout is the architecture: which room may include which, who may know asmjit, who may print,
// and how long a file may be.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace mo {
namespace {

namespace fs = std::filesystem;

struct SourceText {
  std::string path; // "ir/type.h"
  std::string room; // "ir"
  std::vector<std::string> lines;
};

fs::path project_root() {
#ifdef MO_SOURCE_DIR
  return MO_SOURCE_DIR;
#else
  return fs::absolute(__FILE__).parent_path().parent_path().parent_path();
#endif
}

/// Which rooms each room may include. Tests may include everything and are not asked.
const std::map<std::string, std::set<std::string>> kArrows = {
    {"ir", {"ir"}},
    {"passes", {"ir", "passes"}},
    {"codegen", {"ir", "codegen"}},
    {"runtime", {"ir", "codegen", "runtime"}},
    {"tools", {"ir", "passes", "codegen", "runtime", "tools"}},
};

std::vector<SourceText> sources_in(const std::string& folder) {
  std::vector<SourceText> sources;
  const fs::path root = project_root();
  if (!fs::exists(root / folder))
    return sources;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file() ||
        (extension != ".h" && extension != ".cpp" && extension != ".def"))
      continue;
    SourceText source{fs::relative(entry.path(), root).string(), folder, {}};
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      source.lines.push_back(line);
    sources.push_back(std::move(source));
  }
  return sources;
}

std::vector<SourceText> room_sources() {
  std::vector<SourceText> all;
  for (const auto& [room, allowed] : kArrows)
    for (SourceText& source : sources_in(room))
      all.push_back(std::move(source));
  return all;
}

std::string without_comment(const std::string& line) {
  return line.substr(0, line.find("//"));
}

/// Does the word stand in the line, not as the end of a longer name?
bool has_word(const std::string& line, const std::string& word) {
  for (size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
    const char before = at == 0 ? ' ' : line[at - 1];
    if (std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_')
      return true;
  }
  return false;
}

/// "ir/type.h:12: #include ..." for each line of these rooms that has one of the words outside of a
/// comment.
std::string lines_with(const std::vector<std::string>& rooms,
                       const std::vector<std::string>& words) {
  std::string found;
  for (const std::string& room : rooms)
    for (const SourceText& source : sources_in(room))
      for (size_t i = 0; i < source.lines.size(); ++i) {
        const std::string code = without_comment(source.lines[i]);
        if (std::any_of(words.begin(), words.end(),
                        [&](const std::string& word) { return has_word(code, word); }))
          found += source.path + ":" + std::to_string(i + 1) + ": " + source.lines[i] + "\n";
      }
  return found;
}

/// What stands between the quotes of an #include "...", or nothing.
std::string quoted_include(const std::string& line) {
  const size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#' || line.find("include") == std::string::npos)
    return {};
  const size_t open = line.find('"'), close = line.rfind('"');
  return open == close ? std::string() : line.substr(open + 1, close - open - 1);
}

TEST(IncludeArrows, EveryRoomIsThere) {
  for (const auto& [room, allowed] : kArrows)
    EXPECT_FALSE(sources_in(room).empty()) << room << " under " << project_root();
}

TEST(IncludeArrows, ARoomIncludesOnlyWhatItMayKnow) {
  std::string wrong;
  for (const SourceText& source : room_sources())
    for (const std::string& line : source.lines) {
      const std::string path = quoted_include(line);
      if (!path.empty() && !kArrows.at(source.room).contains(path.substr(0, path.find('/'))))
        wrong += source.path + ": " + line + "\n";
    }
  EXPECT_EQ(wrong, "");
}

TEST(IncludeArrows, AsmjitIsSeenInCodegenAlone) {
  EXPECT_EQ(lines_with({"ir", "passes", "runtime", "tools"}, {"asmjit"}), "");
}

TEST(IncludeArrows, CodegenDoesNotParse) {
  EXPECT_EQ(lines_with({"codegen"}, {"ir/parse", "ir/lexer"}), "");
}

TEST(IncludeArrows, IrAndPassesNeverPrint) {
  EXPECT_EQ(
      lines_with({"ir", "passes"}, {"<iostream>", "<cstdio>", "<stdio.h>", "printf(", "fprintf(",
                                    "puts(", "fputs(", "cout", "cerr", "clog", "fmt::print"}),
      "");
}

/// "Buffer" for `struct Buffer {` at the start of a line, or nothing.
std::string defined_type(const std::string& line) {
  for (const std::string keyword : {"struct ", "class ", "enum class "})
    if (line.starts_with(keyword) && line.find('{') != std::string::npos) {
      const size_t begin = keyword.size();
      return line.substr(begin, line.find_first_of(" :{<", begin) - begin);
    }
  return {};
}

// One namespace, many rooms: where two headers give one name two meanings, the linker picks one of
// them for both (it did, for Buffer), and no compiler says a word.
TEST(TypeNames, EveryTypeOfAHeaderHasANameOfItsOwn) {
  std::map<std::string, std::string> defined_in;
  std::string twice;
  for (const SourceText& source : room_sources()) {
    if (!source.path.ends_with(".h"))
      continue;
    for (const std::string& line : source.lines)
      if (const std::string name = defined_type(line); !name.empty()) {
        const auto [other, is_new] = defined_in.emplace(name, source.path);
        if (!is_new)
          twice += name + ": " + other->second + " and " + source.path + "\n";
      }
  }
  EXPECT_EQ(twice, "");
  EXPECT_GT(defined_in.size(), 50u);
}

TEST(FileSize, NoSourceFileIsLongerThanFourHundredLines) {
  std::vector<SourceText> sources = room_sources();
  for (SourceText& source : sources_in("tests"))
    sources.push_back(std::move(source));
  std::string too_long;
  for (const SourceText& source : sources)
    if (source.lines.size() > 400)
      too_long += source.path + " has " + std::to_string(source.lines.size()) + " lines\n";
  EXPECT_EQ(too_long, "") << "a file that grows past 400 lines is two things: split it by job";
}

} // namespace
} // namespace mo
