#include "plan/serving/serving_fit.h"

#include "plan/serving/serving_alternatives.h"
#include "tests/served.h"

namespace plimsoll {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

ServingFitAnswer asked(ServingSetup setup, Bytes memory, double load_line = 0.8) {
  return serving_fit({setup, memory, load_line, true});
}

TEST(ServingFit, TheLargestFitsAndOneMoreDoesNot) {
  const ServedNetwork network = served("llama-3.1-8b");
  for (const auto& [device, framework, weights] : {std::tuple{"nvidia-rtx-4090", Framework::vllm, "awq"},
                                                   std::tuple{"nvidia-rtx-4090", Framework::llama_cpp, "q4_k_m"},
                                                   std::tuple{"nvidia-a100-80gb", Framework::hf, "bf16"}}) {
    ServingSetup setup = serving_on(network, device, framework, weights);
    const Bytes line(int64_t(0.8 * double(setup.device->memory->value())));
    const int64_t most = largest_concurrency(setup, line);
    ASSERT_GT(most, 0);
    setup.concurrency = most;
    EXPECT_TRUE(serving_fits(setup, line));
    setup.concurrency = most + 1;
    EXPECT_FALSE(serving_fits(setup, line));
    setup.concurrency = 1;
    const int64_t longest = largest_context(setup, line);
    setup.context = setup.prompt = longest;
    EXPECT_TRUE(serving_fits(setup, line));
    setup.context = setup.prompt = longest + 1;
    EXPECT_FALSE(serving_fits(setup, line));
  }
}

TEST(ServingFit, SaysWhatBreaksTheLineAndWhatWouldFit) {
  const ServedNetwork network = served("qwen3-30b-a3b");
  ServingSetup setup = serving_on(network, "nvidia-l4", Framework::vllm, "bf16");
  setup.concurrency = 16;
  const ServingFitAnswer answer = asked(setup, Bytes(24 * kGiB));
  EXPECT_FALSE(answer.fits);
  EXPECT_EQ(answer.breaks, "the weights");
  EXPECT_EQ(answer.largest_concurrency, 0);
  ASSERT_FALSE(answer.alternatives.empty());
  for (const auto& other : answer.alternatives) EXPECT_LE(other.total, answer.line) << other.change;
}

TEST(ServingFit, TheCacheBreaksItWhereTheWeightsDoNot) {
  const ServedNetwork network = served("llama-2-7b");
  ServingSetup setup = serving_on(network, "nvidia-rtx-4090", Framework::vllm, "bf16");
  setup.concurrency = 64;
  EXPECT_EQ(asked(setup, Bytes(24 * kGiB)).breaks, "the cache of keys and values");
}

TEST(ServingFit, DevicesShareWeightsAndCache) {
  const ServedNetwork network = served("llama-3.1-70b");
  ServingSetup setup = serving_on(network, "nvidia-a100-80gb", Framework::vllm, "bf16");
  const ServingMemory one = serving_memory(setup);
  setup.devices = 4;
  const ServingMemory four = serving_memory(setup);
  EXPECT_NEAR(double(four.weights.value()) * 4, double(one.weights.value()), 4);
  EXPECT_NEAR(double(four.cache.value()) * 4, double(one.cache.value()), 4);
  setup.devices = 16;  // 8 heads of keys: two devices keep each
  EXPECT_NEAR(double(serving_memory(setup).cache.value()) * 8, double(one.cache.value()), 8);
}

TEST(ServingFit, DegreesDivideTheHeads) {
  EXPECT_EQ(possible_tensor_parallel(served("qwen2.5-0.5b"), 16), (std::vector<int64_t>{1, 2, 7, 14}));
}

TEST(ServingFit, LayersOnTheHostMakeRoomAndTakeTime) {
  const ServedNetwork network = served("llama-3.1-70b");
  ServingSetup setup = serving_on(network, "nvidia-rtx-4090", Framework::llama_cpp, "q4_k_m");
  setup.host = *load_device("amd-epyc-7742");
  EXPECT_FALSE(asked(setup, Bytes(24 * kGiB)).fits);
  ServingSetup half = setup;
  half.layers_on_host = 50;
  const ServingFitAnswer answer = asked(half, Bytes(24 * kGiB));
  EXPECT_TRUE(answer.fits);
  EXPECT_GT(answer.memory.on_host, Bytes(20 * kGiB));
  EXPECT_GT(step_time(half, 1024)->total.value, 1.5 * step_time(setup, 1024)->total.value);
}

TEST(ServingTime, DecodingIsBoundByBandwidthUntilThereAreManySequences) {
  const ServedNetwork network = served("llama-3.1-8b");
  ServingSetup setup = serving_on(network, "nvidia-h100-80gb", Framework::vllm, "bf16");
  EXPECT_EQ(step_time(setup, 1024)->bound, ServingBound::bandwidth);
  setup.concurrency = 2000;
  EXPECT_GT(step_time(setup, 1)->arithmetic.value, step_time(setup, 1)->cache.value);
}

TEST(ServingTime, ExpertsCostWhatTheirTokensMeet) {
  const ServedNetwork network = served("qwen3-30b-a3b");
  ServingSetup setup = serving_on(network, "nvidia-h100-80gb", Framework::vllm, "bf16");
  const double one = step_time(setup, 1024)->bytes;
  setup.concurrency = 64;
  const double many = step_time(setup, 1024)->bytes - 64 * cache_bytes(network, *setup.kv, 1024, false);
  EXPECT_GT(many, 4 * one);
  EXPECT_LT(many, weight_bytes(network, *setup.weights));
}

}  // namespace
}  // namespace plimsoll
