// --remarks: each decision as it is made, on stderr.
#pragma once

#include "ir/diagnostic.h"
#include "tools/options.h"
#include "tools/views.h"

namespace mo {

class RemarkPrinter final : public View {
public:
  RemarkPrinter(const RemarkKinds& kinds, const SourceFile& source);
  void remark(const Remark& r) override;

private:
  const RemarkKinds& kinds_;
  const SourceFile& source_;
  bool color_;
};

} // namespace mo
