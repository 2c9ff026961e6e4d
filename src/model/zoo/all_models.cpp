#include "model/zoo/all_models.h"

#include <fmt/format.h>

#include <vector>

#include "base/field_mark.h"
#include "base/loose_name.h"
#include "base/text.h"
#include "model/zoo/language_models.h"

namespace plimsoll {

// Each family's file gives its networks.
std::vector<ZooModel> alexnet_models();
std::vector<ZooModel> overfeat_models();
std::vector<ZooModel> vgg_models();
std::vector<ZooModel> googlenet_models();
std::vector<ZooModel> googlenet_bn_models();
std::vector<ZooModel> inception_v3_models();
std::vector<ZooModel> resnet_models();
std::vector<ZooModel> resnet9_models();
std::vector<ZooModel> densenet_models();
std::vector<ZooModel> squeezenet_models();
std::vector<ZooModel> mobilenet_v2_models();
std::vector<ZooModel> mobilenet_v3_models();
std::vector<ZooModel> efficientnet_models();
std::vector<ZooModel> shufflenet_v2_models();
std::vector<ZooModel> mnasnet_models();
std::vector<ZooModel> regnet_models();
std::vector<ZooModel> convnext_models();
std::vector<ZooModel> swin_models();
std::vector<ZooModel> vit_models();
std::vector<ZooModel> lenet_models();
std::vector<ZooModel> logistic_models();
std::vector<ZooModel> mlp_models();
std::vector<ZooModel> catsdogs_models();
std::vector<ZooModel> convergence_models();
std::vector<ZooModel> fmnist_cnn_models();
std::vector<ZooModel> textcnn_models();
std::vector<ZooModel> bert_models();
std::vector<ZooModel> gpt2_models();

std::span<const ZooModel> all_models() {
  static const std::vector<ZooModel> kModels = [] {
    std::vector<ZooModel> models;
    // clang-format off
    for (const auto family : {
             alexnet_models,
             overfeat_models,
             vgg_models,
             googlenet_models,
             googlenet_bn_models,
             inception_v3_models,
             resnet_models,
             resnet9_models,
             densenet_models,
             squeezenet_models,
             mobilenet_v2_models,
             mobilenet_v3_models,
             efficientnet_models,
             shufflenet_v2_models,
             mnasnet_models,
             regnet_models,
             convnext_models,
             swin_models,
             vit_models,
             lenet_models,
             logistic_models,
             mlp_models,
             catsdogs_models,
             convergence_models,
             fmnist_cnn_models,
             textcnn_models,
             bert_models,
             gpt2_models,
         }) {
      // clang-format on
      for (auto& model : family()) models.push_back(std::move(model));
    }
    return models;
  }();
  return kModels;
}

const ZooModel* find_model(std::string_view name) {
  for (const auto& model : all_models())
    if (model.name == name) return &model;
  const std::string loose = loose_name(name);  // "ResNet-50"
  for (const auto& model : all_models())
    if (loose_name(model.name) == loose && name.find('/') == std::string_view::npos) return &model;
  return nullptr;
}

namespace {

// A network of transformers is built from its config.json; its classes are the tokens that it knows.
Result<Graph> build_by_config(const LanguageModel& model, const ZooOptions& options) {
  if (options.input && options.input->rank() != 1)
    return user_error(fmt::format("{} reads tokens, expected their number", model.name), named("sequence") + " 2048");
  return build_language_model(model, options.input ? std::optional((*options.input)[0]) : std::nullopt,
                              options.classes);
}

}  // namespace

Result<Graph> build_model(std::string_view name, const ZooOptions& options) {
  if (const LanguageModel* language = find_language_model(name)) return build_by_config(*language, options);
  const ZooModel* model = find_model(name);
  if (!model) {
    std::vector<std::string> names;
    for (const auto& other : all_models()) names.emplace_back(other.name);
    for (const auto& other : all_language_models()) names.emplace_back(other.name);
    const std::string guess = did_you_mean(name, names);
    return user_error(
        fmt::format("no network is called {}", in_quotes(name)),
        guess.empty() ? "see 'plimsoll models' and 'plimsoll models --language', or give the path of a file" : guess);
  }
  const Shape& input = options.input ? *options.input : model->input;
  const int64_t classes = options.classes.value_or(model->classes);
  if (input.rank() != model->input.rank())
    return user_error(
        fmt::format("{} reads {} numbers a sample, expected a shape like {}", name, input.text(), model->input.text()));
  for (const int64_t size : input)
    if (size < 1) return user_error(fmt::format("the input is {}, expected sizes of at least 1", input.text()));
  if (options.classes && (classes < 1 || classes > 1'000'000'000))
    return user_error(fmt::format("{} classes were asked for, expected from 1 to 1,000,000,000", classes));
  auto graph = model->build(*model, input, classes);
  if (graph.ok() || !options.input) return graph;
  Error error = std::move(graph).error();
  if (error.where.empty()) error = std::move(error).in(std::string(name));
  if (error.hint.empty())
    error.hint = fmt::format("the input {} does not suit {}, whose own is {}", input.text(), name, model->input.text());
  return error;
}

}  // namespace plimsoll
