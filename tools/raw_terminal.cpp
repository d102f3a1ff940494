#include "tools/raw_terminal.h"

#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <iterator>

namespace mo {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

// For the handler, which can be handed nothing; written only while the signals have their old
// handlers.
int terminal = -1;
termios as_it_was, raw;
struct sigaction old_actions[std::size(kSignals)];

void install(int signal, struct sigaction* old);

// Only what POSIX allows in a handler: tcsetattr, sigaction, sigprocmask, raise.
extern "C" void give_back_and_pass_on(int signal) {
  const int error = errno;
  tcsetattr(terminal, TCSANOW, &as_it_was);
  struct sigaction by_default = {};
  by_default.sa_handler = SIG_DFL;
  sigaction(signal, &by_default, nullptr);
  sigset_t this_one, before;
  sigemptyset(&this_one);
  sigaddset(&this_one, signal);
  raise(signal);
  sigprocmask(SIG_UNBLOCK, &this_one, &before); // here the process ends, or stops until continued
  sigprocmask(SIG_SETMASK, &before, nullptr);
  install(signal, nullptr);
  tcsetattr(terminal, TCSANOW, &raw);
  errno = error;
}

// Without SA_RESTART: the read that was interrupted says so.
void install(int signal, struct sigaction* old) {
  struct sigaction action = {};
  action.sa_handler = give_back_and_pass_on;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, old);
}

} // namespace

RawTerminal::RawTerminal(int fd) {
  if (tcgetattr(fd, &as_it_was) != 0)
    return;
  terminal = fd;
  raw = as_it_was;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO); // ISIG stays: ^C and ^Z are signals
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    sigaction(kSignals[i], nullptr, &old_actions[i]);
    if (old_actions[i].sa_handler != SIG_IGN) // as under nohup
      install(kSignals[i], nullptr);
  }
  is_raw_ = tcsetattr(fd, TCSADRAIN, &raw) == 0;
}

RawTerminal::~RawTerminal() {
  if (terminal < 0)
    return;
  if (is_raw_)
    tcsetattr(terminal, TCSADRAIN, &as_it_was);
  for (size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], &old_actions[i], nullptr);
  terminal = -1;
}

} // namespace mo
