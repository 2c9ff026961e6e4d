#include "plan/ask/weigh_request.h"

#include "base/rows/named.h"
#include "model/optim/all_optimizers.h"
#include "model/optim/presets.h"
#include "plan/ask/step_request.h"

namespace plimsoll {
WeighRequest::WeighRequest() : optimizer(kDefaultOptimizer) {}

void WeighRequest::describe(Fields& fields) {
  fields.add(models, {.name = "model",
                      .subject = Subject::network,
                      .help = "networks of the zoo ('plimsoll models') or paths of .onnx files",
                      .separator = 0,
                      .positional = true,
                      .required = true,
                      .page = true});
  fields.add(batch, {.name = "batch",
                     .subject = Subject::step,
                     .help = "samples a step",
                     .value = "N",
                     .fallback = "1",
                     .least = 1,
                     .most = double(kLargestBatch),
                     .page = true});
  sizes.describe_sizes(fields);
  fields.add(mode,
             {.name = "mode", .subject = Subject::step, .help = "train or inference", .value = "MODE", .page = true});
  Row row = optimizer_row();
  row.fallback.clear();
  fields.add(optimizer, row);
  fields.add(sort, {.name = "sort",
                    .subject = Subject::view,
                    .help = "largest first: " + listed(sort_keys()),
                    .value = "BY",
                    .choices = sort_keys(),
                    .page = true});
  fields.add(depth, {.name = "depth",
                     .subject = Subject::view,
                     .help = "one row for all layers whose names agree in so many parts",
                     .value = "N",
                     .least = 0,
                     .most = 100});
  fields.add(top, {.name = "top",
                   .subject = Subject::view,
                   .help = "only the first rows",
                   .value = "N",
                   .least = 1,
                   .most = double(kLargestBatch),
                   .page = true});
  fields.add(units, {.name = "units",
                     .subject = Subject::view,
                     .help = "add the rounds that so many equal units need for a layer's outputs",
                     .value = "N",
                     .least = 1,
                     .most = double(kLargestBatch)});
  fields.add(epochs, {.name = "epochs",
                      .subject = Subject::view,
                      .help = "with several networks: epochs of each, e.g. 10,100",
                      .value = "LIST",
                      .least = 1,
                      .most = double(kLargestBatch)});
  fields.add(epoch_time, {.name = "epoch_time",
                          .subject = Subject::view,
                          .help = "with --epochs: time per epoch of each, e.g. 2.4h,90s",
                          .value = "LIST",
                          .unit = "seconds"});
}

WeighView WeighRequest::view() const { return {sort.value_or(""), int(depth.value_or(0)), top.value_or(0), units}; }

Result<std::vector<Training>> trainings_of(const WeighRequest& request) {
  std::vector<Training> trainings;
  const size_t networks = request.models.size();
  if (request.epochs.empty() && request.epoch_time.empty()) return trainings;
  if (request.epochs.size() != networks || request.epoch_time.size() != networks || networks < 2)
    return user_error(fmt::format("{} and {} need one entry for each of the {} networks, and at least two networks",
                                  named("epochs"), named("epoch_time"), networks),
                      fmt::format("for example weigh A B {} 10,100 {} 2.4h,90s", named("epochs"), named("epoch_time")));
  for (size_t i = 0; i < networks; ++i) trainings.push_back({request.epochs[i], request.epoch_time[i]});
  return trainings;
}

Status check(const WeighRequest& request) {
  if (request.models.empty()) return user_error("no MODEL is given", "for example weigh resnet50");
  if (request.mode == Mode::generate)
    return user_error(named("mode") + " is generate, expected train or inference", "fit and place answer for it");
  PLIM_TRY(choose_optimizer(request.optimizer));
  PLIM_TRY(trainings_of(request));
  return {};
}

Result<Weight> weigh_one(const WeighRequest& request, const ModelSource& source, const Network& network) {
  PLIM_ASSIGN(const OptimizerChoice chosen, choose_optimizer(request.optimizer));
  PLIM_ASSIGN(const Program program, network.listed(request.batch, request.sizes.format()));
  auto weight = weigh(program, request.mode, *chosen.optimizer);
  if (!weight.ok()) return std::move(weight).error().in(network.name());
  ModelRequest shown = request.sizes;
  shown.source = source;
  weight->dtype = shown.format_shown();
  if (source.is_file()) weight->model = network.name();
  return weight;
}

Result<WeighOutcome> ask_weigh(const WeighRequest& request) {
  PLIM_TRY(check(request));
  WeighOutcome outcome{request.view(), {}, {}};
  PLIM_ASSIGN(outcome.trainings, trainings_of(request));
  for (const auto& source : request.models) {
    ModelRequest model = request.sizes;
    model.source = source;
    PLIM_ASSIGN(const Network network, load_network(model));
    PLIM_ASSIGN(Weight weight, weigh_one(request, source, network));
    outcome.weights.push_back(std::move(weight));
  }
  return outcome;
}

}  // namespace plimsoll
