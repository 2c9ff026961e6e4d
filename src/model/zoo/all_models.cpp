#include "model/zoo/all_models.h"

#include <fmt/format.h>

#include <vector>

#include "base/text.h"

namespace plimsoll {

// Each family's file gives its networks.
std::vector<ZooModel> logistic_models();

std::span<const ZooModel> all_models() {
  static const std::vector<ZooModel> kModels = [] {
    std::vector<ZooModel> models;
    for (const auto family : {
             logistic_models,
         }) {
      for (auto& model : family()) models.push_back(std::move(model));
    }
    return models;
  }();
  return kModels;
}

const ZooModel* find_model(std::string_view name) {
  for (const auto& model : all_models())
    if (model.name == name) return &model;
  return nullptr;
}

Result<Graph> build_model(std::string_view name, const ZooOptions& options) {
  const ZooModel* model = find_model(name);
  if (!model) {
    std::vector<std::string> names;
    for (const auto& other : all_models()) names.emplace_back(other.name);
    const std::string guess = did_you_mean(name, names);
    return user_error(fmt::format("no network is called {}", quoted(name)),
                      guess.empty() ? "see 'plimsoll models', or give the path of an .onnx file" : guess);
  }
  const Shape& input = options.input ? *options.input : model->input;
  const int64_t classes = options.classes.value_or(model->classes);
  if (input.rank() != model->input.rank())
    return user_error(
        fmt::format("{} reads {} numbers a sample, expected a shape like {}", name, input.text(), model->input.text()));
  if (classes < 1 || classes > 1'000'000'000)
    return user_error(fmt::format("{} classes were asked for, expected from 1 to 1,000,000,000", classes));
  return model->build(*model, input, classes);
}

}  // namespace plimsoll
