// FLOPs and kept bytes against transformers' own code, counted on the meta device (tests/data/facts): products forward
// and backward, and what autograd saves, eager and flash, f32 and bf16.
#include <gtest/gtest.h>

#include "model/hf/import_config.h"
#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "plan/memory/autograd_kept.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

constexpr double kFlopsTolerance = 1e-3, kBytesTolerance = 1e-2;

Result<Graph> graph_of(FactRow& row) {
  ConfigOptions options;
  if (row["seq"].find("px") == std::string::npos) options.sequence = std::stoll(row["seq"]);
  return import_config(std::string(PLIM_TEST_DATA) + "/configs/" + row["model"] + ".json", options);
}

// The facts were counted without looking up positions; a real run of BART has none beyond its table.
bool is_beyond_positions(FactRow& row) { return row["model"] == "bart-large-cnn" && row["seq"] == "2048"; }

Program forward_of(FactRow& row) {
  auto graph = graph_of(row);
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  for (auto& node : graph->nodes)
    if (node.op_name == "grouped_attention") node.attributes.set("fused", int64_t{row["attention"] == "flash"});
  BindOptions bound;
  bound.batch = std::stoll(row["batch"]);
  if (row["dtype"] == "bfloat16") bound.parameters = bound.activations = DType::bf16;
  auto program = bind(*graph, bound);
  EXPECT_TRUE(program.ok()) << program.error().line();
  return *std::move(program);
}

double products(const Program& program) {
  double flops = 0;
  for (const auto& operation : program.operations) flops += 2 * double(operation.cost.macs.value());
  return flops;
}

TEST(AutogradKept, AgreesWithTransformers) {
  for (FactRow row : facts("llm_flops_activations.csv")) {
    SCOPED_TRACE(row["model"] + ", batch " + row["batch"] + ", sequence " + row["seq"] + ", " + row["dtype"] + ", " +
                 row["attention"]);
    if (is_beyond_positions(row)) {
      EXPECT_NE(graph_of(row).error().line().find("positions for 1024"), std::string::npos);
      continue;
    }
    const Program forward = forward_of(row);
    const double flops = std::stod(row["forward_flops"]), backward = std::stod(row["backward_flops"]);
    EXPECT_NEAR(products(forward), flops, kFlopsTolerance * flops);
    StepOptions options;
    options.optimizer = *find_optimizer("sgd");
    options.fuse = false;  // our own engine computes scores twice instead of keeping them
    const auto step = make_step(forward, options);
    ASSERT_TRUE(step.ok()) << step.error().line();
    EXPECT_NEAR(products(*step) - products(forward), backward, kFlopsTolerance * backward);
    const auto form = row["attention"] == "flash" ? AttentionForm::flash : AttentionForm::eager;
    const double kept = std::stod(row["saved_bytes"]);
    EXPECT_NEAR(double(autograd_kept(forward, form, true).value()), kept, kBytesTolerance * kept);
  }
}

}  // namespace
}  // namespace plimsoll
