// Code made at run time, named for perf.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "codegen/machine_code.h"

namespace mo {

/// /tmp/perf-PID.map: where perf looks up addresses that are in no file. One line per machine
/// function: address and size in hexadecimal digits, then the name. The file stays behind, for
/// `perf report`.
class PerfMap {
public:
  /// A new file for this process, in place of one that an earlier process of its number left; or
  /// what is wrong, in words.
  static std::variant<PerfMap, std::string> create();

  PerfMap(PerfMap&& other) noexcept;
  PerfMap& operator=(PerfMap&& other) noexcept;
  ~PerfMap();

  /// Code whose text stands at `address`. What is wrong, where the file cannot take it.
  std::optional<std::string> add(const std::byte* address,
                                 const std::vector<MachineCode::Part>& parts);

  const std::string& path() const { return path_; }

private:
  PerfMap(std::string path, int file) : path_(std::move(path)), file_(file) {}

  std::string path_;
  int file_ = -1;
};

} // namespace mo
