// Every network that torchvision and the zoo share: parameters exactly, multiply-accumulates to the three
// decimals of a giga that torchvision publishes, and the smallest image it accepts.
#include "tests/facts.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

// torchvision's GoogLeNet is not the paper's.
std::string zoo_name(const std::string& torchvision) {
  return torchvision == "googlenet" ? "googlenet_bn" : torchvision;
}

std::vector<FactRow> shared_rows() {
  std::vector<FactRow> rows;
  for (const auto& row : facts("torchvision_counts.csv"))
    if (!row.at("crop_size").empty() && find_model(zoo_name(row.at("model")))) rows.push_back(row);
  return rows;
}

ZooOptions image_of(const std::string& size) {
  return {.input = Shape{3, std::stoll(size), std::stoll(size)}, .classes = {}};
}

TEST(TorchvisionCounts, ParametersExactAndMacsToThreeDecimals) {
  std::set<std::string> checked;
  for (const auto& row : shared_rows()) {
    SCOPED_TRACE(row.at("model") + " at " + row.at("crop_size"));
    const Program program = zoo_program(zoo_name(row.at("model")), image_of(row.at("crop_size")));
    EXPECT_EQ(parameters(program), std::stoll(row.at("num_params")));
    EXPECT_NEAR(double(macs(program)) * 1e-9, std::stod(row.at("gflops_published")), 0.000501);
    checked.insert(row.at("model"));
  }
  for (const auto* required : {"alexnet",
                               "vgg11",
                               "vgg11_bn",
                               "vgg13",
                               "vgg13_bn",
                               "vgg16",
                               "vgg16_bn",
                               "vgg19",
                               "vgg19_bn",
                               "googlenet",
                               "inception_v3",
                               "resnet18",
                               "resnet34",
                               "resnet50",
                               "resnet101",
                               "resnet152",
                               "densenet121",
                               "densenet161",
                               "densenet169",
                               "densenet201",
                               "resnext50_32x4d",
                               "resnext101_32x8d",
                               "resnext101_64x4d",
                               "wide_resnet50_2",
                               "wide_resnet101_2",
                               "squeezenet1_0",
                               "squeezenet1_1",
                               "mobilenet_v2",
                               "mobilenet_v3_small",
                               "mobilenet_v3_large",
                               "vit_b_16",
                               "vit_b_32",
                               "vit_l_16",
                               "vit_l_32",
                               "vit_h_14",
                               "swin_t",
                               "swin_s",
                               "swin_b",
                               "convnext_tiny",
                               "convnext_small",
                               "convnext_base",
                               "convnext_large",
                               "efficientnet_b0",
                               "efficientnet_b7",
                               "efficientnet_v2_s",
                               "efficientnet_v2_m",
                               "efficientnet_v2_l",
                               "shufflenet_v2_x0_5",
                               "shufflenet_v2_x2_0",
                               "mnasnet0_5",
                               "mnasnet1_3",
                               "regnet_x_400mf",
                               "regnet_x_32gf",
                               "regnet_y_400mf",
                               "regnet_y_128gf"})
    EXPECT_TRUE(checked.count(required)) << required;
}

// Two kinds of limits are torchvision's own: a transformer's image is fixed at its training size (here positions
// follow the image), and EfficientNet v2's 33 keeps batch norm from training on a single pixel.
TEST(TorchvisionCounts, SmallestImagesAreTorchvisions) {
  for (const auto& row : shared_rows()) {
    const std::string name = row.at("model"), pair = row.at("min_size");
    const bool own_limit = name.starts_with("vit_") || name.starts_with("swin_") || name.starts_with("efficientnet_v2");
    if (own_limit || pair.empty()) continue;
    SCOPED_TRACE(name + " at " + pair);
    const int64_t smallest = std::stoll(pair.substr(1));
    EXPECT_TRUE(build_model(zoo_name(name), image_of(std::to_string(smallest))).ok());
    if (smallest == 1) continue;
    EXPECT_FALSE(build_model(zoo_name(name), image_of(std::to_string(smallest - 1))).ok());
  }
}

}  // namespace
}  // namespace plimsoll
