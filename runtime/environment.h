// What a measurement was taken on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mo {

/// Facts of this machine and process. What the system does not tell stays empty.
struct Environment {
  std::string date; // "2026-11-29 15:20 UTC"
  std::string cpu;  // model name
  int cpus = 0;     // that this process may run on
  std::optional<int64_t> l1d_bytes, l2_bytes, l3_bytes;
  int64_t page_bytes = 0;
  std::string huge_pages;    // transparent huge pages: "always", "madvise", "never"
  std::string kernel;        // "Linux 6.1.0"
  std::string compiler;      // that built this program: "GCC 12.2.0"
  std::string build;         // "optimised", or what is to be said against timing it
  std::string malloc_tuning; // the MALLOC_* and GLIBC_TUNABLES variables that are set, "A=1 B=2"
};
Environment environment();

/// Size of the largest cache, in bytes; 32 MiB where the system does not tell.
int64_t last_level_cache_bytes();

/// Page faults that one malloc + full write + free of `bytes` costs each time, by glibc's rules.
/// From the mmap threshold on, the memory comes fresh from the system and every page of it faults.
/// Below, it comes from the top of the heap, and a free that leaves more than the trim threshold
/// there gives all but the top pad back, to fault again at the next call; less is kept, and after
/// the first call nothing faults.
///   no variable set   the thresholds follow what is freed: mmap from 32 MiB on, no trimming below
///   MALLOC_MMAP_THRESHOLD_, MALLOC_TRIM_THRESHOLD_ or MALLOC_TOP_PAD_ set
///                     all three are fixed, those that are not set at 128 KiB
/// Source: mallopt(3), M_MMAP_THRESHOLD, M_TRIM_THRESHOLD and M_TOP_PAD. Assumes pages of
/// `page_bytes` and no other live memory above; GLIBC_TUNABLES are not looked at.
int64_t predicted_faults(int64_t bytes, int64_t page_bytes);

} // namespace mo
