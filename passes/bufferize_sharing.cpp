#include "passes/bufferize_sharing.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "passes/bufferize_accesses.h"

namespace mo {

StorageId BufferSharing::add_storage() {
  const StorageId id{static_cast<uint32_t>(groups_.size())};
  groups_.emplace_back();
  parents_.push_back(id);
  return id;
}

ContentsId BufferSharing::add_contents(Contents contents) {
  const ContentsId id{static_cast<uint32_t>(contents_.size())};
  contents.last_read = std::max(contents.last_read, contents.defined);
  at(contents.storage).timeline.emplace(contents.defined, id);
  contents_.push_back(std::move(contents));
  merged_into_.push_back(id);
  return id;
}

void BufferSharing::add_read(ContentsId id, OpId op, unsigned operand) {
  Contents& contents = contents_[resolve(id).index];
  const Time time = time_of(op);
  if (time < contents.last_read)
    return;
  if (time > contents.last_read)
    contents.last_readers.clear();
  contents.last_read = time;
  contents.last_readers.push_back(operand);
}

void BufferSharing::add_read_by_caller(ContentsId id) {
  Contents& contents = contents_[resolve(id).index];
  contents.last_read = kAfterCall;
  contents.last_readers.clear();
}

void BufferSharing::set_copied_from(ContentsId id, ContentsId original) {
  contents_[id.index].copied_from = original;
}

void BufferSharing::set_defined(ContentsId id, Time defined) {
  const ContentsId root = resolve(id);
  Contents& contents = contents_[root.index];
  Timeline& timeline = at(contents.storage).timeline;
  timeline.erase(contents.defined);
  contents.defined = defined;
  timeline.emplace(defined, root);
}

StorageId BufferSharing::group(StorageId storage) const {
  while (parents_[storage.index] != storage)
    storage = parents_[storage.index];
  return storage;
}

ContentsId BufferSharing::resolve(ContentsId id) const {
  while (merged_into_[id.index] != id) {
    ContentsId& next = merged_into_[id.index];
    next = merged_into_[next.index]; // path halving: a chain of merges is walked once, then short
    id = next;
  }
  return id;
}

bool BufferSharing::equal_contents(ContentsId a, ContentsId b) const {
  const auto is_copy = [&](ContentsId copy, ContentsId original) {
    const ContentsId from = contents_[copy.index].copied_from;
    return from.valid() && resolve(from) == original;
  };
  return is_copy(a, b) || is_copy(b, a);
}

// The write that makes `second` comes after the last read of `first`, or that read is by the same
// op and does not mind.
bool BufferSharing::may_follow(ContentsId first, ContentsId second) const {
  // exercise: in-place
  const Contents& kept = contents_[first.index];
  const Contents& written = contents_[second.index];
  if (kept.last_read != written.defined)
    return kept.last_read < written.defined;
  if (kept.defined == written.defined || kept.op == written.op)
    return false; // two inits of one op
  return std::all_of(kept.last_readers.begin(), kept.last_readers.end(), [&](unsigned operand) {
    return may_read_while_writing(function_.op(written.op), operand, written.operand);
  });
  // end of exercise
}

std::optional<Overlap> BufferSharing::find_overlap(StorageId a, StorageId b) const {
  const Timeline* small = &at(a).timeline;
  const Timeline* large = &at(b).timeline;
  if (small->size() > large->size())
    std::swap(small, large);
  // Each timeline is disjoint in itself, so an overlap shows between neighbours.
  for (const auto& [time, id] : *small) {
    auto next = large->lower_bound(time);
    if (next != large->begin()) {
      const ContentsId before = std::prev(next)->second;
      if (!equal_contents(before, id) && !may_follow(before, id))
        return Overlap{before, id};
    }
    while (next != large->end() && equal_contents(id, next->second))
      ++next;
    if (next != large->end() && !may_follow(id, next->second))
      return Overlap{id, next->second};
  }
  return std::nullopt;
}

void BufferSharing::unite(StorageId a, StorageId b) {
  StorageId into = group(a), from = group(b);
  if (into == from)
    return;
  if (groups_[into.index].size < groups_[from.index].size)
    std::swap(into, from);
  parents_[from.index] = into;
  Group& target = groups_[into.index];
  Group& source = groups_[from.index];
  target.size += source.size;
  if (!target.buffer)
    target.buffer = source.buffer;
  if (target.wanted.size() < source.wanted.size())
    std::swap(target.wanted, source.wanted);
  target.wanted.insert(target.wanted.end(), source.wanted.begin(), source.wanted.end());
  if (target.timeline.size() < source.timeline.size())
    std::swap(target.timeline, source.timeline);
  for (const auto& [time, id] : source.timeline)
    insert(target.timeline, id);
  source = Group{};
}

void BufferSharing::insert(Timeline& timeline, ContentsId id) {
  auto at = timeline.emplace(contents_[id.index].defined, id).first;
  for (auto next = std::next(at);
       next != timeline.end() && equal_contents(at->second, next->second); next = std::next(at)) {
    merge(at->second, next->second);
    timeline.erase(next);
  }
  while (at != timeline.begin() && equal_contents(std::prev(at)->second, at->second)) {
    const auto before = std::prev(at);
    merge(before->second, at->second);
    timeline.erase(at);
    at = before;
  }
}

void BufferSharing::merge(ContentsId original, ContentsId copy) {
  Contents& kept = contents_[original.index];
  const Contents& gone = contents_[copy.index];
  if (gone.last_read > kept.last_read) {
    kept.last_read = gone.last_read;
    kept.last_readers = gone.last_readers;
  } else if (gone.last_read == kept.last_read) {
    kept.last_readers.insert(kept.last_readers.end(), gone.last_readers.begin(),
                             gone.last_readers.end());
  }
  merged_into_[copy.index] = original;
}

std::vector<uint32_t> BufferSharing::take_wanted(StorageId storage) {
  return std::exchange(at(storage).wanted, {});
}

} // namespace mo
