#include "run/dist/buckets.h"

#include <gtest/gtest.h>

#include <numeric>

#include "run/dist/gradient_exchange.h"
#include "run/exec/onednn/onednn_backend.h"
#include "tests/unit/run/train/small_step.h"

namespace plimsoll {
namespace {

std::unique_ptr<Executor> step_of(const Backend& backend, const std::string& model, int64_t batch) {
  StepOptions options;
  options.optimizer = find_optimizer("momentum").value();
  return *make_executor(backend, *make_step(zoo_program(model, {}, batch), options), 1);
}

// What is final behind an operation is touched by none that follows.
TEST(StepResults, AreFinalWhenTheySaySo) {
  for (const Backend* backend : all_backends()) {
    const auto step = step_of(*backend, "resnet9_half", 2);
    const Program& program = step->program();
    const auto results = step_results(program, step->plan());
    int64_t gradients = 0, statistics = 0;
    size_t last = 0;
    for (const auto& result : results) {
      (result.gradient ? gradients : statistics) += 1;
      EXPECT_GE(result.final_at, last);
      last = result.final_at;
      const int32_t storage = step->plan().storage_of[size_t(result.value.index)];
      for (size_t i = result.final_at + 1; i < first_update(program); ++i)
        for (const auto* list : {&program.operations[i].inputs, &program.operations[i].outputs})
          for (const ValueId id : *list)
            EXPECT_TRUE(!id.present() || step->plan().storage_of[size_t(id.index)] != storage) << backend->name();
    }
    int64_t parameters = 0, buffers = 0;
    for (const auto& value : program.values) {
      parameters += value.role == Role::parameter && !value.storage.present();
      buffers += value.role == Role::buffer && !value.storage.present();
    }
    EXPECT_EQ(gradients, parameters);
    EXPECT_EQ(statistics, buffers);
    EXPECT_LT(results.front().final_at, results.back().final_at);  // else nothing could overlap
  }
}

TEST(Buckets, HoldEveryResultOnceInOrder) {
  const auto step = step_of(onednn_backend(), "resnet9_half", 2);
  const auto results = step_results(step->program(), step->plan());
  for (const int64_t size : {int64_t{1}, int64_t{100'000}, int64_t{1} << 40}) {
    const auto buckets = make_buckets(step->lowered(), step->plan(), Bytes(size));
    size_t at = 0;
    for (const auto& bucket : buckets) {
      Bytes bytes;
      for (const auto& result : bucket.results) {
        EXPECT_EQ(result.value, results.at(at++).value);
        EXPECT_LE(result.final_at, bucket.ready_at);
        EXPECT_EQ(result.gradient, bucket.gradients());
        bytes += Bytes(int64_t(step->storage(result.value).size()));
      }
      EXPECT_EQ(bytes, bucket.bytes);
      EXPECT_TRUE(bucket.results.size() == 1 || bucket.bytes <= Bytes(2 * size));
    }
    EXPECT_EQ(at, results.size());
  }
}

// A copy of the largest bucket of several, or two of half its size; and what one sum takes, never more than a bucket.
TEST(Buckets, TakeMemoryByTheirSize) {
  const auto step = step_of(onednn_backend(), "resnet9_half", 2);
  const Bytes size(1 << 20);
  const auto buckets = make_buckets(step->lowered(), step->plan(), size);
  Bytes copied, largest;
  for (const auto& bucket : buckets) {
    if (bucket.results.size() > 1) copied = std::max(copied, bucket.bytes);
    largest = std::max(largest, bucket.bytes);
  }
  ASSERT_GT(largest, size);
  EXPECT_EQ(exchange_memory(buckets, {size, DType::f32}, 4), copied + Bytes(size.value() / 4 * 3));
  EXPECT_EQ(exchange_memory(buckets, {size, DType::f32, true}, 4), copied + NeighbourMean::memory());
  const Bytes packed = exchange_memory(buckets, {size, DType::bf16}, 4);
  EXPECT_EQ(exchange_memory(buckets, {size, DType::bf16, true}, 4), packed);
  EXPECT_GE(packed, std::max(copied, size));
  EXPECT_LT(packed, std::max(copied, size) + Bytes(256 << 10));  // running statistics travel in f32
  EXPECT_EQ(wire_bytes(buckets, DType::f32).value(),
            std::accumulate(buckets.begin(), buckets.end(), int64_t{0},
                            [](int64_t sum, const Bucket& bucket) { return sum + bucket.bytes.value(); }));
  EXPECT_LT(wire_bytes(buckets, DType::f16).value(), wire_bytes(buckets, DType::f32).value() * 51 / 100);
}

TEST(Buckets, GrowWithLatencyAndBandwidth) {
  EXPECT_EQ(bucket_size({1e-6, 1e9}), Bytes(kSmallestBucket));
  EXPECT_EQ(bucket_size({50e-6, 1e9}), Bytes(1 << 20));               // a million bytes, as a power of two
  EXPECT_EQ(bucket_size({50e-6, 1e9}, DType::bf16), Bytes(2 << 20));  // which take as long
  EXPECT_EQ(bucket_size({1, 1e12}), Bytes(kLargestBucket));
}

}  // namespace
}  // namespace plimsoll
