#include "runtime/perf_map.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace mo {
namespace {

std::string cannot_write(std::string_view path, int error) {
  return fmt::format("cannot write {}: {}", path, std::strerror(error));
}

} // namespace

std::variant<PerfMap, std::string> PerfMap::create() {
  const std::string path = fmt::format("/tmp/perf-{}.map", ::getpid());
  // Everybody may write to /tmp: nothing that stands there is followed or trusted.
  ::unlink(path.c_str());
  const int file =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_APPEND, 0644);
  if (file < 0)
    return cannot_write(path, errno);
  return PerfMap(path, file);
}

PerfMap::PerfMap(PerfMap&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

PerfMap& PerfMap::operator=(PerfMap&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  return *this;
}

PerfMap::~PerfMap() {
  if (file_ >= 0)
    ::close(file_);
}

std::optional<std::string> PerfMap::add(const std::byte* address,
                                        const std::vector<MachineCode::Part>& parts) {
  std::string text;
  for (const MachineCode::Part& part : parts)
    text += fmt::format("{:x} {:x} {}\n", reinterpret_cast<uintptr_t>(address) + part.begin,
                        part.end - part.begin, part.name);
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t put = ::write(file_, rest.data(), rest.size());
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return cannot_write(path_, errno);
    rest.remove_prefix(static_cast<size_t>(put));
  }
  return std::nullopt;
}

} // namespace mo
