#include "plan/ask/models_request.h"

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"

namespace plimsoll {

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
