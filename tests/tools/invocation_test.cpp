#include "tools/invocation.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace mo {
namespace {

std::vector<NamedArray> output(std::vector<float> elements) {
  auto array = Array::allocate({static_cast<int64_t>(elements.size())}, ElementType::F32);
  for (size_t i = 0; i < elements.size(); ++i)
    array->set_bits(static_cast<int64_t>(i), std::bit_cast<uint32_t>(elements[i]));
  std::vector<NamedArray> outputs;
  outputs.push_back({"result0", "", true, std::move(*array)});
  return outputs;
}

TEST(Summary, ShowsTheFirstElementsAndTheExtremesWithoutNaNs) {
  EXPECT_EQ(summary(output({3, NAN, -1})[0]),
            "result0 tensor<3xf32>: [3, nan, -1] min -1 max 3 NaNs 1");
  EXPECT_EQ(summary(output({})[0]), "result0 tensor<0xf32>: []");
}

} // namespace
} // namespace mo
