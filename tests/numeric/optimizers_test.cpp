// Five steps of every optimizer against PyTorch's (LARS, LAMB and Lion: against the papers' formulas), from
// tests/data/optimizers/steps.csv, which tools/optimizer_steps.py writes.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>

#include "model/ir/evaluate.h"
#include "model/optim/all_optimizers.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

using Case = std::vector<FactRow>;  // one optimizer with one choice of settings

std::map<std::string, Case> cases() {
  std::map<std::string, Case> found;
  for (const auto& row : facts("../optimizers/steps.csv"))
    found[row.at("optimizer") + " " + row.at("settings")].push_back(row);
  return found;
}

Attributes settings_of(const std::string& text) {
  Attributes settings;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ';');)
    settings.set(word.substr(0, word.find('=')), std::stod(word.substr(word.find('=') + 1)));
  return settings;
}

Tensor numbers(const std::vector<const FactRow*>& rows, const std::string& column) {
  Tensor tensor(TensorType{DType::f64, {int64_t(rows.size())}});
  for (size_t i = 0; i < rows.size(); ++i) tensor.as<double>()[i] = std::stod(rows[i]->at(column));
  return tensor;
}

void expect_near(const Tensor& found, const Tensor& expected, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    const double want = expected.as<double>()[i];
    EXPECT_NEAR(found.as<double>()[i], want, 1e-6 * std::abs(want)) << what << " at " << i;
  }
}

void run(const Optimizer& optimizer, const Case& rows) {
  const Attributes settings = settings_of(rows[0].at("settings"));
  const Tensor rate = float_tensor({}, {std::stof(rows[0].at("learning_rate"))});
  std::vector<Tensor> kept;  // the parameter and its states
  for (int64_t step = 1; step <= 5; ++step) {
    std::vector<const FactRow*> now;
    for (const auto& row : rows)
      if (std::stoll(row.at("step")) == step) now.push_back(&row);
    ASSERT_FALSE(now.empty());
    if (kept.empty()) {
      kept.push_back(numbers(now, "before"));
      kept.resize(1 + optimizer.state.size(), Tensor(kept[0].type));
    }
    const Tensor gradient = numbers(now, "gradient"), number = integer_scalar(step);
    std::vector<const Tensor*> inputs{&kept[0], &gradient};
    for (size_t i = 1; i < kept.size(); ++i) inputs.push_back(&kept[i]);
    inputs.push_back(&rate);
    inputs.push_back(&number);
    auto outputs = evaluate(optimizer.update(), settings, inputs, kept.size());
    ASSERT_TRUE(outputs.ok()) << outputs.error().line();
    ASSERT_TRUE(outputs->has_value());
    kept = **outputs;
    SCOPED_TRACE("step " + std::to_string(step));
    expect_near(kept[0], numbers(now, "parameter"), "parameter");
    for (size_t i = 1; i < kept.size(); ++i)
      expect_near(kept[i], numbers(now, "state" + std::to_string(i - 1)), "state");
  }
}

TEST(Optimizers, FollowTheReferenceForFiveSteps) {
  std::set<std::string> seen;
  for (const auto& [name, rows] : cases()) {
    SCOPED_TRACE(name);
    seen.insert(rows[0].at("optimizer"));
    const auto optimizer = find_optimizer(rows[0].at("optimizer"));
    ASSERT_TRUE(optimizer.ok());
    run(**optimizer, rows);
  }
  EXPECT_EQ(seen.size(), all_optimizers().size()) << "an optimizer without a reference";
}

}  // namespace
}  // namespace plimsoll
