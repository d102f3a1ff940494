// Remarks, kept and written out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/diagnostic.h"
#include "passes/observer.h"

namespace mo {

/// Keeps every remark in the order it came.
class RemarkCollector final : public Observer {
public:
  void remark(const Remark& r) override { remarks_.push_back(r); }
  const std::vector<Remark>& all() const { return remarks_; }

private:
  std::vector<Remark> remarks_;
};

std::string_view spelling(Remark::Kind kind); // "passed", "missed", "analysis"

/// "file:3:7: remark: fuse missed [transposed-read]: ..." with the line and a caret under it, then
/// its notes in the same form. One that is an attempt says "attempt" instead of "missed".
std::string render(const Remark& remark, const SourceFile& source, bool color,
                   bool is_attempt = false);

} // namespace mo
