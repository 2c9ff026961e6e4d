// What a stored tensor is follows from who reads it: parameter, buffer or constant.
#include <gtest/gtest.h>

#include <map>

#include "tests/onnx_model.h"

namespace plimsoll {
namespace {

using onnx::TensorProto;

std::map<std::string, Value> values_of(const OnnxModel& model) {
  const auto graph = model.import();
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  std::map<std::string, Value> values;
  if (!graph.ok()) return values;
  EXPECT_TRUE(validate(*graph).ok());
  for (const auto& value : graph->values) values.emplace(value.name, value);
  return values;
}

onnx::TensorProto& constant(OnnxModel& model, const std::string& name, const std::vector<int64_t>& dims) {
  auto* attribute = model.node("Constant", {}, {name}).add_attribute();
  attribute->set_name("value");
  attribute->set_type(onnx::AttributeProto::TENSOR);
  auto& tensor = *attribute->mutable_t();
  tensor.set_data_type(TensorProto::FLOAT);
  int64_t count = 1;
  for (const int64_t dim : dims) tensor.add_dims(dim), count *= dim;
  tensor.set_raw_data(std::string(size_t(count) * 4, '\0'));
  return tensor;
}

TEST(OnnxRoles, FollowFromTheReader) {
  OnnxModel model;
  model.input("x", {"batch", 4, 8, 8});
  for (const char* name : {"scale", "shift", "mean", "variance"}) model.weight(name, {4});
  model.weight("factor", {4, 1, 1});
  model.weight("literal", {});
  model.integers("shape", {0, -1});
  model.node("BatchNormalization", {"x", "scale", "shift", "mean", "variance"}, {"n"});
  model.node("Mul", {"n", "factor"}, {"m"});
  model.node("Mul", {"m", "literal"}, {"l"});
  model.node("Reshape", {"l", "shape"}, {"y"});
  model.output("y");
  const auto values = values_of(model);
  EXPECT_EQ(values.at("x").role, Role::input);
  EXPECT_EQ(values.at("scale").role, Role::parameter);
  EXPECT_EQ(values.at("shift").role, Role::parameter);
  EXPECT_EQ(values.at("mean").role, Role::buffer);
  EXPECT_EQ(values.at("variance").role, Role::buffer);
  EXPECT_EQ(values.at("factor").role, Role::parameter);
  EXPECT_EQ(values.at("factor").data, nullptr) << "weights are not read";
  EXPECT_EQ(values.at("literal").role, Role::constant);
  ASSERT_NE(values.at("literal").data, nullptr);
  EXPECT_EQ(values.at("shape").role, Role::constant);
  ASSERT_NE(values.at("shape").data, nullptr);
  EXPECT_EQ(values.at("shape").data->integers(), (std::vector<int64_t>{0, -1}));
}

TEST(OnnxRoles, ConstantNodeIsAParameterOnlyAsAWeight) {
  OnnxModel model;
  model.input("x", {1, 4, 8, 8});
  constant(model, "kernel", {4, 4, 3, 3});
  constant(model, "added", {4, 1, 1});
  model.node("Conv", {"x", "kernel"}, {"c"});
  model.node("Add", {"c", "added"}, {"y"});
  model.output("y");
  const auto values = values_of(model);
  EXPECT_EQ(values.at("kernel").role, Role::parameter);
  EXPECT_EQ(values.at("added").role, Role::constant);
  EXPECT_NE(values.at("added").data, nullptr);
}

// Exporters merge tensors of equal contents and put an Identity before each use.
TEST(OnnxRoles, EachIdentityOfAnInitializerIsAStoredTensor) {
  OnnxModel model;
  model.input("x", {1, 4, 8, 8});
  model.weight("merged", {4});
  for (const char* name : {"scale", "shift", "mean", "variance"}) model.node("Identity", {"merged"}, {name});
  model.node("BatchNormalization", {"x", "scale", "shift", "mean", "variance"}, {"y"}, "bn");
  model.output("y");
  const auto graph = model.import();
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  EXPECT_EQ(graph->nodes.size(), 1u);
  EXPECT_TRUE(graph->notes.empty());
  std::map<std::string, Role> roles;
  for (const auto& value : graph->values) roles[value.name] = value.role;
  EXPECT_FALSE(roles.count("merged"));
  EXPECT_EQ(roles.at("scale"), Role::parameter);
  EXPECT_EQ(roles.at("shift"), Role::parameter);
  EXPECT_EQ(roles.at("mean"), Role::buffer);
  EXPECT_EQ(roles.at("variance"), Role::buffer);
}

TEST(OnnxRoles, SharingCountsOnceAndParameterWins) {
  OnnxModel model;
  model.input("x", {1, 4, 8, 8});
  model.weight("all", {4});
  model.node("BatchNormalization", {"x", "all", "all", "all", "all"}, {"n"});
  model.node("BatchNormalization", {"n", "all", "all", "all", "all"}, {"y"});
  model.output("y");
  const auto graph = model.import();
  ASSERT_TRUE(graph.ok());
  int stored = 0;
  for (const auto& value : graph->values) stored += value.role == Role::parameter || value.role == Role::buffer;
  EXPECT_EQ(stored, 1);
  EXPECT_EQ(values_of(model).at("all").role, Role::parameter);
}

TEST(OnnxRoles, LooksThroughReshapingAndConversion) {
  OnnxModel model;
  model.input("x", {1, 4});
  auto& weight = model.weight("quantised", {4, 4});
  weight.set_data_type(TensorProto::INT8);
  weight.set_raw_data(std::string(16, '\1'));
  model.weight("scale", {});
  constant(model, "stored", {4, 4});
  model.weight("float_shape", {2});
  model.node("DequantizeLinear", {"quantised", "scale"}, {"q"});
  model.node("MatMul", {"x", "q"}, {"a"});
  model.node("Transpose", {"stored"}, {"t"});
  model.node("MatMul", {"a", "t"}, {"b"});
  set_integer(model.node("Cast", {"float_shape"}, {"shape"}), "to", TensorProto::INT64);
  model.node("Reshape", {"b", "shape"}, {"y"});
  model.output("y");
  const auto values = values_of(model);
  EXPECT_EQ(values.at("quantised").role, Role::parameter);
  EXPECT_EQ(values.at("stored").role, Role::parameter);
  EXPECT_EQ(values.at("float_shape").role, Role::constant);
  EXPECT_NE(values.at("float_shape").data, nullptr);
}

TEST(OnnxRoles, UnusedInitializersAreNotedAndNotCounted) {
  OnnxModel model;
  add_small_network(model);
  model.weight("leftover", {1000});
  const auto graph = model.import();
  ASSERT_TRUE(graph.ok());
  ASSERT_EQ(graph->notes.size(), 1u);
  EXPECT_NE(graph->notes[0].find("first 'leftover'"), std::string::npos);
  EXPECT_FALSE(values_of(model).count("leftover"));
}

TEST(OnnxRoles, InitializersListedAsInputsAreNotInputs) {
  OnnxModel model;
  model.input("conv.weight", {4, 3, 3, 3});
  add_small_network(model);
  const auto graph = model.import();
  ASSERT_TRUE(graph.ok());
  ASSERT_EQ(graph->inputs.size(), 1u);
  EXPECT_EQ(graph->value(graph->inputs[0]).name, "x");
  EXPECT_EQ(graph->batch_symbol, "batch");
}

}  // namespace
}  // namespace plimsoll
