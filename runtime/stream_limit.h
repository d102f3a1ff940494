// The yardstick: a loop that does nothing but move the bytes.
#pragma once

#include <cstddef>
#include <span>

namespace mo {

/// Reads every byte of every source once, front to back, and writes every byte of every target
/// once, with streaming stores (they do not fetch the line they overwrite). All arrays advance
/// together, each at its own share, as a kernel over them would walk; sources of a target's size go
/// into it, two at the most: as they are, or two mixed. Single-threaded. The fastest a kernel that
/// has to move these bytes through memory can be expected to run here.
void stream_through(std::span<const std::span<const std::byte>> sources,
                    std::span<const std::span<std::byte>> targets);

} // namespace mo
