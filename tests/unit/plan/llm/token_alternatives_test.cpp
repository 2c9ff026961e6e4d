#include "plan/llm/token_alternatives.h"

#include <gtest/gtest.h>

#include "model/zoo/language_models.h"

namespace plimsoll {
namespace {

TokenModel llama(const char* name) {
  return {name, [=](int64_t sequence) -> Result<std::shared_ptr<const Graph>> {
            auto graph = build_language_model(*find_language_model(name), sequence);
            if (!graph.ok()) return std::move(graph).error();
            return std::make_shared<const Graph>(*std::move(graph));
          }};
}

TokenQuestion asking(TokenModel& model, const char* method, int64_t devices, double gib) {
  TokenQuestion question;
  question.model = &model;
  question.setup.tuning = *parse_tuning("method", method);
  question.setup.optimizer = *find_token_optimizer("optimizer", "adamw");
  question.setup.degrees.workers = devices;
  question.sequence = 512;
  question.memory = Bytes(int64_t(gib * double(1 << 30)));
  question.load_line = 0.8;
  return question;
}

// Eight devices that cannot hold a copy each: they share one before anything else is trained instead.
TEST(TokenAlternatives, TheNearestTrainsTheSameOnTheSameDevices) {
  TokenModel model = llama("llama-3.2-1b");
  const TokenQuestion question = asking(model, "full", 8, 12);
  const auto answer = token_fit(question);
  ASSERT_TRUE(answer.ok()) << answer.error().line();
  ASSERT_FALSE(answer->fits);
  ASSERT_FALSE(answer->alternatives.empty());
  const TokenAlternative& nearest = answer->alternatives.front();
  EXPECT_TRUE(nearest.fits);
  EXPECT_EQ(text_of(nearest.setup.tuning), "full");
  EXPECT_EQ(nearest.devices, 8);
  EXPECT_NE(nearest.setup.shard, Shard::none);
}

// Where even a shared copy is too large, what rests goes to the host before more devices are asked for.
TEST(TokenAlternatives, TheHostComesBeforeMoreDevices) {
  TokenModel model = llama("llama-3.1-8b");
  const auto answer = token_fit(asking(model, "qlora:8", 2, 4.5));
  ASSERT_TRUE(answer.ok()) << answer.error().line();
  ASSERT_FALSE(answer->fits);
  const TokenAlternative& nearest = answer->alternatives.front();
  EXPECT_TRUE(nearest.fits) << nearest.change;
  EXPECT_EQ(nearest.devices, 2) << nearest.change;
  EXPECT_EQ(nearest.setup.offload, Offload::all) << nearest.change;
}

}  // namespace
}  // namespace plimsoll
