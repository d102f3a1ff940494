#include "tests/gdb/gdb_session.h"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

#include "tests/support/process.h"

namespace mo::testing {
namespace {

bool may_be_traced() {
  const pid_t child = fork();
  if (child == 0)
    _exit(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

std::string why_no_gdb() {
  if (run_process({"sh", "-c", "command -v gdb"}).status != 0)
    return "no gdb on the PATH (Debian package gdb)";
  return may_be_traced() ? "" : "no process may be traced here, so gdb can start none";
}

std::string in_gdb(const std::string& commands, const std::vector<std::string>& arguments) {
  std::vector<std::string> argv = {
      "sh",  "-c",    "exec \"$0\" \"$@\" 2>&1", repository_file("tools/gdb/mini-opt-gdb"),
      "-nx", "-batch"};
  // A container may not let gdb do that, and then gdb says so wherever a program starts.
  argv.insert(argv.end(), {"-ex", "set disable-randomization off"});
  std::istringstream lines(commands);
  for (std::string line; std::getline(lines, line);)
    argv.insert(argv.end(), {"-ex", line});
  argv.push_back("--");
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return run_process(argv, "", {"MINI_OPT=" MO_MINI_OPT_STEPPED}).out;
}

} // namespace mo::testing
