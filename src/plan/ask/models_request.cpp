#include "plan/ask/models_request.h"

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"

namespace plimsoll {
namespace {

Count params_of(const Graph& graph) {
  Count params;
  for (const auto& value : graph.values) {
    if (value.role != Role::parameter) continue;
    Count numbers(1);
    for (const auto& dim : *value.shape) numbers = numbers * dim.size;
    params += numbers;
  }
  return params;
}

}  // namespace

void ModelsRequest::describe(Fields& fields) {
  fields.add(language, {.name = "language",
                        .subject = Subject::network,
                        .help = "list the networks from Hugging Face transformers, by family, instead"});
}

Result<LanguageModelsOutcome> ask_language_models() {
  LanguageModelsOutcome outcome;
  for (const auto& model : all_language_models()) {
    PLIM_ASSIGN(const Graph graph, build_language_model(model));
    outcome.models.push_back({&model, params_of(graph)});
  }
  return outcome;
}

Result<ModelsOutcome> ask_models() {
  PLIM_ASSIGN(const Optimizer* optimizer, find_optimizer(kDefaultOptimizer));
  ModelsOutcome outcome;
  for (const auto& model : all_models()) {
    PLIM_ASSIGN(const Graph graph, build_model(model.name, {}));
    PLIM_ASSIGN(const Program program, bind(graph, {}));
    PLIM_ASSIGN(Weight weight, weigh(program, Mode::inference, *optimizer));
    outcome.models.push_back({&model, std::move(weight)});
  }
  return outcome;
}

}  // namespace plimsoll
