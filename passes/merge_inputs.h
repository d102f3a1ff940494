// Inputs of a generic that read the same value through the same map.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ir/function.h"
#include "passes/uses.h"

namespace mo {

/// From (value, map) to the block argument of the input that reads so.
class InputIndex {
public:
  /// The block argument already there for (value, map); adds and returns `arg` where there is none.
  ValueId find_or_add(ValueId value, const AffineMap& map, ValueId arg);
  void erase(ValueId value, const AffineMap& map) { args_.erase(Key{value, map}); }

private:
  struct Key {
    ValueId value;
    AffineMap map;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const;
  };
  std::unordered_map<Key, ValueId, Hash> args_;
};

/// Two equal inputs. Input `dropped` goes; input `kept`, the earlier one, stays, and its element is
/// then `kept_arg` (which may have been the other's). Mentions of `dropped_arg` become `kept_arg`.
struct DuplicateInput {
  unsigned kept = 0, dropped = 0;
  ValueId kept_arg, dropped_arg;
};

/// Enters the inputs [begin, end) into the index, and finds those that were there already.
void find_duplicates(const GenericOp& op, unsigned begin, unsigned end, InputIndex& index,
                     std::vector<DuplicateInput>& duplicates);

/// Drops the duplicates. Their dropped arguments must not be mentioned before `first_inst`.
void merge_inputs(GenericOp& op, const std::vector<DuplicateInput>& duplicates, size_t first_inst);

/// "%d reads %x through (d0) -> (d0) as operands 0 and 2; ...": for remarks, before the merge.
std::string describe_duplicates(const Function& function, const Uses& uses, OpId op,
                                const std::vector<DuplicateInput>& duplicates);

} // namespace mo
