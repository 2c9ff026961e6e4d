// Small networks with concats on every backend, against the plain networks by reference maths: pieces of whole blocks
// of channels, and pieces that no block divides.
#include <gtest/gtest.h>

#include <cmath>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "run/exec/backend.h"
#include "tests/joined_networks.h"
#include "tests/program_run.h"

namespace plimsoll {
namespace {

Program joined_step(const Graph& graph, bool trains, bool fuse) {
  StepOptions options;
  if (trains) options.optimizer = find_optimizer("sgd").value();
  options.fuse = fuse;
  options.parameters = Parameters::shared;  // the same in both
  auto step = make_step(*bind(graph, {.batch = 3}), options);
  EXPECT_TRUE(step.ok()) << step.error().line();
  return step.ok() ? *step : Program{};
}

ValueId stored_as(const Program& program, const ProgramValue& value) {
  for (size_t i = 0; i < program.values.size(); ++i)
    if (program.values[i].name == value.name && program.values[i].role == value.role) return {int32_t(i)};
  return {};
}

void copy_stored(const ProgramRun& from, Executor& to) {
  for (size_t i = 0; i < to.program().values.size(); ++i) {
    const ProgramValue& value = to.program().values[i];
    if (value.role != Role::input && value.role != Role::parameter && value.role != Role::buffer) continue;
    if (const ValueId there = stored_as(from.program(), value); there.present() && from.has(there))
      to.write({int32_t(i)}, from.get(there).bytes);
  }
}

void expect_alike(const Executor& executor, ValueId id, const Tensor& expected, const std::string& what) {
  const auto numbers = expected.doubles();
  std::vector<float> ours(numbers.size());
  executor.read(id, std::as_writable_bytes(std::span(ours)));
  double off = 0, norm = 0;
  for (size_t i = 0; i < ours.size(); ++i) {
    off += std::pow(ours[i] - numbers[i], 2);
    norm += numbers[i] * numbers[i];
  }
  EXPECT_LE(std::sqrt(off), 1e-4 * std::sqrt(norm) + 1e-6) << what;
}

std::map<std::string, ValueId> gradients_by_name(const Program& program) {
  std::map<std::string, ValueId> result;
  for (const auto& operation : program.operations)
    if (operation.phase == Phase::update) result[program.value(operation.inputs[0]).name] = operation.inputs[1];
  return result;
}

class NormPiecesOn : public testing::TestWithParam<const Backend*> {};

std::vector<Graph> networks() {
  return {dense_network(16, 32),    dense_network(16, 8),    dense_network(5, 3),
          branched_network(16, 32), branched_network(8, 16), branched_network(5, 3)};
}

TEST_P(NormPiecesOn, TrainAsThePlainNetwork) {
  for (const Graph& graph : networks()) {
    const Program plain = joined_step(graph, true, false), fused = joined_step(graph, true, true);
    ProgramRun run(plain);
    run.fill(3);
    run.run();
    const auto expected = gradients_by_name(plain);
    for (const int threads : {1, 2}) {
      auto executor = make_executor(*GetParam(), fused, threads);
      ASSERT_TRUE(executor.ok()) << executor.error().line();
      ProgramRun start(plain);
      start.fill(3);
      copy_stored(start, **executor);
      (*executor)->compute();
      for (const auto& [name, id] : gradients_by_name(fused))
        expect_alike(**executor, id, run.get(expected.at(name)), graph.name + ", " + name);
    }
  }
}

TEST_P(NormPiecesOn, InferAsThePlainNetwork) {
  for (const Graph& graph : networks()) {
    const Program plain = joined_step(graph, false, false), fused = joined_step(graph, false, true);
    ProgramRun run(plain);
    run.fill(3);
    auto executor = make_executor(*GetParam(), fused, 2);
    ASSERT_TRUE(executor.ok()) << executor.error().line();
    copy_stored(run, **executor);
    run.run();
    (*executor)->compute();
    expect_alike(**executor, fused.outputs[0], run.get(plain.outputs[0]), graph.name);
  }
}

TEST_P(NormPiecesOn, SameStepSameBits) {
  for (const Graph& graph : {dense_network(16, 8), branched_network(8, 16)}) {
    const Program step = joined_step(graph, true, true);
    ProgramRun start(step);
    start.fill(3);
    auto executor = make_executor(*GetParam(), step, 2);
    ASSERT_TRUE(executor.ok()) << executor.error().line();
    std::map<std::string, std::vector<std::byte>> first;
    for (int round = 0; round < 2; ++round) {
      copy_stored(start, **executor);
      (*executor)->compute();
      for (const auto& [name, id] : gradients_by_name(step)) {
        std::vector<std::byte> bytes(size_t(step.value(id).type->bytes().value()));
        (*executor)->read(id, bytes);
        if (round == 0) first[name] = bytes;
        else EXPECT_TRUE(first[name] == bytes) << graph.name << ", " << name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NormPiecesOn, testing::ValuesIn(all_backends().begin(), all_backends().end()),
                         [](const auto& info) { return std::string(info.param->name()); });

}  // namespace
}  // namespace plimsoll
