// Tables that exporters write out are counted as the network has them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "model/ir/bind.h"
#include "plan/weight/weigh.h"
#include "tests/onnx_model.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

void fill(onnx::TensorProto& tensor, const std::vector<float>& numbers) {
  tensor.set_raw_data(std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)));
}

float number(size_t i) { return 0.01F * float(i % 9973) + 0.003F; }

int64_t parameters_of(const OnnxModel& model) {
  const auto graph = model.import();
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  EXPECT_TRUE(validate(*graph).ok());
  const auto program = bind(*graph, {});
  EXPECT_TRUE(program.ok()) << program.error().line();
  return parameters(*program);
}

// Windows of 4 × 4 have 7 × 7 positions relative to one another, and pairs of 16 × 16.
std::vector<float> written_out(int64_t heads, bool heads_last) {
  std::vector<float> numbers(size_t(heads * 256));
  for (int64_t i = 0; i < 16; ++i)
    for (int64_t j = 0; j < 16; ++j) {
      const int64_t row = (i / 4 - j / 4 + 3) * 7 + (i % 4 - j % 4 + 3);
      for (int64_t h = 0; h < heads; ++h)
        numbers[size_t(heads_last ? (i * 16 + j) * heads + h : h * 256 + i * 16 + j)] = number(size_t(row * heads + h));
    }
  return numbers;
}

TEST(LookedUpTables, PositionsOfAllPairsAreOneTable) {
  OnnxModel model;
  model.input("x", {"N", 3, 16, 16});
  fill(model.weight("onnx::Add_12", {1, 3, 16, 16}), written_out(3, false));
  model.node("Add", {"x", "onnx::Add_12"}, {"y"});
  model.output("y");
  EXPECT_EQ(parameters_of(model), 49 * 3);
}

TEST(LookedUpTables, WhicheverSideTheRowsAreOn) {
  OnnxModel model;
  model.input("x", {"N", 16, 1, 5});
  fill(model.weight("val_3", {16, 16, 5}), written_out(5, true));
  model.node("Mul", {"x", "val_3"}, {"y"});
  model.output("y");
  EXPECT_EQ(parameters_of(model), 49 * 5);
}

// As torch.onnx's dynamo leaves it: rows first, cut into pairs by a reshape; the first of its kind has no number.
TEST(LookedUpTables, BeforeTheyAreCutIntoPairs) {
  OnnxModel model;
  model.input("x", {"N", 16, 16, 5});
  fill(model.weight("index", {256, 5}), written_out(5, true));
  model.integers("pairs", {16, 16, 5});
  model.node("Reshape", {"index", "pairs"}, {"table"});
  model.node("Add", {"x", "table"}, {"y"});
  model.output("y");
  EXPECT_EQ(parameters_of(model), 49 * 5);
}

TEST(LookedUpTables, AnglesAreNotLearned) {
  OnnxModel model;
  model.input("x", {"N", 8, 4});
  std::vector<float> angles(64);
  for (size_t i = 0; i < angles.size(); ++i) angles[i] = number(i);
  fill(model.weight("div_4", {8, 8}), angles);
  model.integers("zero", {0});
  model.integers("four", {4});
  model.integers("one", {1});
  model.node("Slice", {"div_4", "zero", "four", "one"}, {"first"});
  model.node("Sin", {"first"}, {"sines"});
  model.node("Add", {"x", "sines"}, {"y"});
  model.output("y");
  EXPECT_EQ(parameters_of(model), 0);
}

// Regions of a mask, put in place one after the other.
TEST(LookedUpTables, NumbersOfAnExporterThatArePutInPlaceAreNotLearned) {
  OnnxModel model;
  model.input("x", {"N", 8, 8});
  model.weight("val_1", {8, 8});
  fill(model.weight("val_2", {4, 8}), std::vector<float>(32, 2.0F));
  auto& places = model.integers("places", {0, 1, 2, 3});
  places.clear_dims();
  places.add_dims(4);
  places.add_dims(1);
  model.node("ScatterND", {"val_1", "places", "val_2"}, {"regions"});
  model.node("Add", {"x", "regions"}, {"y"});
  model.output("y");
  EXPECT_EQ(parameters_of(model), 0);
}

TEST(LookedUpTables, NamedOrUnequalOrUniformOnesStayAsTheyAre) {
  for (const char* name : {"block.position", "val_1", "val_2"}) {
    OnnxModel model;
    model.input("x", {"N", 3, 16, 16});
    auto& table = model.weight(name, {1, 3, 16, 16});
    std::vector<float> numbers = written_out(3, false);
    if (std::string(name) == "val_1")
      for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = number(i * 7);
    if (std::string(name) == "val_2") numbers.assign(numbers.size(), 1.0F);
    fill(table, numbers);
    model.node("Mul", {"x", name}, {"y"});
    model.output("y");
    EXPECT_EQ(parameters_of(model), 3 * 256) << name;
  }
}

TEST(LookedUpTables, AWeightsRowsAreItsOwn) {
  OnnxModel model;
  model.input("x", {"N", 16});
  std::vector<float> pruned(size_t(16) * 8, 0.0F);
  for (size_t i = 0; i < 16; ++i) pruned[i] = number(i);
  fill(model.weight("onnx::MatMul_5", {16, 8}), pruned);
  model.node("MatMul", {"x", "onnx::MatMul_5"}, {"y"});
  model.output("y");
  EXPECT_EQ(parameters_of(model), 16 * 8);
}

TEST(LookedUpTables, KeysWithoutABiasHaveNone) {
  OnnxModel model;
  model.input("x", {"N", 48});
  std::vector<float> bias(48);
  for (size_t i = 0; i < 48; ++i) bias[i] = i / 16 == 1 ? 0.0F : number(i);
  fill(model.weight("val_7", {48}), bias);
  model.node("Add", {"x", "val_7"}, {"y"});
  model.output("y");
  EXPECT_EQ(parameters_of(model), 32);
}

// Sines and cosines of positions in a picture, in turn along the channels or half and half along the last axis.
TEST(LookedUpTables, SinesBesideCosinesAreNotLearned) {
  for (const bool in_turn : {true, false}) {
    OnnxModel model;
    model.input("x", {"N", 8, 10});
    std::vector<float> table(80);
    for (int k = 0; k < (in_turn ? 4 : 8); ++k)
      for (int i = 0; i < (in_turn ? 10 : 5); ++i) {
        const double angle = 0.7 + 1.3 * k + 0.37 * i;
        table[size_t(in_turn ? (2 * k) * 10 + i : k * 10 + i)] = float(std::sin(angle));
        table[size_t(in_turn ? (2 * k + 1) * 10 + i : k * 10 + 5 + i)] = float(std::cos(angle));
      }
    fill(model.weight("val_9", {8, 10}), table);
    model.node("Add", {"x", "val_9"}, {"y"});
    model.output("y");
    EXPECT_EQ(parameters_of(model), 0) << in_turn;
  }
}

}  // namespace
}  // namespace plimsoll
