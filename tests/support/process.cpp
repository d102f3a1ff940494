#include "tests/support/process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace mo::testing {
namespace {

[[noreturn]] void become(const std::vector<std::string>& argv, const std::string& in,
                         const std::string& out, const std::string& err,
                         const std::vector<std::string>& env) {
  dup2(open(in.c_str(), O_RDONLY), STDIN_FILENO);
  dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
  dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
  for (const std::string& entry : env)
    putenv(const_cast<char*>(entry.c_str()));
  std::vector<char*> arguments;
  for (const std::string& a : argv)
    arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

int version_of(const std::string& mlir_opt) {
  const std::string text = run_process({mlir_opt, "--version"}).out;
  const size_t at = text.find("LLVM version ");
  return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + 13);
}

} // namespace

Ended run_process(const std::vector<std::string>& argv, const std::string& input,
                  const std::vector<std::string>& env) {
  const TemporaryDirectory dir;
  write_file(dir / "in", input);
  const pid_t child = fork();
  if (child < 0)
    throw std::runtime_error("cannot fork");
  if (child == 0)
    become(argv, dir / "in", dir / "out", dir / "err", env);
  int status = 0;
  waitpid(child, &status, 0);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, read_file(dir / "out"), read_file(dir / "err")};
}

Ended mini_opt(std::vector<std::string> arguments, const std::string& input,
               const std::vector<std::string>& env) {
  arguments.insert(arguments.begin(), MO_MINI_OPT);
  return run_process(arguments, input, env);
}

bool is_installed(const std::string& command) {
  return run_process({"sh", "-c", "command -v " + command}).status == 0;
}

std::string repository_file(const std::string& path) {
  return std::string(MO_SOURCE_DIR) + "/" + path;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    throw std::runtime_error("cannot write " + path);
}

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "mini-opt-test-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    throw std::runtime_error("cannot make a temporary directory");
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string find_dwarfdump() {
  for (const char* name : {"llvm-dwarfdump-22", "llvm-dwarfdump-21", "llvm-dwarfdump-20",
                           "llvm-dwarfdump-19", "llvm-dwarfdump"})
    if (is_installed(name))
      return name;
  return "";
}

std::string find_mlir_opt() {
  static const std::string found = [] {
    std::string best;
    int best_version = 19;
    for (int suffix = 0; suffix <= 40; ++suffix) {
      const std::string name = suffix == 0 ? "mlir-opt" : "mlir-opt-" + std::to_string(suffix);
      if (suffix != 0 && suffix < 20)
        continue;
      if (const int version = version_of(name); version > best_version) {
        best = name;
        best_version = version;
      }
    }
    return best;
  }();
  return found;
}

} // namespace mo::testing
