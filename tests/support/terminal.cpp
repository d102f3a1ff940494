#include "tests/support/terminal.h"

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

namespace mo::testing {
namespace {

constexpr std::chrono::seconds kPatience(120);

} // namespace

Terminal::Terminal(const std::vector<std::string>& argv) {
  winsize size = {};
  size.ws_row = 50;
  size.ws_col = 120;
  if (openpty(&master_, &slave_, nullptr, nullptr, &size) != 0)
    throw std::runtime_error("no pseudo-terminal to be had");
  child_ = fork();
  if (child_ < 0)
    throw std::runtime_error("cannot fork");
  if (child_ > 0)
    return;
  close(master_);
  login_tty(slave_); // a session of its own, with this as its terminal
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  std::vector<char*> arguments;
  for (const std::string& a : argv)
    arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

Terminal::~Terminal() {
  if (child_ > 0) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  close(master_);
  close(slave_);
}

void Terminal::type(const std::string& keys) {
  if (write(master_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size()))
    throw std::runtime_error("cannot type");
}

bool Terminal::read_some(int milliseconds) {
  pollfd in{master_, POLLIN, 0};
  if (poll(&in, 1, milliseconds) != 1)
    return false;
  char buffer[4096];
  const ssize_t got = read(master_, buffer, sizeof buffer);
  if (got <= 0)
    return false;
  shown_.append(buffer, static_cast<size_t>(got));
  return true;
}

std::string Terminal::wait_for(const std::string& text) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  size_t at = 0;
  while ((at = shown_.find(text, waited_for_)) == std::string::npos) {
    if (std::chrono::steady_clock::now() > end)
      throw std::runtime_error("'" + text + "' did not come; there is\n" + shown_);
    read_some(100);
  }
  const size_t from = waited_for_;
  waited_for_ = at + text.size();
  return shown_.substr(from, waited_for_ - from);
}

int Terminal::wait() {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  int status = 0;
  while (waitpid(child_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end)
      throw std::runtime_error("the program does not end; there is\n" + shown_);
    read_some(50);
  }
  while (read_some(50)) {
  }
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

termios Terminal::settings() const {
  termios now = {};
  if (tcgetattr(slave_, &now) != 0)
    throw std::runtime_error("the terminal does not tell its settings");
  return now;
}

bool Terminal::collects_lines() const {
  return (settings().c_lflag & ICANON) != 0;
}

bool Terminal::echoes() const {
  return (settings().c_lflag & ECHO) != 0;
}

bool Terminal::wait_until_collects_lines(bool so) const {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (collects_lines() != so) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

} // namespace mo::testing
