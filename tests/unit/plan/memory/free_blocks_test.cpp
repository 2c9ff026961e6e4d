#include "plan/memory/free_blocks.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace plimsoll {
namespace {

// Against a plain set, through many pieces being made and left: sizes repeat, as those of equal layers do.
TEST(FreeBlocks, AnswersAsASetDoes) {
  std::mt19937 random(7);
  FreeBlocks blocks;
  std::set<std::pair<int64_t, int32_t>> all;
  for (int32_t number = 0; number < 20'000; ++number) {
    const int64_t size = int64_t(random() % 50) * 512;
    blocks.add({size, number});
    all.emplace(size, number);
    if (random() % 3 == 0 || number > 12'000) {  // more come than go, and then more go than come
      for (int i = 0; i < 2 && !all.empty(); ++i) {
        auto gone = all.lower_bound({int64_t(random() % 50) * 512, -1});
        if (gone == all.end()) gone = all.begin();
        blocks.remove({gone->first, gone->second});
        all.erase(gone);
      }
    }
    const int64_t wanted = int64_t(random() % 51) * 512 - 1;
    const auto expected = all.lower_bound({wanted, -1});
    const auto found = blocks.smallest_of(wanted);
    ASSERT_EQ(found.has_value(), expected != all.end());
    ASSERT_TRUE(!found || *found == expected->second);
    ASSERT_EQ(blocks.holds(wanted), expected != all.end());
  }
}

}  // namespace
}  // namespace plimsoll
