// How long NCCL takes, against calls measured by NVIDIA's aiconfigurator. The A100 took no part in the fit.
#include "plan/serving/collective.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plan/devices/all_devices.h"
#include "tests/accuracy/measured_steps.h"
#include "tests/facts.h"
#include "tests/measured_cards.h"

namespace plimsoll {
namespace {

const std::map<std::string, Collective> kCalls = {{"all_reduce", Collective::all_reduce},
                                                  {"all_gather", Collective::all_gather},
                                                  {"reduce_scatter", Collective::reduce_scatter},
                                                  {"alltoall", Collective::all_to_all}};

TEST(Collectives, AreWithinFifteenPercentOnACardThatWasLeftOut) {
  std::map<std::string, std::vector<double>> errors;
  for (const auto& row : facts("nccl.csv")) {
    const Link link = *link_inside(*load_device(measured_cards().at(row.at("gpu"))));
    const double bytes = std::stod(row.at("elements")) * (row.at("dtype") == "half" ? 2 : 1);
    const Seconds told = collective_time(kCalls.at(row.at("op")), bytes, std::stoll(row.at("n_gpu")), link);
    const double error = std::abs(told.value / (std::stod(row.at("latency_ms")) * 1e-3) - 1);
    errors[row.at("gpu")].push_back(error);
    errors["all"].push_back(error);
  }
  ASSERT_EQ(errors.size(), 5U);
  EXPECT_LT(median(errors["a100_sxm"]), 0.15);
  EXPECT_LT(median(errors["all"]), 0.15);
  for (const auto& [card, of_card] : errors) EXPECT_LT(median(of_card), 0.20) << card;
}

}  // namespace
}  // namespace plimsoll
