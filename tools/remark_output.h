// --remarks, --remarks-policy, --remarks-output: what the passes decide, on stderr and as a file.
#pragma once

#include <optional>
#include <string>

#include "ir/diagnostic.h"
#include "tools/options.h"
#include "tools/views.h"

namespace mo {

/// Shows each remark of the kinds asked for as it comes, and keeps the text for the file.
class RemarkOutput final : public View {
public:
  RemarkOutput(const Options& options, const SourceFile& source);

  void remark(const Remark& r) override { take(r, /*is_attempt=*/false); }
  void attempt(const Remark& r) override { take(r, /*is_attempt=*/true); }
  bool wants_attempts() const override;

  /// Writes the file of --remarks-output, if there is one: all of it or nothing.
  std::optional<FileError> end(const Module& output) override;

private:
  void take(const Remark& r, bool is_attempt);

  const Options& options_;
  const SourceFile& source_;
  bool color_;
  std::string yaml_;
};

} // namespace mo
