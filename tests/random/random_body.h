// The bodies of random generics.
#pragma once

#include <random>
#include <vector>

#include "ir/function.h"
#include "tests/random/random_program.h"

namespace mo::testing {

class Dice {
public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  uint64_t below(uint64_t n) { return engine_() % n; } // 0 to n-1; n >= 1
  bool chance(double p) { return static_cast<double>(engine_() >> 11) * 0x1p-53 < p; }
  std::mt19937_64& engine() { return engine_; }

private:
  std::mt19937_64 engine_;
};

/// The bits of a whole number as an element.
uint64_t small_number(ElementType type, int number);

struct BodyContext {
  const std::vector<ValueId>& scalars; // that may be captured
  Numbers numbers;
  unsigned& sums_left; // that may still be made; they are moved one by one (tools/oracle.h)
  int64_t terms;       // how many points of the loops meet in one element of an init
  unsigned& next_name;
};

/// Fills in the body of a generic whose operands, maps and iterators stand.
class BodyMaker {
public:
  BodyMaker(Function& f, Dice& dice, BodyContext context) : f_(f), dice_(dice), context_(context) {}
  /// `element_bounds`: the largest magnitude in each operand; -1 for an init whose contents are not
  /// defined, which the body then does not read. Returns the largest magnitude of each yield.
  std::vector<double> fill_in(GenericOp& g, const std::vector<double>& element_bounds);

private:
  struct Known {
    ValueId value;
    double bound;
  };
  ElementType element(ValueId v) const { return f_.type(v).element; }
  ValueId add(ScalarOp op, std::vector<ValueId> operands, ElementType type, uint64_t immediate = 0,
              uint8_t predicate = 0);
  Known any_of_type(ElementType type);
  Known new_of_type(ElementType type);
  void add_random_inst();
  void add_float_inst(ElementType type);
  void add_smooth_inst(ElementType type);
  Known at_least_one(ElementType type);
  Known clamped(Known x, ElementType type);
  void add_int_inst(ElementType type);
  void add_compare_or_select(ElementType type);
  void add_cast(ElementType from, ElementType to);
  Known combined(ValueId init, double init_bound);
  bool fits(ElementType type, double bound) const;
  void know(ValueId v, double bound) { known_.push_back({v, bound}); }

  Function& f_;
  Dice& dice_;
  BodyContext context_;
  GenericOp* g_ = nullptr;
  std::vector<Known> known_;
};

} // namespace mo::testing
