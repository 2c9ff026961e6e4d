// Parameters that a token meets, operations a token and caches, of networks whose figures follow by hand.
#include "plan/weight/token_weight.h"

#include <gtest/gtest.h>

#include "model/hf/import_config.h"
#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "plan/weight/weigh.h"

namespace plimsoll {
namespace {

Program program_of(std::string_view name, DType activations = DType::bf16) {
  const auto graph = build_model(name, {});
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  BindOptions options;
  options.activations = activations;
  return *bind(*graph, options);
}

TEST(TokenWeight, CachesAreKeysAndValues) {
  const TokenWeight llama = token_weight(program_of("llama-3.1-8b"), Macs(0));
  ASSERT_EQ(llama.caches.size(), 1U);
  EXPECT_EQ(llama.caches[0].kind, "full");
  EXPECT_EQ(llama.caches[0].layers, 32);
  EXPECT_EQ(llama.cache_per_token, Bytes(32 * 2 * 8 * 128 * 2)) << "32 layers, 8 heads of 128, keys and values, bf16";
  EXPECT_EQ(llama.tokens, 2048);
  EXPECT_TRUE(llama.causal);
}

TEST(TokenWeight, LatentAttentionKeepsItsShortVector) {
  const TokenWeight deepseek = token_weight(program_of("deepseek-v3"), Macs(0));
  ASSERT_EQ(deepseek.caches.size(), 1U);
  EXPECT_EQ(deepseek.caches[0].kind, "latent");
  EXPECT_EQ(deepseek.cache_per_token, Bytes(61 * (512 + 64) * 2));
}

TEST(TokenWeight, WindowsBoundACache) {
  const TokenWeight gemma = token_weight(program_of("gemma-3-1b"), Macs(0));
  ASSERT_EQ(gemma.caches.size(), 2U);
  EXPECT_EQ(gemma.caches[0].kind, "sliding window");
  EXPECT_EQ(gemma.caches[0].window, 512);
  EXPECT_EQ(gemma.caches[0].layers, 22);
  EXPECT_EQ(gemma.caches[1].layers, 4);
}

TEST(TokenWeight, AStateDoesNotGrow) {
  const TokenWeight mamba = token_weight(program_of("mamba-130m"), Macs(0));
  ASSERT_EQ(mamba.caches.size(), 1U);
  EXPECT_EQ(mamba.cache_per_token, Bytes(0));
  EXPECT_EQ(mamba.caches[0].fixed, Bytes(24 * 1536 * 16 * 4));
}

TEST(TokenWeight, ATokenMeetsTheChosenExperts) {
  const TokenWeight mixtral = token_weight(program_of("mixtral-8x7b"), Macs(0));
  EXPECT_EQ(mixtral.active_params, Count(46'702'792'704 - 32LL * 6 * 3 * 4096 * 14'336));
  EXPECT_EQ(mixtral.untied_params, Count(46'702'792'704));
}

TEST(TokenWeight, TiedWeightsAreCountedOnceAndForEachUse) {
  const TokenWeight qwen = token_weight(program_of("qwen2.5-0.5b"), Macs(0));
  EXPECT_EQ(qwen.active_params, Count(494'032'768));
  EXPECT_EQ(qwen.untied_params, Count(630'167'424));
}

TEST(TokenWeight, TrainingIsThriceTheProducts) {
  const auto weight = weigh(program_of("tinyllama-1.1b"), Mode::train, **find_optimizer("adamw"));
  ASSERT_TRUE(weight.ok()) << weight.error().line();
  EXPECT_EQ(weight->tokens.train_flops_per_token.value(), 3 * weight->tokens.flops_per_token.value());
  EXPECT_EQ(weight->params, Count(1'100'048'384));
}

TEST(TokenWeight, PicturesHaveNoTokens) { EXPECT_FALSE(token_weight(program_of("resnet18"), Macs(0)).present()); }

TEST(ByBlock, EqualBlocksAreOneRow) {
  const auto weight = weigh(program_of("tinyllama-1.1b"), Mode::inference, **find_optimizer("adamw"));
  ASSERT_TRUE(weight.ok());
  Count params;
  bool found = false;
  for (const auto& block : by_block(weight->layers)) {
    params += block.params;
    if (block.name != "model.layers.*.mlp") continue;
    found = true;
    EXPECT_EQ(block.count, 22);
    EXPECT_EQ(block.params, Count(22LL * 3 * 2048 * 5632));
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(params, weight->params);
}

}  // namespace
}  // namespace plimsoll
