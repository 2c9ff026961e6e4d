#include "run/data/cifar.h"

#include <gtest/gtest.h>

#include "tests/harness/run_program.h"
#include "tests/unit/run/data/set_files.h"

namespace plimsoll {
namespace {

TEST(CifarTest, ReadsAcrossFiles) {
  const TemporaryFolder folder;
  const auto one = folder.write("one.bin", cifar_record(1, 10) + cifar_record(2, 20));
  const auto two = folder.write("two.bin", cifar_record(9, 255));
  const auto set = open_cifar({one, two}, CifarKind::ten);
  ASSERT_TRUE(set.ok()) << set.error().line();
  EXPECT_EQ((*set)->size(), 3);
  EXPECT_EQ((*set)->info().class_names[9], "truck");
  const auto last = read_sample(**set, 2);
  ASSERT_TRUE(last.ok());
  EXPECT_EQ(last->label, 9);
  EXPECT_EQ(last->numbers, std::vector<float>(3072, 255));
  EXPECT_EQ((*set)->describe(2), two + ": sample 0");
}

TEST(CifarTest, HundredTakesTheFineLabel) {
  const TemporaryFolder folder;
  const auto path = folder.write("train.bin", char(7) + cifar_record(99, 3));
  const auto set = open_cifar({path}, CifarKind::hundred);
  ASSERT_TRUE(set.ok()) << set.error().line();
  EXPECT_EQ(read_sample(**set, 0)->label, 99);
}

TEST(CifarTest, ASizeThatIsNoMultipleOfARecord) {
  const TemporaryFolder folder;
  const auto path = folder.write("one.bin", cifar_record(1, 10) + "x");
  const auto set = open_cifar({path}, CifarKind::ten);
  ASSERT_FALSE(set.ok());
  EXPECT_EQ(set.error().line(), path + ": has 3,074 bytes, expected a multiple of 3,073, a CIFAR-10 record");
}

TEST(CifarTest, ALabelAboveNine) {
  const TemporaryFolder folder;
  const auto path = folder.write("one.bin", cifar_record(1, 10) + cifar_record(10, 10));
  const auto set = open_cifar({path}, CifarKind::ten);
  ASSERT_FALSE(set.ok());
  EXPECT_EQ(set.error().line(), path + ": sample 1 has label 10, expected 0 to 9");
}

}  // namespace
}  // namespace plimsoll
