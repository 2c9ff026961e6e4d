// Networks exported by others, weights absent: parameters and MACs against the published counts.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "model/ir/bind.h"
#include "model/onnx/import.h"

namespace plimsoll {
namespace {

struct Published {
  int64_t params = 0;
  double giga_macs = 0;
};

std::map<std::string, Published> published() {
  std::ifstream in(std::string(PLIM_TEST_DATA) + "/facts/torchvision_counts.csv");
  std::map<std::string, Published> counts;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (cells.size() > 10 && cells[3] == "classification" && cells[10] == "224")
      counts[cells[0]] = {std::stoll(cells[4]), std::stod(cells[5])};
  }
  return counts;
}

class ExportedNetwork : public testing::TestWithParam<const char*> {};

TEST_P(ExportedNetwork, WeighsAsPublished) {
  const Published expected = published().at(GetParam());
  const auto graph = import_onnx(std::string(PLIM_TEST_DATA) + "/models/" + GetParam() + ".onnx", {});
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  ASSERT_FALSE(graph->notes.empty());
  EXPECT_TRUE(graph->notes[0].starts_with("weights.bin is absent")) << graph->notes[0];
  const auto program = bind(*graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  int64_t params = 0, macs = 0;
  for (const auto& value : program->values)
    if (value.role == Role::parameter) params += value.type->elements().value();
  for (const auto& operation : program->operations) {
    EXPECT_EQ(operation.certainty, Certainty::exact) << operation.name << " " << operation.op_name;
    macs += operation.cost.macs.value();
  }
  EXPECT_EQ(params, expected.params);
  EXPECT_EQ(std::round(double(macs) / 1e6), std::round(expected.giga_macs * 1e3));
}

INSTANTIATE_TEST_SUITE_P(Torchvision, ExportedNetwork,
                         testing::Values("alexnet", "densenet121", "googlenet", "mobilenet_v2", "resnet18", "resnet50",
                                         "vgg16_bn", "vit_b_16"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace plimsoll
