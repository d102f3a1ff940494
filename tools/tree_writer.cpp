#include "tools/tree_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>
#include <vector>

namespace mo {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstWords = "// IR Dump ";

// "012_fuse.tir", by which mini-opt began its text?
bool is_dump(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const size_t digits = std::find_if_not(name.begin(), name.end(), is_digit) - name.begin();
  std::error_code ignored;
  if (digits < 3 || digits == name.size() || name[digits] != '_' || !name.ends_with(".tir") ||
      !entry.is_regular_file(ignored))
    return false;
  std::string start(kFirstWords.size(), '\0');
  std::ifstream(entry.path(), std::ios::binary).read(start.data(), std::ssize(start));
  return start == kFirstWords;
}

std::optional<FileError> remove_dumps(const fs::path& directory) {
  std::vector<fs::path> old;
  std::error_code code;
  for (fs::directory_iterator it(directory, code), last; !code && it != last; it.increment(code))
    if (is_dump(*it))
      old.push_back(it->path());
  if (code)
    return FileError{fmt::format("cannot read {}: {}", directory.string(), code.message())};
  for (const fs::path& path : old)
    if (!fs::remove(path, code) && code)
      return FileError{fmt::format("cannot remove {}: {}", path.string(), code.message())};
  return std::nullopt;
}

} // namespace

std::optional<FileError> TreeWriter::begin(const Module& input) {
  std::error_code code;
  fs::create_directories(directory_, code);
  if (code)
    return FileError{
        fmt::format("cannot make the directory {}: {}", directory_.string(), code.message())};
  if (auto error = remove_dumps(directory_))
    return error;
  return replace_file(path_of(0, "input"),
                      ir_dump("At Start, pipeline: " + pipeline_.flags, input));
}

std::optional<FileError> TreeWriter::end(const Module&) {
  return error_;
}

void TreeWriter::pass_ends(const PassRun& run, const Module& module) {
  write(run, ir_dump("After " + describe(run, pipeline_), module));
}

void TreeWriter::pass_failed(const PassRun& run, const Module& module, const Diagnostics& why) {
  write(run, failed_dump(run, pipeline_, module, why));
}

std::string TreeWriter::path_of(unsigned number, std::string_view name) const {
  std::string file = fmt::format("{:03}_{}.tir", number, name);
  std::replace(file.begin(), file.end(), '=', '_'); // fuse=mlir
  return (directory_ / file).string();
}

void TreeWriter::write(const PassRun& run, std::string_view text) {
  if (auto error = replace_file(path_of(run.number, run.pass), text); error && !error_)
    error_ = std::move(error);
}

} // namespace mo
