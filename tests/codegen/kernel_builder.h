// Kernels built by hand, in program order, for tests of machine code.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/loop_nest.h"

namespace mo::testing {

class KernelBuilder {
public:
  explicit KernelBuilder(std::string name = "kernel");

  /// Buffers, returned as indices into Kernel::buffers.
  uint32_t argument(ElementType element, int64_t elements);
  uint32_t temp(ElementType element, int64_t elements);
  uint32_t constant(ElementType element, std::vector<uint64_t> bits);
  uint32_t splat(ElementType element, int64_t elements, uint64_t bits);
  Reg scalar(ElementType type); // an argument too

  void alloc(uint32_t temp);
  void free(uint32_t temp);

  void begin_loop(int64_t extent, bool vectorizable = false);
  /// In the loop just begun: a value that starts as init. `set_next` completes it.
  Reg carry(Reg init);
  void set_next(Reg current, Reg next, std::optional<ScalarOp> combine = std::nullopt);
  Reg result_of(Reg current) const; // after end_loop
  void end_loop();

  Reg load(uint32_t buffer, std::vector<int64_t> strides, int64_t offset = 0);
  void store(Reg value, uint32_t buffer, std::vector<int64_t> strides, int64_t offset = 0,
             bool streaming = false);
  Reg compute(ScalarOp op, ElementType type, std::initializer_list<Reg> operands,
              uint8_t predicate = 0);
  Reg constant_value(ElementType type, uint64_t bits);
  Reg loop_index(unsigned depth);

  Kernel finish();

private:
  Reg new_reg(ElementType type);
  void add(Node node);

  Kernel kernel_;
  std::vector<Loop> open_;                   // begun and not ended, outermost first
  std::vector<std::vector<Node>> blocks_;    // the outermost block, then theirs
  std::vector<std::pair<Reg, Reg>> results_; // of each carry: current, result
};

uint64_t f32_bits(float value);
uint64_t f64_bits(double value);

} // namespace mo::testing
