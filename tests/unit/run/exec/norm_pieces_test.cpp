// A small DenseNet on every backend, against the plain network by reference maths: pieces of whole blocks of channels,
// and pieces that no block divides.
#include <gtest/gtest.h>

#include <cmath>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "run/exec/backend.h"
#include "tests/dense_network.h"
#include "tests/program_run.h"

namespace plimsoll {
namespace {

Program dense_step(const Graph& graph, bool trains, bool fuse) {
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

TEST_P(NormPiecesOn, TrainAsThePlainNetwork) {
  for (const auto& [first, growth] : {std::pair(16, 32), std::pair(16, 8), std::pair(5, 3)}) {
    const Graph graph = dense_network(first, growth);
    const Program plain = dense_step(graph, true, false), fused = dense_step(graph, true, true);
    ProgramRun run(plain);
    run.fill(3);
    for (const int threads : {1, 2}) {
      auto executor = make_executor(*GetParam(), fused, threads);
      ASSERT_TRUE(executor.ok()) << executor.error().line();
      copy_stored(run, **executor);
      ProgramRun once(plain);
      once.fill(3);
      once.run();
      (*executor)->compute();
      const auto expected = gradients_by_name(plain);
      for (const auto& [name, id] : gradients_by_name(fused))
        expect_alike(**executor, id, once.get(expected.at(name)), name + ", growth " + std::to_string(growth));
    }
  }
}

TEST_P(NormPiecesOn, InferAsThePlainNetwork) {
  for (const auto& [first, growth] : {std::pair(16, 32), std::pair(16, 8), std::pair(5, 3)}) {
    const Graph graph = dense_network(first, growth);
    const Program plain = dense_step(graph, false, false), fused = dense_step(graph, false, true);
    ProgramRun run(plain);
    run.fill(3);
    auto executor = make_executor(*GetParam(), fused, 2);
    ASSERT_TRUE(executor.ok()) << executor.error().line();
    copy_stored(run, **executor);
    run.run();
    (*executor)->compute();
    expect_alike(**executor, fused.outputs[0], run.get(plain.outputs[0]), "growth " + std::to_string(growth));
  }
}

INSTANTIATE_TEST_SUITE_P(All, NormPiecesOn, testing::ValuesIn(all_backends().begin(), all_backends().end()),
                         [](const auto& info) { return std::string(info.param->name()); });

}  // namespace
}  // namespace plimsoll
