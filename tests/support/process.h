// Running a program and keeping what it said.
#pragma once

#include <string>
#include <vector>

namespace mo::testing {

struct Ended {
  int status = -1; // exit status; 128 + the signal where one ended it
  std::string out, err;
};

/// Runs argv[0] (looked up on the PATH) with `input` on its stdin; both outputs are kept apart.
/// `env` holds NAME=VALUE additions. Nothing is coloured: there is no terminal.
Ended run_process(const std::vector<std::string>& argv, const std::string& input = "",
                  const std::vector<std::string>& env = {});

/// mini-opt of this build, with these arguments.
Ended mini_opt(std::vector<std::string> arguments, const std::string& input = "",
               const std::vector<std::string>& env = {});

/// Is there a command of that name on the PATH?
bool is_installed(const std::string& command);

/// A file of this repository: repository_file("examples/fusion.tir").
std::string repository_file(const std::string& path);
/// Both throw std::runtime_error where the file cannot be read or written.
std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& text);

/// A directory that goes away with the object.
class TemporaryDirectory {
public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

/// The newest mlir-opt of version 20 or later on the PATH, or "" where there is none: mlir-opt
/// itself or mlir-opt-NN.
std::string find_mlir_opt();

/// The newest llvm-dwarfdump on the PATH, or "".
std::string find_dwarfdump();

} // namespace mo::testing
