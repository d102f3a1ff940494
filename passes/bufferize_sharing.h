// Which values share a buffer, and whether two groups of them may.
//
// Contents are what a write leaves in memory. They are needed from that write to their last read:
// an interval of time. Values share a buffer where no two intervals overlap. So a group is a sorted
// set of disjoint intervals, and two groups may unite where the merged set is disjoint again. The
// smaller set is looked up in the larger one, which keeps a chain of n ops at n log n.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "ir/function.h"

namespace mo {

/// Op i reads and writes at time 2i + 1; what is copied for it beforehand is copied at 2i.
using Time = int64_t;
constexpr Time kBeforeCall = -1;
constexpr Time kAfterCall = std::numeric_limits<Time>::max();
constexpr Time time_of(OpId op) {
  return 2 * Time{op.index} + 1;
}
constexpr Time time_before(OpId op) {
  return 2 * Time{op.index};
}

/// Index into BufferSharing's storages: a place where a value may live, before it is known which of
/// them are the same memory.
struct StorageId {
  uint32_t index = UINT32_MAX;
  bool valid() const { return index != UINT32_MAX; }
  auto operator<=>(const StorageId&) const = default;
};

struct ContentsId {
  uint32_t index = UINT32_MAX;
  bool valid() const { return index != UINT32_MAX; }
  auto operator<=>(const ContentsId&) const = default;
};

/// What one write leaves behind.
struct Contents {
  ValueId value; // the tensor, or the memref that was written
  StorageId storage;
  OpId op;              // who writes; invalid: they come with the call
  unsigned operand = 0; // through which operand of it
  Time defined = kBeforeCall;
  Time last_read = kBeforeCall;       // >= defined
  std::vector<unsigned> last_readers; // the operands of the op at last_read that read them
  ContentsId copied_from;             // equal contents elsewhere, of which these are a copy
};

/// `kept` would be destroyed by the write that makes `written`, before its last read.
struct Overlap {
  ContentsId kept, written;
};

class BufferSharing {
public:
  explicit BufferSharing(const Function& function) : function_(function) {}

  StorageId add_storage();
  /// Requires that the storage holds no other contents made at the same time.
  ContentsId add_contents(Contents contents);
  void add_read(ContentsId contents, OpId op, unsigned operand);
  void add_read_by_caller(ContentsId contents);
  void set_copied_from(ContentsId contents, ContentsId original);
  /// Moves the write; requires that no other contents of the group are made in between.
  void set_defined(ContentsId contents, Time defined);

  const Contents& contents(ContentsId id) const { return contents_[resolve(id).index]; }

  /// The one storage that stands for the group.
  StorageId group(StorageId storage) const;
  bool shared(StorageId a, StorageId b) const { return group(a) == group(b); }

  /// What would go wrong if the two groups were one buffer. A copy from one to the other does not
  /// count: in one buffer it changes nothing, and the contents at both ends become one.
  std::optional<Overlap> find_overlap(StorageId a, StorageId b) const;
  /// Requires that find_overlap finds nothing.
  void unite(StorageId a, StorageId b);

  /// The memory behind the group, an index that the caller chooses.
  std::optional<uint32_t> buffer(StorageId storage) const { return at(storage).buffer; }
  void set_buffer(StorageId storage, uint32_t buffer) { at(storage).buffer = buffer; }

  /// Where values of the group are wanted: indices that the caller chooses.
  void want(StorageId storage, uint32_t transfer) { at(storage).wanted.push_back(transfer); }
  std::vector<uint32_t> take_wanted(StorageId storage);

private:
  using Timeline = std::map<Time, ContentsId>; // by the time of the write
  struct Group {
    Timeline timeline;
    std::optional<uint32_t> buffer;
    std::vector<uint32_t> wanted;
    uint32_t size = 1; // storages
  };

  Group& at(StorageId storage) { return groups_[group(storage).index]; }
  const Group& at(StorageId storage) const { return groups_[group(storage).index]; }
  ContentsId resolve(ContentsId id) const;
  bool equal_contents(ContentsId a, ContentsId b) const;
  bool may_follow(ContentsId first, ContentsId second) const;
  void insert(Timeline& timeline, ContentsId id);
  void merge(ContentsId original, ContentsId copy);

  const Function& function_;
  std::vector<Contents> contents_;
  // By ContentsId::index; itself where not merged. Looking up shortens the paths.
  mutable std::vector<ContentsId> merged_into_;
  std::vector<StorageId> parents_; // a union-find forest over the storages
  std::vector<Group> groups_;      // by StorageId::index; of use at the roots
};

} // namespace mo
