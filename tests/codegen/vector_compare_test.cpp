#include "vector_harness.h"

using namespace mo;
using namespace mo::test;

TEST(VectorCompare, CmpfAnswersAllSixteenQuestions) {
  for (ElementType type : {ElementType::F32, ElementType::F64})
    for (uint8_t predicate = 0; predicate < 16; ++predicate)
      expect_as_in_the_table({ScalarOp::CmpF, type, ElementType::I1, predicate}, 500);
}

TEST(VectorCompare, CmpiAnswersAllTenQuestions) {
  for (ElementType type : {ElementType::I1, ElementType::I32, ElementType::I64, ElementType::Index})
    for (uint8_t predicate = 0; predicate < 10; ++predicate)
      expect_as_in_the_table({ScalarOp::CmpI, type, ElementType::I1, predicate}, 500);
}

TEST(VectorCompare, SelectTakesTheBitsAsTheyAre) {
  for (ElementType type : {ElementType::F32, ElementType::F64, ElementType::I1, ElementType::I32,
                           ElementType::I64, ElementType::Index})
    expect_as_in_the_table({ScalarOp::Select, type, type});
}
