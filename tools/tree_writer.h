// --print-ir-tree-dir: the IR in numbered files, the input first, then after each pass.
#pragma once

#include <filesystem>
#include <string>

#include "tools/ir_dump.h"
#include "tools/views.h"

namespace mo {

/// Writes 000_input.tir, 001_fuse.tir, ... Makes the directory, parents too. Files of an earlier
/// run, known by their first line, are removed first, so that all there are belong together; other
/// files are left alone.
class TreeWriter final : public View {
public:
  TreeWriter(std::filesystem::path directory, DumpedPipeline pipeline)
      : directory_(std::move(directory)), pipeline_(std::move(pipeline)) {}
  std::optional<FileError> begin(const Module& input) override;
  std::optional<FileError> end(const Module& output) override;
  void pass_ends(const PassRun& run, const Module& module) override;
  void pass_failed(const PassRun& run, const Module& module, const Diagnostics& why) override;

private:
  std::string path_of(unsigned number, std::string_view name) const;
  void write(const PassRun& run, std::string_view text);

  std::filesystem::path directory_;
  DumpedPipeline pipeline_;
  std::optional<FileError> error_; // the first
};

} // namespace mo
