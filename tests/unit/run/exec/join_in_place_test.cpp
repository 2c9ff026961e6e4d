#include "run/exec/onednn/join_in_place.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "model/passes/pipeline.h"
#include "run/exec/backend.h"
#include "run/exec/onednn/onednn_backend.h"
#include "tests/program_run.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

// Two branches, one of which is itself joined from two; `read_again`: the first is read behind the concat, too.
Graph branches(int64_t channels, bool read_again) {
  Builder b("branches", {3, 6, 6});
  const ConvOptions same{.kernel = {3, 3}, .padding = {1, 1}}, one{.kernel = {1, 1}};
  const ValueId x = b.relu("relu", b.conv("stem", b.input(), channels, same));
  const ValueId first = b.conv("first", x, channels, one);
  const ValueId second = b.max_pool("second", x, {.kernel = {3, 3}, .stride = {1, 1}, .padding = {1, 1}});
  const ValueId third = b.conv("third", x, channels, same);
  ValueId y = b.conv("last", b.concat("outer", {first, b.concat("inner", {second, third})}), channels, one);
  if (read_again) y = b.apply("mul", "mul", {y, first});
  auto graph = b.finish(b.linear("fc", b.flatten("flatten", b.global_average_pool("pool", y)), 3));
  EXPECT_TRUE(graph.ok());
  return *graph;
}

// Without fusion: it would flatten the concats.
Program inference(const Graph& graph, int64_t batch) {
  auto step = make_step(*bind(graph, {.batch = batch}), {.fuse = false});
  EXPECT_TRUE(step.ok()) << step.error().line();
  return step.ok() ? *step : Program{};
}

size_t pieces_in_place(const Program& program) {
  auto lowered = onednn_backend().lowering(2)->lower(program);
  EXPECT_TRUE(lowered.ok()) << lowered.error().line();
  return static_cast<const OnednnLowered&>(**lowered).offsets.size();
}

TEST(JoinInPlace, PiecesOfOneImageAreWrittenWhereTheyBelong) {
  EXPECT_EQ(pieces_in_place(inference(branches(16, false), 1)), 4) << "the inner whole is a piece";
  EXPECT_EQ(pieces_in_place(inference(branches(16, true), 1)), 3) << "the first is needed longer than the whole";
  EXPECT_EQ(pieces_in_place(inference(branches(16, false), 2)), 0) << "pieces of two images lie apart";
}

void expect_plain_results(const Backend& backend, const Program& program) {
  ProgramRun run(program);
  run.fill(3);
  run.run();
  auto executor = make_executor(backend, program, 2);
  ASSERT_TRUE(executor.ok()) << executor.error().line();
  const auto expected = run.get(program.outputs[0]).doubles();
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 0; i < program.values.size(); ++i) {
      const Role role = program.values[i].role;
      if (role == Role::input || role == Role::parameter || role == Role::buffer)
        (*executor)->write({int32_t(i)}, run.get({int32_t(i)}).bytes);
    }
    (*executor)->compute();
    std::vector<float> ours(expected.size());
    (*executor)->read(program.outputs[0], std::as_writable_bytes(std::span(ours)));
    for (size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], expected[i], 1e-4 * (1 + std::abs(expected[i])));
  }
}

TEST(JoinInPlace, LeavesANetworkOfTheZooAsItWas) {
  const auto step = make_step(zoo_program("squeezenet1_1", {.input = Shape{3, 48, 48}, .classes = 10}, 1), {});
  ASSERT_TRUE(step.ok());
  EXPECT_EQ(pieces_in_place(*step), 16);
  expect_plain_results(onednn_backend(), *step);
}

TEST(JoinInPlace, LeavesResultsAsTheyWere) {
  for (const int64_t channels : {16, 8, 5})  // whole blocks; places that are not aligned are copied to
    for (const bool read_again : {false, true})
      expect_plain_results(onednn_backend(), inference(branches(channels, read_again), 1));
}

}  // namespace
}  // namespace plimsoll
