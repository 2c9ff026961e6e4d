// Parameters that the loss depends on are trained, or the step is refused: never silently left as they are.
#include <gtest/gtest.h>

#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "tests/program_run.h"
#include "tests/unit/model/ir/small_graph.h"

namespace plimsoll {
namespace {

constexpr int64_t kTooMany = 1'000'000;  // rounds that are not written out

// `trained`: the body multiplies by a parameter. The network reads the loop's last state, and the mean of all of them.
std::shared_ptr<const Graph> with_loop(bool trained, int64_t rounds = kTooMany) {
  SmallGraph body;
  body.input("round", {}, DType::i64);
  const ValueId condition = body.input("condition", {}, DType::boolean);
  const ValueId state = body.input("state", {Dim("N"), 3}), factor = body.input("factor", {3, 3});
  const ValueId next = trained ? body.node("next", "matmul", {state, factor}) : body.node("next", "relu", {state});
  const auto inner = body.finish({body.node("keep", "identity", {condition}), next, next});
  SmallGraph net;
  const ValueId x = net.input("x", {Dim("N"), 3}), w = net.parameter("w", {3, 3}), head = net.parameter("head", {3, 2});
  const ValueId last = net.node("last", "loop", {net.constant("rounds", integer_scalar(rounds)), ValueId{}, x, w},
                                {{"body", inner}, {"captures", int64_t{1}}});
  const ValueId all = net.graph.add({"all", Role::activation, DType::f32, std::nullopt, nullptr});
  net.graph.nodes.back().outputs.push_back(all);
  const ValueId mean =
      net.node("mean", "reduce_mean", {all}, {{"axes", std::vector<int64_t>{0}}, {"keepdims", int64_t{0}}});
  return net.finish({net.node("scores", "matmul", {net.node("sum", "add", {last, mean}), head})});
}

Result<Program> step_of(const Graph& graph, const char* optimizer) {
  PLIM_ASSIGN(Program forward,
              bind(graph, {.batch = 2, .parameters = DType::f64, .activations = DType::f64, .write_out_loops = true}));
  StepOptions options;
  if (optimizer) options.optimizer = *find_optimizer(optimizer);
  return make_step(std::move(forward), options);
}

TEST(Untrained, ALoopThatIsNotWrittenOutIsRefusedByName) {
  const auto graph = with_loop(true);
  const auto step = step_of(*graph, "adam");
  ASSERT_FALSE(step.ok());
  EXPECT_NE(step.error().line().find("node "), std::string::npos) << step.error().line();
  EXPECT_NE(step.error().line().find("the result of a loop"), std::string::npos) << step.error().line();
  EXPECT_TRUE(step_of(*graph, nullptr).ok()) << "an inference needs no gradient";
}

TEST(Untrained, ALoopOverDataAloneDoesNotStandInTheWay) {
  const auto step = step_of(*with_loop(false), "adam");
  ASSERT_TRUE(step.ok()) << step.error().line();
  int64_t updates = 0;
  for (const auto& operation : step->operations) updates += operation.phase == Phase::update;
  EXPECT_EQ(updates, 1) << "of the head, the one parameter that the loss depends on";
}

TEST(Untrained, AShortLoopIsTrainedThrough) {
  const auto made = step_of(*with_loop(true, 5), "sgd");
  ASSERT_TRUE(made.ok()) << made.error().line();
  const Program& step = *made;
  ProgramRun base(step);
  base.fill(3);
  base.run();
  int64_t updates = 0;
  for (const auto& operation : step.operations) {
    if (operation.phase != Phase::update) continue;
    ++updates;
    const Tensor gradient = base.get(operation.inputs[1]);
    for (size_t place = 0; place < gradient.size(); ++place) {
      double loss[2] = {};
      for (const int side : {0, 1}) {
        ProgramRun moved(step);
        moved.fill(3);
        Tensor parameter = moved.get(operation.inputs[0]);
        parameter.as<double>()[place] += side == 0 ? -1e-5 : 1e-5;
        moved.set(operation.inputs[0], parameter);
        moved.run();
        loss[side] = moved.loss();
      }
      EXPECT_NEAR(gradient.as<double>()[place], (loss[1] - loss[0]) / 2e-5, 1e-7) << operation.name << " at " << place;
    }
  }
  EXPECT_EQ(updates, 2);
}

}  // namespace
}  // namespace plimsoll
