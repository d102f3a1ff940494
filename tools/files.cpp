#include "tools/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace mo {
namespace {

class Descriptor {
public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ > STDERR_FILENO)
      ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

private:
  int fd_;
};

FileError failed(std::string_view verb, std::string_view name, int error) {
  return {fmt::format("cannot {} {}: {}", verb, name, std::strerror(error))};
}

} // namespace

std::variant<SourceFile, FileError> read_source(const std::string& path) {
  const bool from_stdin = path == "-";
  SourceFile source{from_stdin ? "<stdin>" : path, ""};
  const Descriptor in(from_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.get() < 0)
    return failed("read", path, errno);
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(in.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return failed("read", source.name, errno);
    if (got == 0)
      return source;
    source.text.append(buffer, static_cast<size_t>(got));
    if (source.text.size() > kMaxInputBytes)
      return FileError{
          fmt::format("cannot read {}: it goes on after {} bytes, the most that is taken",
                      source.name, kMaxInputBytes)};
  }
}

std::optional<FileError> write_text(const std::string& path, std::string_view text) {
  const bool to_stdout = path.empty() || path == "-";
  const std::string_view name = to_stdout ? "<stdout>" : std::string_view(path);
  Descriptor out(to_stdout ? STDOUT_FILENO
                           : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (out.get() < 0)
    return failed("write", name, errno);
  while (!text.empty()) {
    const ssize_t put = ::write(out.get(), text.data(), text.size());
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0 && errno == EPIPE && to_stdout)
      return std::nullopt;
    if (put < 0)
      return failed("write", name, errno);
    text.remove_prefix(static_cast<size_t>(put));
  }
  // Some file systems tell of a full disk only here.
  if (!to_stdout && ::close(out.release()) != 0)
    return failed("write", name, errno);
  return std::nullopt;
}

void say(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

std::optional<FileError> replace_file(const std::string& path, std::string_view text) {
  struct stat there = {};
  const bool exists = ::lstat(path.c_str(), &there) == 0;
  if (path.empty() || path == "-" || (exists && !S_ISREG(there.st_mode)))
    return write_text(path, text);
  if (exists && ::access(path.c_str(), W_OK) != 0) // a rename would not ask
    return failed("write", path, errno);
  const std::string fresh = fmt::format("{}.{}.new", path, ::getpid());
  if (auto error = write_text(fresh, text)) {
    const size_t at = error->message.find(fresh); // the name that the user knows
    if (at != std::string::npos)
      error->message.replace(at, fresh.size(), path);
    ::unlink(fresh.c_str());
    return error;
  }
  if (exists)
    ::chmod(fresh.c_str(), there.st_mode & 07777);
  if (::rename(fresh.c_str(), path.c_str()) == 0)
    return std::nullopt;
  const int error = errno;
  ::unlink(fresh.c_str());
  return failed("write", path, error);
}

std::optional<FileError> cannot_write(const std::string& path) {
  struct stat there = {};
  const bool exists = ::stat(path.c_str(), &there) == 0;
  if (exists && S_ISDIR(there.st_mode))
    return failed("write", path, EISDIR);
  const size_t name = path.rfind('/') + 1;
  const std::string directory = name == 0 ? "." : path.substr(0, name);
  if (!exists && name == path.size())
    return failed("write", path, path.empty() ? ENOENT : EISDIR);
  const bool writable =
      exists ? ::access(path.c_str(), W_OK) == 0 : ::access(directory.c_str(), W_OK | X_OK) == 0;
  return writable ? std::nullopt : std::optional(failed("write", path, errno));
}

bool wants_color(int fd) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return ::isatty(fd) == 1 && (no_color == nullptr || *no_color == '\0') &&
         (term == nullptr || std::string_view(term) != "dumb");
}

ProgressLine::ProgressLine() : on_terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (shown_)
    std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(std::string_view what) {
  if (!on_terminal_)
    return;
  std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(what.size()), what.data());
  std::fflush(stderr);
  shown_ = true;
}

} // namespace mo
