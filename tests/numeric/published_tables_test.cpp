// Published tables of single networks, row by row.
#include <cmath>

#include "tests/facts.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

Shape image_shape(const std::string& height_width_channels) {  // "28x28x256" → 1x256x28x28
  const Shape hwc = *parse_shape(height_width_channels);
  return hwc.rank() == 1 ? Shape{1, hwc[0]} : Shape{1, hwc[2], hwc[0], hwc[1]};
}

double relative(int64_t ours, double published) { return std::abs(double(ours) / published - 1); }

// The weights of a group without biases, which the paper's table leaves out.
int64_t weights(const Program& program, const std::string& group) {
  int64_t biases = 0;
  for (const auto& operation : program.operations)
    if (in_group(operation.name, group) && (operation.op_name == "conv" || operation.op_name == "gemm"))
      biases += program.value(operation.inputs[2]).type->elements().value();
  return parameters(program, group) - biases;
}

TEST(GoogLeNetTable, ConvolutionAfterTheStemAndLinear) {
  const Program program = zoo_program("googlenet");
  const auto rows = facts("googlenet_table.csv");
  const FactRow &second = rows[1], &linear = rows.back();
  ASSERT_EQ(second.at("output"), "56x56x192");
  EXPECT_EQ(output_shape(program, "conv3"), image_shape(second.at("output")));
  // The table's thousands are 1024: 64·64 + 9·64·192 weights are exactly 112 of them.
  EXPECT_EQ(weights(program, "conv2") + weights(program, "conv3"), 1024 * std::stoll(second.at("params_thousand")));
  EXPECT_EQ(std::llround(double(macs(program, "conv2") + macs(program, "conv3")) * 1e-6),
            std::stoll(second.at("ops_million")));
  ASSERT_EQ(linear.at("layer"), "linear");
  EXPECT_EQ(weights(program, "fc"), 1024 * std::stoll(linear.at("params_thousand")));
  EXPECT_EQ(std::llround(double(macs(program, "fc")) * 1e-6), std::stoll(linear.at("ops_million")));
}

// The published 2.7 K parameters and 34 M operations are no 7×7 kernel over three channels, whose 64 × 3 × 7 × 7
// weights are 9.4 K (9.2 × 1024), used at each of 112 × 112 positions: 118 M. They are close to what a 7×1 and a 1×7
// in its place would have: 64 × (3 + 3) × 7 = 2.7 K weights and, used 112 × 112 times, 33.7 M operations.
TEST(GoogLeNetTable, TheStemIsAFullKernelAndThePublishedCountIsOfTwoStrips) {
  const Program program = zoo_program("googlenet");
  const FactRow row = facts("googlenet_table.csv")[0];
  EXPECT_EQ(output_shape(program, "conv1"), image_shape(row.at("output")));
  EXPECT_EQ(weights(program, "conv1"), 9408);
  EXPECT_EQ(macs(program, "conv1"), 118'013'952);
  const int64_t strips = 64 * (3 + 3) * 7;
  EXPECT_NEAR(double(strips) / 1000, std::stod(row.at("params_thousand")), 0.05);
  EXPECT_EQ(std::llround(double(strips) * 112 * 112 * 1e-6), std::stoll(row.at("ops_million")));
}

// Within 5 % but for 4c (10 % in parameters) and 5a (5.4 % in operations), as the table's note says: to its digits.
TEST(GoogLeNetTable, InceptionsWithinTheStatedDeviations) {
  const Program program = zoo_program("googlenet");
  int checked = 0;
  for (const auto& row : facts("googlenet_table.csv")) {
    const std::string layer = row.at("layer");
    if (!layer.starts_with("inception ")) continue;
    SCOPED_TRACE(layer);
    const std::string which = layer.substr(10), group = "inception" + which;
    EXPECT_EQ(output_shape(program, group), image_shape(row.at("output")));
    EXPECT_LE(relative(parameters(program, group), 1e3 * std::stod(row.at("params_thousand"))),
              which == "4c" ? 0.105 : 0.05);
    EXPECT_LE(relative(macs(program, group), 1e6 * std::stod(row.at("ops_million"))), which == "5a" ? 0.0545 : 0.05);
    ++checked;
  }
  EXPECT_EQ(checked, 9);
}

TEST(ResNetTable, ExactMacsToTheDigitAndPublishedWithinTwoPercent) {
  for (const auto& row : facts("resnet_table.csv")) {
    SCOPED_TRACE(row.at("zoo_network"));
    const int64_t ours = macs(zoo_program(row.at("zoo_network")));
    EXPECT_NEAR(double(ours) * 1e-9, std::stod(row.at("exact_macs")) * 1e-9, 0.0005);
    EXPECT_LE(relative(ours, std::stod(row.at("flops_published"))), 0.02);
  }
}

// The rows are layers with their activation: the operations that make an output or store something.
TEST(CatsDogsTable, LayerByLayer) {
  const Program program = zoo_program("catsdogs");
  std::vector<const Operation*> layers;
  for (const auto& operation : program.operations)
    if (operation.op_name != "relu" && operation.op_name != "sigmoid") layers.push_back(&operation);
  size_t next = 0;
  for (const auto& row : facts("catsdogs_layers.csv")) {
    const std::string name = row.at("layer");
    if (name == "input" || name == "total" || name == "not trainable" || name == "note") continue;
    SCOPED_TRACE(name + " " + row.at("output_hwc"));
    ASSERT_LT(next, layers.size());
    const Operation& layer = *layers[next++];
    EXPECT_EQ(program.value(layer.outputs[0]).type->shape, image_shape(row.at("output_hwc")));
    int64_t stored = 0;
    for (size_t i = 1; i < layer.inputs.size(); ++i) stored += program.value(layer.inputs[i]).type->elements().value();
    EXPECT_EQ(stored, std::stoll(row.at("params")));
  }
  EXPECT_EQ(next, layers.size());
  EXPECT_EQ(program.operations.back().op_name, "sigmoid");
}

TEST(CatsDogsTable, Totals) {
  const Program program = zoo_program("catsdogs");
  EXPECT_EQ(program.value(program.inputs[0]).type->shape, (Shape{1, 3, 256, 256}));
  EXPECT_EQ(parameters(program), 21'455'521);
  EXPECT_EQ(stored(program, Role::buffer), 8'192);
  std::map<std::string, int64_t> published;
  for (const auto& row : facts("catsdogs_layers.csv"))
    if (!row.at("params").empty()) published[row.at("layer")] = std::stoll(row.at("params"));
  EXPECT_EQ(parameters(program) + stored(program, Role::buffer), published.at("total"));
  EXPECT_EQ(stored(program, Role::buffer), published.at("not trainable"));
}

TEST(ConvergenceNetwork, LayerByLayer) {
  const Program program = zoo_program("convergence");
  const auto layer = [&](const std::string& name) { return parameters(program, name); };
  EXPECT_EQ(layer("stem"), 9'472);
  EXPECT_EQ(layer("block1.1"), 4'160);
  EXPECT_EQ(layer("block1.2"), 36'928);
  EXPECT_EQ(layer("block1.3"), 16'640);
  EXPECT_EQ(layer("block1.shortcut"), 16'640);
  EXPECT_EQ(layer("block2.1"), 32'896);
  EXPECT_EQ(layer("block2.2"), 147'584);
  EXPECT_EQ(layer("block2.3"), 66'048);
  EXPECT_EQ(layer("block2.shortcut"), 131'584);
  EXPECT_EQ(layer("fc"), 20'490);
  EXPECT_EQ(output_shape(program, "stem.relu"), (Shape{1, 64, 16, 16}));
  EXPECT_EQ(output_shape(program, "stem.pool"), (Shape{1, 64, 7, 7}));
  EXPECT_EQ(output_shape(program, "block1"), (Shape{1, 256, 7, 7}));
  EXPECT_EQ(output_shape(program, "block2"), (Shape{1, 512, 4, 4}));
  EXPECT_EQ(output_shape(program, "pool"), (Shape{1, 512, 2, 2}));
  EXPECT_EQ(output_shape(program, "flatten"), (Shape{1, 2048}));
}

TEST(ConvergenceNetwork, Totals) {
  const Program plain = zoo_program("convergence"), norm = zoo_program("convergence_bn");
  EXPECT_EQ(parameters(plain), 482'442);
  EXPECT_EQ(stored(plain, Role::buffer), 0);
  EXPECT_EQ(parameters(norm), 486'410);
  EXPECT_EQ(stored(norm, Role::buffer), 486'410 - 482'442);
  EXPECT_EQ(macs(plain), 12'070'912);
  EXPECT_EQ(macs(norm), macs(plain));
}

// 6,573,120 in the original, whose last layer has no bias.
TEST(ResNet9, Totals) {
  const Program network = zoo_program("resnet9");
  EXPECT_EQ(parameters(network), 6'573'120 + 10);
  EXPECT_EQ(macs(network), 379'261'952);
  EXPECT_EQ(parameters(zoo_program("resnet9_half")), 1'646'122);
}

// The counts that transformers prints for BertModel, BertForSequenceClassification (two classes) and GPT2LMHeadModel.
TEST(Transformers, Totals) {
  EXPECT_EQ(parameters(zoo_program("bert_base")), 109'482'240);
  EXPECT_EQ(parameters(zoo_program("bert_base", {.input = {}, .classes = 2})), 109'483'778);
  EXPECT_EQ(parameters(zoo_program("gpt2")), 124'439'808);
}

// Per layer 4·S·D² for the projections, 8·S·D² for the two dense layers and 2·S²·D for the scores and the mixture.
TEST(Transformers, MacsFollowFromTheirSizes) {
  const int64_t width = 768;
  const auto layers = [&](int64_t tokens) { return 12 * (12 * tokens * width * width + 2 * tokens * tokens * width); };
  EXPECT_EQ(macs(zoo_program("bert_base")), layers(512) + width * width);
  EXPECT_EQ(macs(zoo_program("gpt2")), layers(1024) + 1024 * width * 50'257);
}

TEST(SmallNetworks, Totals) {
  EXPECT_EQ(parameters(zoo_program("lenet5")), 61'706);
  EXPECT_EQ(parameters(zoo_program("logistic")), 7'850);
  EXPECT_EQ(parameters(zoo_program("mlp")), 535'818);
  EXPECT_EQ(parameters(zoo_program("textcnn")), 20'000 * 128 + 100 * (12 * 128 + 3) + 602);
}

}  // namespace
}  // namespace plimsoll
