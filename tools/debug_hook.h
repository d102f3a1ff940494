// Where a debugger stops: the events of the passes as functions, and the IR as text.
#pragma once

#include "tools/views.h"

/// One function per event, with a name that no build changes, so that `break mo_hook_rewrite` is
/// all it takes. They do nothing; tools/gdb makes its commands of them.
extern "C" {
void mo_hook_pass_begins(const mo::PassRun& run, const mo::Module& module);
void mo_hook_pass_ends(const mo::PassRun& run, const mo::Module& module);
/// Instead, where what the pass left does not verify; `module` may be too broken to be printed.
void mo_hook_pass_failed(const mo::PassRun& run, const mo::Module& module,
                         const mo::Diagnostics& diagnostics);
void mo_hook_passes_done(const mo::Module& module);
void mo_hook_remark(const mo::Remark& remark);
/// Before a rewrite. `number` counts those proposed by all passes, from 1. A debugger that sets
/// `skip` leaves it out.
void mo_hook_rewrite(const mo::Rewrite& rewrite, const mo::Function& before, unsigned number,
                     bool& skip);
void mo_hook_rewrote(const mo::Rewrite& rewrite, const mo::Function& after);
/// Asked by a pass that makes functions only for observers who look at them. A debugger that is
/// there sets `looks`.
void mo_hook_looks(bool& looks);

/// Every reason id that a remark may have, each followed by a line break. Constant data: a debugger
/// reads it before the program runs.
extern const char mo_debug_reasons[];
}

/// For a debugger to call: the object as text. The text stays until the next call of any of them.
/// In lldb `expr (int)puts(mo_debug_string(function))`, in gdb `printf "%s", mo_debug_string(map)`.
const char* mo_debug_string(const mo::Module& module);
const char* mo_debug_string(const mo::Function& function);
const char* mo_debug_string(const mo::Function& function, mo::OpId op);
const char* mo_debug_string(const mo::Function& function, mo::ValueId value); // "%x : f32"
const char* mo_debug_string(const mo::AffineMap& map);
const char* mo_debug_string(const mo::Type& type);
const char* mo_debug_string(const mo::Remark& remark); // with its notes, each on a line

namespace mo {

/// Calls the hooks. Costs an empty call per event: it is always among the observers.
class DebugHook final : public View {
public:
  std::optional<FileError> end(const Module& output) override;
  void pass_begins(const PassRun& run, const Module& module) override;
  void pass_ends(const PassRun& run, const Module& module) override;
  void pass_failed(const PassRun& run, const Module& module,
                   const Diagnostics& diagnostics) override;
  void remark(const Remark& remark) override;
  bool may_rewrite(const Rewrite& rewrite, const Function& before) override;
  void rewrote(const Rewrite& rewrite, const Function& after) override;
  bool looks_at_functions() const override;

private:
  unsigned proposed_ = 0;
};

} // namespace mo
