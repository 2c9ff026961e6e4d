#include "run/train/training_state.h"

#include "base/rows/json.h"
#include "run/train/json_fields.h"

namespace plimsoll {
namespace {

Json or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

Result<EpochReport> read_epoch(const Json& json) {
  const JsonFields fields(json, "an epoch");
  EpochReport report;
  PLIM_ASSIGN(report.epoch, fields.integer("epoch"));
  PLIM_ASSIGN(report.steps, fields.integer("steps"));
  PLIM_ASSIGN(report.complete, fields.boolean("complete"));
  PLIM_ASSIGN(report.train_loss, fields.number("train_loss"));
  PLIM_ASSIGN(report.train_accuracy, fields.number("train_accuracy"));
  PLIM_ASSIGN(report.val_loss, fields.number_or_null("val_loss"));
  PLIM_ASSIGN(report.val_accuracy, fields.number_or_null("val_accuracy"));
  PLIM_ASSIGN(report.seconds.value, fields.number("seconds"));
  PLIM_ASSIGN(report.images_per_second, fields.number("images_per_second"));
  PLIM_ASSIGN(report.learning_rate, fields.number("learning_rate"));
  PLIM_ASSIGN(report.tokens_per_second, fields.number_or_null("tokens_per_second"));
  return report;
}

}  // namespace

Json to_json(const EpochReport& report) {
  Json json{{"epoch", report.epoch},
            {"steps", report.steps},
            {"complete", report.complete},
            {"train_loss", report.train_loss},
            {"train_accuracy", report.train_accuracy},
            {"val_loss", or_null(report.val_loss)},
            {"val_accuracy", or_null(report.val_accuracy)},
            {"seconds", report.seconds.value},
            {"images_per_second", report.images_per_second},
            {"learning_rate", report.learning_rate}};
  if (!report.language()) return json;
  json["tokens_per_second"] = *report.tokens_per_second;
  if (const auto value = report.train_perplexity()) json["train_perplexity"] = *value;
  if (const auto value = report.val_perplexity()) json["val_perplexity"] = *value;
  return json;
}

Json to_json(const TrainingState& state) {
  Json json{{"step", state.step},
            {"updates", state.updates},
            {"epoch", state.epoch},
            {"batch", state.batch},
            {"loss_sum", state.running.loss_sum},
            {"samples", state.running.samples},
            {"correct", state.running.correct},
            {"epoch_seconds", state.epoch_seconds.value},
            {"seconds", state.seconds.value},
            {"best_score", or_null(state.best_score)},
            {"best_epoch", state.best_epoch},
            {"epochs_without_better", state.epochs_without_better}};
  json["epochs"] = Json::array();
  for (const auto& report : state.epochs) json["epochs"].push_back(to_json(report));
  return json;
}

Result<TrainingState> read_training_state(const Json& json) {
  const JsonFields fields(json, "the state");
  TrainingState state;
  PLIM_ASSIGN(state.step, fields.integer("step"));
  PLIM_ASSIGN(state.updates, fields.integer("updates"));
  PLIM_ASSIGN(state.epoch, fields.integer("epoch"));
  PLIM_ASSIGN(state.batch, fields.integer("batch"));
  PLIM_ASSIGN(state.running.loss_sum, fields.number("loss_sum"));
  PLIM_ASSIGN(state.running.samples, fields.integer("samples"));
  PLIM_ASSIGN(state.running.correct, fields.integer("correct"));
  PLIM_ASSIGN(state.epoch_seconds.value, fields.number("epoch_seconds"));
  PLIM_ASSIGN(state.seconds.value, fields.number("seconds"));
  PLIM_ASSIGN(state.best_score, fields.number_or_null("best_score"));
  PLIM_ASSIGN(state.best_epoch, fields.integer("best_epoch"));
  PLIM_ASSIGN(state.epochs_without_better, fields.integer("epochs_without_better"));
  PLIM_ASSIGN(const Json* epochs, fields.list("epochs"));
  for (const auto& epoch : *epochs) {
    PLIM_ASSIGN(EpochReport report, read_epoch(epoch));
    state.epochs.push_back(report);
  }
  if (state.step < 0 || state.updates < 0 || state.epoch < 0 || state.batch < 0)
    return user_error("the state counts below 0");
  return state;
}

}  // namespace plimsoll
