// Networks exported by PyTorch (tests/data/exports), weighed and compared with what PyTorch itself
// counted: every operation known, parameters exact, MACs exact, and both as they should in a larger batch.
//
// PLIMSOLL_EXPORTS=folder takes another folder made by tools/export_torchvision.py.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "model/ir/bind.h"
#include "model/onnx/import.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

std::string folder() {
  const char* other = std::getenv("PLIMSOLL_EXPORTS");
  return other ? other : PLIM_TEST_DATA "/exports";
}

using ExportRow = std::map<std::string, std::string>;

// The first columns of expected.csv hold no commas; the last one, the notes, may.
std::vector<std::string> split(const std::string& line, size_t columns) {
  std::vector<std::string> cells;
  std::istringstream rest(line);
  std::string cell;
  while (cells.size() + 1 < columns && std::getline(rest, cell, ',')) cells.push_back(cell);
  if (std::getline(rest, cell)) cells.push_back(cell);
  cells.resize(columns);
  return cells;
}

std::vector<ExportRow> rows(bool only_dynamic) {
  std::ifstream file(folder() + "/expected.csv");
  std::string line;
  std::getline(file, line);
  const auto names = split(line, size_t(std::count(line.begin(), line.end(), ',')) + 1);
  std::vector<ExportRow> rows;
  while (std::getline(file, line)) {
    const auto cells = split(line, names.size());
    ExportRow row;
    for (size_t i = 0; i < names.size(); ++i) row[names[i]] = cells[i];
    if (!only_dynamic || row["dynamic_batch"] == "yes") rows.push_back(row);
  }
  return rows;
}

// Masks and heat maps are resized to the object that was found, whatever its size.
bool sized_by_the_data(const std::string& model) {
  return model.starts_with("maskrcnn") || model.starts_with("keypointrcnn");
}

// "NonZero x2 Loop x1": the operations that we do not know, or whose sizes we do not. Where the data
// decides on sizes only those that have MACs to miss.
std::string not_counted(const Program& program, const std::string& model) {
  std::map<std::string, int> counts;
  for (const auto& operation : program.operations) {
    if (operation.certainty != Certainty::unknown) continue;
    const bool may_miss = operation.op && sized_by_the_data(model) && operation.op_name != "conv" &&
                          operation.op_name != "conv_transpose" && operation.op_name != "gemm" &&
                          operation.op_name != "matmul";
    if (!may_miss) ++counts[operation.op_name];
  }
  std::string list;
  for (const auto& [name, count] : counts) list += name + " x" + std::to_string(count) + " ";
  return list;
}

// Batch norms that were merged into convolutions are put back: "53 batch norms merged into convolutions: -26560".
int64_t put_back(const ExportRow& row) {
  const std::string& notes = row.at("notes");
  const std::string said = "merged into convolutions: -";
  const size_t at = notes.find(said);
  if (at == std::string::npos) return 0;
  const int64_t merged = std::stoll(notes.substr(at + said.size()));
  // A convolution that had a bias of its own beside its norm is put back without it.
  const bool biased = row.at("model").starts_with("autoencoder") || row.at("model").starts_with("vgg");
  return biased ? merged / 2 : merged;
}

class Export : public testing::TestWithParam<ExportRow> {
 protected:
  Result<Program> load(std::optional<int64_t> batch) const {
    PLIM_ASSIGN(const Graph graph, import_onnx(folder() + "/" + row("file")));
    BindOptions options;
    options.batch = batch;
    return bind(graph, options);
  }
  std::string row(const std::string& column) const { return GetParam().at(column); }
  int64_t number(const std::string& column) const { return std::stoll(row(column)); }
};
class DynamicExport : public Export {};

TEST_P(Export, WeighsAsPyTorchCounts) {
  const auto program = load(std::nullopt);
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(not_counted(*program, row("model")), "");
  EXPECT_EQ(parameters(*program), number("file_params") + put_back(GetParam())) << row("notes");
  if (!row("macs").empty()) {
    EXPECT_EQ(macs(*program), number("macs")) << row("notes");
  }
}

TEST_P(DynamicExport, GrowsWithTheBatch) {
  const auto program = load(4);
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(parameters(*program), number("file_params") + put_back(GetParam()));
  const int64_t once = number("macs_once");
  EXPECT_EQ(macs(*program), 4 * (number("macs") - once) + once);
}

std::string test_name(const testing::TestParamInfo<ExportRow>& info) {
  std::string name = info.param.at("file");
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(PyTorch, Export, testing::ValuesIn(rows(false)), test_name);
INSTANTIATE_TEST_SUITE_P(PyTorch, DynamicExport, testing::ValuesIn(rows(true)), test_name);

}  // namespace
}  // namespace plimsoll
