// The report of a device: every operation of a step agrees with the reference maths, and nothing is taken beyond the
// plan.
#include "run/bench/device_check.h"

#include "tests/steered_step.h"
#include "tests/torch_here.h"

namespace plimsoll {
namespace {

BenchCase small_case(const Backend& backend, RunDevice::Kind kind) {
  BenchCase bench;
  bench.backend = &backend;
  bench.engine.device = {kind};
  bench.step = training_step(zoo_program("fmnist_cnn", {}, 4), "adam").value();
  return bench;
}

bool has_op(const Json& rows, const std::string& op) {
  return std::any_of(rows.begin(), rows.end(), [&](const Json& row) { return row["op"] == op; });
}

TEST(DeviceCheck, AgreesOnTorch) {
  PLIM_NEEDS_TORCH();
  const auto report = device_check(small_case(torch_backend(), RunDevice::Kind::torch_cpu));
  ASSERT_TRUE(report.ok()) << report.error().line();
  EXPECT_EQ((*report)["agrees"], true) << report->dump();
  for (const char* op : {"conv", "conv_grad_weights", "batch_norm_train", "gemm", "adam_update"})
    EXPECT_TRUE(has_op((*report)["compared"], op)) << op;
  EXPECT_TRUE(has_op((*report)["not_compared"], "max_pool_grad"));
  EXPECT_EQ((*report)["memory"]["allocations_in_steps"], 0);
  EXPECT_EQ((*report)["memory"]["results_copied"], 0);
  EXPECT_EQ((*report)["memory"]["bytes_beyond_plan"], 0);
}

TEST(DeviceCheck, SeesFewerDigits) {
  PLIM_NEEDS_TORCH();
  BenchCase bench = small_case(torch_backend(), RunDevice::Kind::torch_cpu);
  bench.engine = engine_in("bf16", bench.engine);
  const auto report = device_check(bench);
  ASSERT_TRUE(report.ok()) << report.error().line();
  EXPECT_EQ((*report)["agrees"], true) << report->dump();
  EXPECT_EQ((*report)["format"], "bf16");
  for (const Json& row : (*report)["compared"])
    if (row["op"] == "conv") {
      EXPECT_GT(row["largest_error"].get<double>(), 1e-4);
    }
}

}  // namespace
}  // namespace plimsoll
