// What the engine's lowering tells of the kernels that it could not use.
#include "plan/memory/declined.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "run/exec/backend.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

std::unique_ptr<Lowered> lowered(const std::string& network, const EngineOptions& options) {
  auto step = make_step(zoo_program(network, {}, 2), {.optimizer = *find_optimizer("sgd")});
  EXPECT_TRUE(step.ok());
  auto made = (*find_backend("onednn"))->lowering(options)->lower(std::move(*step));
  EXPECT_TRUE(made.ok());
  return std::move(*made);
}

bool tells(const Lowered& step, std::string_view op, std::string_view implementation, std::string_view reason) {
  const auto groups = grouped(step.program, step.declined);
  return std::any_of(groups.begin(), groups.end(), [&](const DeclinedGroup& group) {
    return group.op == op && group.implementation == implementation && group.reason == reason;
  });
}

TEST(DeclinedKernels, AnotherMethodWasAskedFor) {
  const auto step = lowered("lenet5", EngineOptions(1, ConvSetting::direct));
  EXPECT_TRUE(tells(*step, "conv", "winograd", "another method was asked for"));
  EXPECT_TRUE(tells(*step, "conv", "fft", "another method was asked for"));
  for (const Declined& one : step->declined)
    EXPECT_LT(one.operation, step->program.operations.size()) << one.implementation;
}

TEST(DeclinedKernels, EachIsTheOperationsOwn) {
  const auto step = lowered("mobilenet_v3_small", EngineOptions(1));
  for (const Declined& one : step->declined) {
    const Operation& operation = step->program.operations.at(one.operation);
    EXPECT_FALSE(one.reason.empty()) << operation.op_name;
    EXPECT_NE(operation.op->kind, OpKind::reorder) << "nobody else was asked for a reorder";
    if (one.implementation == "winograd") {
      EXPECT_EQ(operation.op->kind, OpKind::convolution);
    }
  }
}

// Whatever runs by reference maths has its reason, and nothing else is said to.
TEST(DeclinedKernels, ReferenceMathsIsExplained) {
  for (const char* network : {"lenet5", "googlenet", "bert_base"}) {
    const auto step = lowered(network, EngineOptions(1));
    std::set<std::string> explained;
    for (const Declined& one : step->declined)
      if (one.taken_by == kByReference) explained.insert(step->program.operations.at(one.operation).op_name);
    EXPECT_EQ(explained, std::set<std::string>(step->by_reference.begin(), step->by_reference.end())) << network;
  }
}

}  // namespace
}  // namespace plimsoll
