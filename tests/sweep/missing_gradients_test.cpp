// Which operations of all_ops have no gradient rule, neither of their own nor in what takes their place in a training
// step. A rule that goes missing is noticed here, and so is one whose line below was left standing.
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

// Control flow and lists of tensors, which end in bind(). In alphabetical order, one a line.
// clang-format off
constexpr std::string_view kWithoutRule[] = {
    "concat_from_sequence",
    "if",
    "scan",
    "sequence_at",
    "sequence_construct",
    "sequence_empty",
    "sequence_erase",
    "sequence_insert",
    "sequence_length",
    "split_to_sequence",
};
// clang-format on

TEST(MissingGradients, AreTheOnesOfTheList) {
  std::vector<std::string_view> missing;
  for (const Op* op : all_ops())
    if (!op->gradient && !(op->training && op->training().gradient)) missing.push_back(op->name);
  std::sort(missing.begin(), missing.end());
  EXPECT_TRUE(std::is_sorted(std::begin(kWithoutRule), std::end(kWithoutRule)));
  EXPECT_EQ(missing, std::vector<std::string_view>(std::begin(kWithoutRule), std::end(kWithoutRule)));
}

}  // namespace
}  // namespace plimsoll
