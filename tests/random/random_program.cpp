#include "tests/random/random_program.h"

#include <algorithm>
#include <climits>
#include <functional>
#include <numeric>
#include <random>
#include <string>

#include "ir/walk.h"
#include "tests/random/random_body.h"

namespace mo::testing {
namespace {

class Generator {
public:
  explicit Generator(uint64_t seed) : dice_(seed) {}

  RandomProgram generate() {
    const uint64_t kind = dice_.below(10);
    numbers_ = kind < 4 ? Numbers::Any : kind < 7 ? Numbers::Whole : Numbers::Fractions;
    one_element_ = dice_.chance(0.5) ? std::optional(random_element()) : std::nullopt;
    // Numbers off by a little must not be compared with themselves: few sums then.
    sums_left_ = numbers_ == Numbers::Fractions ? 4 : UINT_MAX;
    f_.name = "f";
    const uint64_t pool = dice_.below(2) + 1;
    for (unsigned k = 0; k <= pool; ++k)
      extents_.push_back(random_extent());
    for (uint64_t n = dice_.below(2); n-- > 0;)
      add_scalar_argument();
    for (uint64_t n = dice_.below(8) + 1; n-- > 0;) {
      add_generic();
      if (dice_.chance(0.2))
        materialize(pick_result());
    }
    finish();
    return {std::move(f_), numbers_};
  }

private:
  int64_t random_extent() {
    static constexpr int64_t kAroundVectors[] = {0,  1,  2,  3,  4,  7,  8,  9,
                                                 15, 16, 17, 31, 33, 64, 65, 70};
    return kAroundVectors[dice_.below(std::size(kAroundVectors))];
  }
  ElementType random_element() {
    static constexpr ElementType kMostlyF32[] = {
        ElementType::F32, ElementType::F32, ElementType::F32, ElementType::F32,  ElementType::F64,
        ElementType::I32, ElementType::I1,  ElementType::I64, ElementType::Index};
    if (one_element_ && dice_.chance(0.95))
      return *one_element_;
    return kMostlyF32[dice_.below(std::size(kMostlyF32))];
  }
  std::string fresh(std::string_view base) {
    return std::string(base) + std::to_string(next_name_++);
  }

  ValueId add_argument(Type type, std::optional<bool> writable = {}) {
    const ValueId v = f_.add_value(fresh("a"), std::move(type), {});
    f_.args.push_back({v, writable, false});
    return v;
  }
  void add_scalar_argument() {
    const ElementType e = random_element();
    scalars_.push_back(add_argument(scalar_type(e)));
    note_bound(scalars_.back(), 3);
  }

  // --- values -----------------------------------------------------------------------------------
  void note_bound(ValueId v, double bound) {
    bounds_.resize(std::max(bounds_.size(), f_.values.size()), 0);
    bounds_[v.index] = bound;
  }
  double bound(ValueId v) const { return v.index < bounds_.size() ? bounds_[v.index] : 0; }

  ValueId add_result(Op op, Type type, std::string_view base) {
    const ValueId v = f_.add_value(fresh(base), std::move(type), {});
    op.results = {v};
    f_.ops.push_back(std::move(op));
    return v;
  }

  // A tensor from outside: an argument, or the contents of one.
  ValueId tensor_from_outside(const Type& type) {
    ValueId v;
    if (dice_.chance(0.4)) {
      v = add_argument(type,
                       dice_.chance(0.3) ? std::optional<bool>(dice_.chance(0.5)) : std::nullopt);
    } else if (dice_.chance(0.1) && element_count(type) <= 64) {
      v = add_result({{}, {}, random_constant(type)}, type, "c");
    } else {
      const ValueId m = add_argument(memref_type(type.shape, type.element));
      memrefs_.push_back(m);
      v = add_result({{}, {}, ToTensorOp{m, true, dice_.chance(0.3)}}, type, "t");
    }
    note_bound(v, 3);
    defined_.push_back(v);
    return v;
  }
  DenseOp random_constant(const Type& type) {
    DenseOp dense;
    dense.splat = dice_.chance(0.5);
    const int64_t n = dense.splat ? 1 : element_count(type);
    for (int64_t i = 0; i < n; ++i)
      dense.bits.push_back(small_number(type.element, static_cast<int>(dice_.below(6)) - 3));
    return dense;
  }

  // A defined tensor of exactly this type: one that is there, or one from outside.
  ValueId defined_tensor(const Type& type) {
    std::vector<ValueId> fits;
    for (ValueId v : defined_)
      if (f_.type(v) == type)
        fits.push_back(v);
    return !fits.empty() && dice_.chance(0.8) ? fits[dice_.below(fits.size())]
                                              : tensor_from_outside(type);
  }
  ValueId empty_tensor(const Type& type) {
    for (ValueId v : empties_)
      if (f_.type(v) == type && dice_.chance(0.6))
        return v;
    empties_.push_back(add_result({{}, {}, EmptyOp{}}, type, "e"));
    return empties_.back();
  }
  ValueId filled_tensor(const Type& type) {
    const ValueId scalar = f_.add_value(fresh("z"), scalar_type(type.element), {});
    ScalarInst constant;
    constant.immediate = small_number(type.element, static_cast<int>(dice_.below(3)) - 1);
    constant.result = scalar;
    f_.ops.push_back({{}, {scalar}, constant});
    const ValueId v = add_result({{}, {}, FillOp{scalar, empty_tensor(type)}}, type, "f");
    note_bound(v, 1);
    defined_.push_back(v);
    return v;
  }

  // --- generics ---------------------------------------------------------------------------------
  std::vector<unsigned> shuffled(unsigned n) {
    std::vector<unsigned> order(n);
    for (unsigned i = 0; i < n; ++i)
      order[i] = i;
    if (dice_.chance(0.3))
      std::shuffle(order.begin(), order.end(), dice_.engine());
    return order;
  }

  // How an input is read: mostly each loop as it is; else transposed, broadcast, constant, strided.
  AffineMap input_map(const std::vector<int64_t>& extents, bool all_loops) {
    const auto loops = static_cast<unsigned>(extents.size());
    const bool runs = std::find(extents.begin(), extents.end(), 0) == extents.end();
    if (all_loops || dice_.chance(0.6))
      return AffineMap::select(loops, shuffled(loops));
    std::vector<unsigned> kept;
    for (unsigned d : shuffled(loops))
      if (dice_.chance(0.6))
        kept.push_back(d);
    AffineMap map = AffineMap::select(loops, kept);
    for (unsigned r = 0; r < map.num_results(); ++r)
      if (runs && dice_.chance(0.2)) // mlir-opt judges sums oddly where a loop does not run
        disturb_row(map, r);
    return map;
  }
  void disturb_row(AffineMap& map, unsigned row) {
    for (unsigned d = 0; d < map.num_dims(); ++d) {
      const int64_t c = static_cast<int64_t>(dice_.below(4)) - 1; // -1 0 1 2
      if (dice_.chance(0.7))
        map.set_coefficient(row, d, c);
    }
    map.set_constant(row, 0);
  }
  // Every second or third element along one dimension.
  void stretch(AffineMap& map) {
    if (map.num_results() == 0)
      return;
    const auto row = static_cast<unsigned>(dice_.below(map.num_results()));
    if (const auto d = map.plain_dim(row))
      map.set_coefficient(row, *d, 2 + static_cast<int64_t>(dice_.below(2)));
  }
  // The smallest shape that the map stays inside of, with some room; shifts rows that go below 0.
  Shape shape_for(AffineMap& map, const std::vector<int64_t>& extents) {
    Shape shape;
    for (unsigned r = 0; r < map.num_results(); ++r) {
      if (const auto d = map.plain_dim(r)) {
        shape.push_back(extents[*d]);
      } else {
        const Range range = *row_range(map, r, extents);
        const auto before = static_cast<int64_t>(dice_.below(2)),
                   after = static_cast<int64_t>(dice_.below(2));
        map.set_constant(r, map.constant(r) - range.min + before);
        shape.push_back(before + range.max - range.min + 1 + after);
      }
    }
    return shape;
  }

  static constexpr int64_t kMostPoints = 40000;
  static int64_t points(const std::vector<int64_t>& extents) {
    return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
  }

  void add_generic() {
    GenericOp g;
    const unsigned loops = std::min<unsigned>(static_cast<unsigned>(dice_.below(5)), 3);
    std::vector<int64_t> extents;
    for (unsigned d = 0; d < loops; ++d)
      extents.push_back(extents_[dice_.below(extents_.size())]);
    if (!last_extents_.empty() && dice_.chance(0.6))
      extents = last_extents_;
    while (points(extents) > kMostPoints) // rather many programs than large ones
      extents[dice_.below(extents.size())] = random_extent();
    last_extents_ = extents;
    const double reduction = dice_.chance(0.4) ? 0.5 : 0;
    bool reduces = false;
    for (unsigned d = 0; d < extents.size(); ++d) {
      g.iterators.push_back(dice_.chance(reduction) ? IteratorType::Reduction
                                                    : IteratorType::Parallel);
      reduces |= g.iterators.back() == IteratorType::Reduction;
    }
    const bool runs = std::find(extents.begin(), extents.end(), 0) == extents.end();
    const bool stretched = runs && dice_.chance(0.1); // writes only some of the elements
    add_inputs(g, extents, reduces || stretched);
    add_inits(g, extents, reduces, stretched);
    int64_t terms = 1;
    for (unsigned d = 0; d < extents.size(); ++d)
      terms *= g.iterators[d] == IteratorType::Reduction ? std::max<int64_t>(1, extents[d]) : 1;
    std::vector<double> element_bounds;
    for (ValueId v : g.inputs)
      element_bounds.push_back(bound(v));
    for (ValueId v : g.inits)
      element_bounds.push_back(is_defined(v) ? bound(v) : -1);
    BodyMaker maker(f_, dice_, {scalars_, numbers_, sums_left_, terms, next_name_});
    const std::vector<double> yielded = maker.fill_in(g, element_bounds);
    add_results(std::move(g), yielded);
  }
  bool is_defined(ValueId v) const {
    return std::find(defined_.begin(), defined_.end(), v) != defined_.end();
  }
  // `determine`: the first one names every loop, so that each has its extent from somewhere.
  void add_inputs(GenericOp& g, const std::vector<int64_t>& extents, bool determine) {
    const auto loops = static_cast<unsigned>(extents.size());
    for (unsigned n = static_cast<unsigned>(dice_.below(3)) + (determine ? 1 : 0), k = 0; k < n;
         ++k) {
      if (!scalars_.empty() && dice_.chance(0.1) && (k > 0 || !determine)) {
        g.inputs.push_back(scalars_[dice_.below(scalars_.size())]);
        g.maps.push_back(AffineMap(loops, 0));
        continue;
      }
      if (dice_.chance(0.5) && (k > 0 || !determine) && add_earlier_result(g, extents))
        continue;
      AffineMap map = input_map(extents, determine && k == 0);
      Shape shape = shape_for(map, extents);
      g.inputs.push_back(defined_tensor(tensor_type(std::move(shape), random_element())));
      g.maps.push_back(std::move(map));
    }
  }
  // One of the latest results, each dimension along some loop of its extent: a row that was reduced
  // is read by the elements of that row, a matrix as it is or transposed.
  bool add_earlier_result(GenericOp& g, const std::vector<int64_t>& extents) {
    if (results_.empty())
      return false;
    const ValueId v =
        results_[results_.size() - 1 - dice_.below(std::min<size_t>(results_.size(), 3))];
    std::vector<unsigned> along;
    for (int64_t extent : f_.type(v).shape) {
      std::vector<unsigned> fitting;
      for (unsigned d = 0; d < extents.size(); ++d)
        if (extents[d] == extent && std::find(along.begin(), along.end(), d) == along.end())
          fitting.push_back(d);
      if (fitting.empty())
        return false;
      along.push_back(fitting[dice_.chance(0.7) ? 0 : dice_.below(fitting.size())]);
    }
    g.inputs.push_back(v);
    g.maps.push_back(AffineMap::select(static_cast<unsigned>(extents.size()), along));
    return true;
  }
  void add_inits(GenericOp& g, const std::vector<int64_t>& extents, bool reduces, bool stretched) {
    std::vector<unsigned> parallel;
    for (unsigned d = 0; d < extents.size(); ++d)
      if (g.iterators[d] == IteratorType::Parallel)
        parallel.push_back(d);
    for (unsigned n = dice_.chance(0.3) ? 2 + static_cast<unsigned>(dice_.below(2)) : 1; n-- > 0;) {
      if (dice_.chance(0.25))
        std::shuffle(parallel.begin(), parallel.end(), dice_.engine());
      AffineMap map = AffineMap::select(static_cast<unsigned>(extents.size()), parallel);
      if (stretched)
        stretch(map);
      const Type type = tensor_type(shape_for(map, extents), random_element());
      if (reduces || stretched)
        g.inits.push_back(dice_.chance(0.6) ? filled_tensor(type) : defined_tensor(type));
      else
        g.inits.push_back(dice_.chance(0.7) ? empty_tensor(type) : defined_tensor(type));
      g.maps.push_back(std::move(map));
    }
  }
  void add_results(GenericOp g, const std::vector<double>& yielded) {
    Op op;
    const std::string name = fresh("r");
    for (size_t j = 0; j < g.inits.size(); ++j) {
      const ValueId v = f_.add_value(name, f_.type(g.inits[j]), {});
      op.results.push_back(v);
      note_bound(v, yielded[j]);
      defined_.push_back(v);
      results_.push_back(v);
    }
    op.kind = std::move(g);
    f_.ops.push_back(std::move(op));
  }

  // --- outputs ----------------------------------------------------------------------------------
  ValueId pick_result() { return results_[dice_.below(results_.size())]; }
  void materialize(ValueId source) {
    const Type& type = f_.type(source);
    const Type wanted = memref_type(type.shape, type.element);
    ValueId dest;
    for (ValueId m : memrefs_) // one that is an input too, or a destination already
      if (f_.type(m) == wanted && dice_.chance(0.3))
        dest = m;
    if (!dest.valid()) {
      dest = add_argument(wanted);
      memrefs_.push_back(dest);
    }
    f_.ops.push_back({{}, {}, MaterializeOp{source, dest, true, true}});
  }
  void finish() {
    ReturnOp ret;
    if (dice_.chance(0.7))
      materialize(results_.back());
    else
      ret.values.push_back(results_.back());
    const DefUse uses(f_);
    for (ValueId v : results_) // what nobody reads would only be dropped
      if (v != results_.back() && uses.uses_of(v).empty() && dice_.chance(0.5))
        materialize(v);
    if (!empties_.empty() && dice_.chance(0.05))
      ret.values.push_back(empties_.front());
    if (dice_.chance(0.3))
      ret.values.push_back(defined_[dice_.below(defined_.size())]);
    for (ValueId v : ret.values)
      f_.result_types.push_back(f_.type(v));
    f_.ops.push_back({{}, {}, std::move(ret)});
  }

  Dice dice_;
  Function f_;
  Numbers numbers_ = Numbers::Any;
  std::optional<ElementType>
      one_element_; // of all tensors: what one generic makes, others can read
  unsigned sums_left_ = 0;
  std::vector<int64_t> last_extents_;
  unsigned next_name_ = 0;
  std::vector<int64_t> extents_;
  std::vector<ValueId> scalars_, memrefs_, defined_, empties_, results_;
  std::vector<double> bounds_; // by value: the largest magnitude that a float in it can have
};

} // namespace

RandomProgram random_program(uint64_t seed) {
  return Generator(seed).generate();
}

} // namespace mo::testing
