// What holds for every network of the zoo, whatever it is.
#include <gtest/gtest.h>

#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

class EveryModel : public testing::TestWithParam<std::string> {
 protected:
  const ZooModel& model() const { return *find_model(GetParam()); }
  Program program(int64_t batch) const { return zoo_program(GetParam(), {}, batch); }
};

TEST_P(EveryModel, IsDescribed) {
  EXPECT_FALSE(model().summary.empty());
  EXPECT_GE(model().classes, 0);
  EXPECT_EQ(is_floating(model().input_type), model().input.rank() == 3);
}

TEST_P(EveryModel, BuildsAGraphWithOneInputOfItsOwnShape) {
  const auto graph = build_model(GetParam(), {});
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  EXPECT_TRUE(validate(*graph).ok());
  EXPECT_EQ(graph->name, GetParam());
  ASSERT_EQ(graph->inputs.size(), 1u);
  EXPECT_EQ(graph->value(graph->inputs[0]).dtype, model().input_type);
  for (const auto& node : graph->nodes) EXPECT_NE(node.op, nullptr) << node.op_name;
}

TEST_P(EveryModel, NamesEveryLayerOnce) {
  std::set<std::string> names;
  const auto graph = build_model(GetParam(), {});
  ASSERT_TRUE(graph.ok());
  for (const auto& node : graph->nodes) EXPECT_TRUE(names.insert(node.name).second) << node.name;
  std::set<std::string> values;
  for (const auto& value : graph->values) EXPECT_TRUE(values.insert(value.name).second) << value.name;
}

TEST_P(EveryModel, ParametersStayAndMacsGrowWithTheBatch) {
  const Program one = program(1), three = program(3);
  EXPECT_GT(parameters(one), 0);
  EXPECT_EQ(parameters(one), parameters(three));
  EXPECT_EQ(stored(one, Role::buffer), stored(three, Role::buffer));
  EXPECT_GT(macs(one), 0);
  EXPECT_EQ(3 * macs(one), macs(three));
  for (const auto& operation : three.operations) EXPECT_EQ(operation.certainty, Certainty::exact) << operation.name;
  EXPECT_EQ(three.value(three.outputs[0]).type->shape[0], 3);
}

TEST_P(EveryModel, ClassesSetTheLastLayer) {
  const auto last = [&](int64_t classes) {
    const Program program = zoo_program(GetParam(), {.input = {}, .classes = classes});
    const Shape shape = program.value(program.outputs[0]).type->shape;
    return std::pair(shape[shape.rank() - 1], parameters(program));
  };
  const auto [seven, params_of_seven] = last(7);
  const auto [eight, params_of_eight] = last(8);
  EXPECT_EQ(seven, 7);
  EXPECT_EQ(eight, 8);
  EXPECT_LT(params_of_seven, params_of_eight);
}

// Any size gives a graph, of which the first and the last are bound, or a mistake that names the network and what
// it expects.
TEST_P(EveryModel, SmallInputsWorkOrAreRefused) {
  constexpr int64_t kLast = 64;
  bool bound = false;
  for (int64_t size = 1; size <= kLast; ++size) {
    Shape input = model().input;
    for (int axis = input.rank() == 3 ? 1 : 0; axis < input.rank(); ++axis) input[axis] = size;
    SCOPED_TRACE(input.text());
    const auto graph = build_model(GetParam(), {.input = input, .classes = {}});
    if (!graph.ok()) {
      EXPECT_EQ(graph.error().kind, ErrorKind::user);
      EXPECT_NE(graph.error().line().find(GetParam()), std::string::npos) << graph.error().line();
      EXPECT_NE(graph.error().line().find(model().input.text()), std::string::npos) << graph.error().line();
    } else if (!bound || size == kLast) {
      bound = true;
      const auto program = bind(*graph, {.batch = 2});
      EXPECT_TRUE(program.ok()) << program.error().line();
    }
  }
}

TEST_P(EveryModel, AbsurdInputsAndClassesAreRefused) {
  const int64_t huge = int64_t{1} << 60;
  for (const int64_t size : {int64_t{0}, int64_t{-1}, huge}) {
    Shape input = model().input;
    for (int axis = 0; axis < input.rank(); ++axis) input[axis] = size;
    SCOPED_TRACE(input.text());
    EXPECT_FALSE(build_model(GetParam(), {.input = input, .classes = {}}).ok());
  }
  EXPECT_FALSE(build_model(GetParam(), {.input = Shape{3, 224, 224, 5}, .classes = {}}).ok());
  EXPECT_FALSE(build_model(GetParam(), {.input = {}, .classes = 0}).ok());
  EXPECT_FALSE(build_model(GetParam(), {.input = {}, .classes = -5}).ok());
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& model : all_models()) names.emplace_back(model.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Zoo, EveryModel, testing::ValuesIn(names()), [](const auto& info) { return info.param; });

TEST(AllModels, NamesAreUnique) {
  const auto all = names();
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
}

TEST(AllModels, AnUnknownNameGivesTheNearest) {
  const auto graph = build_model("resnet51", {});
  ASSERT_FALSE(graph.ok());
  EXPECT_NE(graph.error().line().find("resnet5"), std::string::npos) << graph.error().line();
}

// Masks grow with the image: an absurd one must not take the machine's memory before it is refused.
TEST(AllModels, SwinRefusesMoreWindowsThanItKeepsMasksFor) {
  EXPECT_TRUE(build_model("swin_t", {.input = Shape{3, 1000, 600}, .classes = {}}).ok());
  for (const auto& input : {Shape{3, 100'000, 100'000}, Shape{3, 8, 1'000'000'000}}) {
    const auto graph = build_model("swin_t", {.input = input, .classes = {}});
    ASSERT_FALSE(graph.ok());
    EXPECT_NE(graph.error().line().find("windows"), std::string::npos) << graph.error().line();
  }
}

TEST(AllModels, SequencesHaveTheLengthThatIsAskedFor) {
  for (const auto* name : {"bert_base", "gpt2"}) {
    const int64_t own = macs(zoo_program(name)),
                  shorter = macs(zoo_program(name, {.input = Shape{128}, .classes = {}}));
    EXPECT_LT(shorter, own);
    EXPECT_EQ(parameters(zoo_program(name)), parameters(zoo_program(name, {.input = Shape{128}, .classes = {}})));
  }
  EXPECT_TRUE(build_model("bert_base", {.input = Shape{512}, .classes = {}}).ok());
  const auto longer = build_model("bert_base", {.input = Shape{513}, .classes = {}});
  ASSERT_FALSE(longer.ok());
  EXPECT_NE(longer.error().line().find("positions for 512"), std::string::npos) << longer.error().line();
  EXPECT_FALSE(build_model("gpt2", {.input = Shape{1025}, .classes = {}}).ok());
}

}  // namespace
}  // namespace plimsoll
