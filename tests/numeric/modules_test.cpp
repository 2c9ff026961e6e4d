// Networks of torchvision, timm and transformers as PyTorch's two exporters write them (tools/module_sweep.py), planned
// and compared with what the modules themselves count: parameters, multiply-accumulates, bytes kept by autograd.
//
// PLIMSOLL_MODULES=folder takes another folder made by that tool, PLIMSOLL_MODULES_FIGURES=1 prints what was found.
#include <gtest/gtest.h>

#include <cstdlib>

#include "model/ir/bind.h"
#include "model/onnx/import.h"
#include "model/optim/all_optimizers.h"
#include "plan/memory/framework_form.h"
#include "plan/memory/framework_profile.h"
#include "plan/memory/kept_for_backward.h"
#include "tests/facts.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

std::string folder() {
  const char* other = std::getenv("PLIMSOLL_MODULES");
  return other ? other : PLIM_TEST_DATA "/modules";
}

class Modules : public testing::TestWithParam<FactRow> {};

TEST_P(Modules, CountAsTheModuleItself) {
  const FactRow& row = GetParam();
  const auto graph = import_onnx(folder() + "/" + row.at("file"));
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  auto program = bind(*graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  const int64_t found_parameters = parameters(*program), found_macs = macs(*program);
  take_form(*program, {.pytorch = true, .fused_attention = true});
  StepOptions options = step_options(Framework::pytorch);
  options.optimizer = *find_optimizer("momentum");
  const auto step = make_step(std::move(*program), options);
  ASSERT_TRUE(step.ok()) << step.error().line();
  const FrameworkProfile pytorch(Framework::pytorch, nullptr, false);
  const double kept = double(kept_for_backward(*step, pytorch).value()),
               saved = std::atof(row.at("saved_bytes").c_str());
  if (std::getenv("PLIMSOLL_MODULES_FIGURES"))
    printf("figures %s params %ld of %s, macs %.4f, kept %.4f\n", row.at("file").c_str(), long(found_parameters),
           row.at("params").c_str(), double(found_macs) / std::atof(row.at("macs").c_str()), kept / saved);
  EXPECT_EQ(found_parameters, std::atoll(row.at("params").c_str()));
  EXPECT_NEAR(double(found_macs) / std::atof(row.at("macs").c_str()), 1, 0.01);
  EXPECT_NEAR(kept / saved, 1, 0.05);
}

std::string name_of_row(const testing::TestParamInfo<FactRow>& info) {
  std::string name = info.param.at("file");
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(PyTorch, Modules, testing::ValuesIn(csv_rows(folder() + "/expected.csv")), name_of_row);

}  // namespace
}  // namespace plimsoll
