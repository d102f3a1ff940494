// The observers that a command line asks for: each in a file of its own, and one line in views.cpp.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "passes/observer.h"
#include "tools/files.h"

namespace mo {

struct Session;

/// An observer with a beginning and an end.
class View : public Observer {
public:
  /// Before the first pass. What cannot be done (a directory that cannot be written) is said here;
  /// then no pass runs.
  virtual std::optional<FileError> begin(const Module& /*input*/) { return std::nullopt; }
  /// After the last pass, if each of them left valid IR. What went wrong on the way is said here.
  virtual std::optional<FileError> end(const Module& /*output*/) { return std::nullopt; }
};

/// All views of one run of mini-opt, in the order in which they hear of things and are asked.
class Views {
public:
  void add(std::unique_ptr<View> view);
  Observer& observer() { return all_; }

  /// Stops at the first error.
  std::optional<FileError> begin(const Module& input);
  /// Ends them all; the first error is returned.
  std::optional<FileError> end(const Module& output);

private:
  std::vector<std::unique_ptr<View>> views_;
  Observers all_;
};

/// What session.options asks for. The views hold on to the session: it has to outlive them and must
/// not move.
Views views_for(Session& session);

} // namespace mo
