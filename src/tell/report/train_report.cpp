#include "tell/report/train_report.h"

#include <fmt/format.h>

#include <cmath>

#include "base/size_text.h"
#include "base/text.h"
#include "tell/report/conv_report.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

std::string counted(int64_t count, const char* what) {
  return fmt::format("{} {}{}", with_commas(count), what, count == 1 ? "" : "s");
}

std::string samples_text(const TrainingOutlook& outlook) {
  std::string text = with_commas(outlook.train_samples) + " training";
  if (outlook.validation_samples > 0) text += fmt::format(", {} validation", with_commas(outlook.validation_samples));
  if (outlook.test_samples > 0) text += fmt::format(", {} test", with_commas(outlook.test_samples));
  return text + " samples";
}

std::string tensor_text(const TensorInMemory& tensor) {
  if (!tensor.type) return fmt::format("{} ({})", plimsoll::in_quotes(tensor.name), human_bytes(tensor.bytes));
  return fmt::format("{} ({} {}, {})", plimsoll::in_quotes(tensor.name), tensor.type->shape.text(),
                     name_of(tensor.type->dtype), human_bytes(tensor.bytes));
}

std::optional<Seconds> predicted_training(const TrainingOutlook& outlook, const TrainingResult& result) {
  if (!outlook.predicted_step) return std::nullopt;
  return Seconds{outlook.predicted_step->value * double(result.outcome.steps)};
}

Json or_null(const std::optional<Seconds>& time) { return time ? Json(time->value) : Json(nullptr); }

Json outlook_json(const TrainingOutlook& outlook) {
  return {{"schema", "plimsoll.train/1"},
          {"model", outlook.model},
          {"data", outlook.data},
          {"backend", outlook.backend},
          {"threads", outlook.threads},
          {"loaders", outlook.loaders},
          {"parameters", outlook.parameters},
          {"train_samples", outlook.train_samples},
          {"validation_samples", outlook.validation_samples},
          {"test_samples", outlook.test_samples},
          {"classes", outlook.classes},
          {"batch", outlook.batch},
          {"micro_batches", outlook.micro_batches},
          {"workers", outlook.workers},
          {"global_batch", outlook.step_samples()},
          {"steps_per_epoch", outlook.steps_per_epoch},
          {"optimizer", outlook.optimizer},
          {"learning_rate", outlook.learning_rate},
          {"schedule", outlook.schedule},
          {"seed", outlook.seed},
          {"planned_bytes", outlook.planned.value()},
          {"memory_bytes", outlook.memory.value()},
          {"load_line", outlook.load_line},
          {"line_bytes", outlook.line.value()},
          {"checkpoint_bytes", outlook.checkpoints.value()},
          {"reorders", outlook.reorders},
          {"conv_methods", conv_json(outlook.conv_methods)},
          {"by_reference", outlook.by_reference},
          {"evaluation_by_reference", outlook.evaluation_by_reference},
          {"predicted_step_seconds", or_null(outlook.predicted_step)}};
}

// The critical batch is about the noise scale.
std::string noise_text(const NoiseScale& noise, int64_t batch) {
  const std::string high = std::isfinite(noise.high) ? with_commas(std::llround(noise.high)) : "unknown";
  const char* what = double(batch) < noise.low    ? "a larger batch would still save steps"
                     : double(batch) > noise.high ? "this batch is larger than is of use"
                                                  : "this batch is about as large as is of use";
  return fmt::format(
      "Gradient noise scale {} samples (95 %: {} to {}), the critical batch: {}. On average over the "
      "run {}.\n",
      with_commas(std::llround(noise.samples)), with_commas(std::llround(noise.low)), high, what,
      with_commas(std::llround(noise.average)));
}

std::string wire_text(const TrainingOutlook& outlook, const TrainingOutcome& outcome) {
  std::string text = fmt::format(
      "Gradients travelled in {}, {} a step from each worker, for {}; steps waited for them for {}: {} were hidden "
      "behind computing.\n",
      name_of(outlook.wire), human_bytes(outcome.wire_bytes), human_time(outcome.communicated),
      human_time(outcome.exposed), percent(outcome.hidden().value_or(0)));
  if (outcome.rounding.steps() == 0) return text;
  const RoundingShare mean = outcome.rounding.average(), most = outcome.rounding.largest();
  return text + fmt::format(
                    "Rounding to {} changed them by {:.3g} % of their length (at most {:.3g} %), and the mean "
                    "that came back by {:.3g} % (at most {:.3g} %).\n",
                    name_of(outlook.wire), 100 * mean.sent, 100 * most.sent, 100 * mean.mean, 100 * most.mean);
}

Json wire_json(const TrainingOutlook& outlook, const TrainingOutcome& outcome) {
  if (outcome.workers < 2) return nullptr;
  Json json{{"format", name_of(outlook.wire)},
            {"step_bytes", outcome.wire_bytes.value()},
            {"error", nullptr},
            {"largest_error", nullptr},
            {"mean_error", nullptr},
            {"largest_mean_error", nullptr}};
  if (outcome.rounding.steps() == 0) return json;
  const RoundingShare mean = outcome.rounding.average(), most = outcome.rounding.largest();
  json["error"] = mean.sent;
  json["largest_error"] = most.sent;
  json["mean_error"] = mean.mean;
  json["largest_mean_error"] = most.mean;
  return json;
}

Json noise_json(const NoiseScale& noise) {
  return {{"samples", noise.samples},
          {"low", noise.low},
          {"high", std::isfinite(noise.high) ? Json(noise.high) : Json(nullptr)},
          {"signal", noise.signal},
          {"noise", noise.noise},
          {"average", noise.average},
          {"steps", noise.steps}};
}

std::string trust_text(const std::vector<TrustRatio>& ratios) {
  const auto spread = spread_of(ratios);
  if (!spread) return "";
  const auto one = [](const TrustRatio& ratio) {
    return fmt::format("{:.3g} ({})", ratio.ratio, printable(ratio.parameter, 60));
  };
  return fmt::format("Trust ratios of the last step: least {}, median {}, largest {}.\n", one(spread->least),
                     one(spread->median), one(spread->largest));
}

Json trust_json(const std::vector<TrustRatio>& ratios) {
  if (ratios.empty()) return nullptr;
  Json json = Json::array();
  for (const auto& one : ratios) json.push_back({{"parameter", one.parameter}, {"ratio", one.ratio}});
  return json;
}

}  // namespace

std::string outlook_text(const TrainingOutlook& outlook) {
  std::string text =
      fmt::format("{}, {} parameters, on {}: {}, {} classes\n", printable(outlook.model, 80),
                  human_count(outlook.parameters), printable(outlook.data, 80), samples_text(outlook), outlook.classes);
  if (outlook.workers > 1)
    text += fmt::format("{} workers, {} samples a step: each has a batch of its own of {}\n", outlook.workers,
                        with_commas(outlook.step_samples()), with_commas(outlook.batch * outlook.micro_batches));
  if (outlook.micro_batches > 1)
    text += fmt::format("{} micro-batches a step, whose gradients are added up: {} samples\n",
                        with_commas(outlook.micro_batches), with_commas(outlook.batch * outlook.micro_batches));
  text += fmt::format("Batch {}, {} an epoch, {}, {}, learning rate {:g} ({}), seed {}, {}\n", outlook.batch,
                      counted(outlook.steps_per_epoch, "step"), counted(outlook.epochs, "epoch"), outlook.optimizer,
                      outlook.learning_rate, outlook.schedule, outlook.seed, counted(outlook.threads, "thread"));
  text += fmt::format("Planned memory {}; the line is {}, {} of {}\n", human_bytes(outlook.planned),
                      human_bytes(outlook.line), percent(outlook.load_line), human_bytes(outlook.memory));
  if (outlook.predicted_step)
    text += fmt::format("Predicted {} a step, {} an epoch\n", human_time(*outlook.predicted_step),
                        human_time({outlook.predicted_step->value * double(outlook.steps_per_epoch)}));
  else text += "No time is predicted: 'plimsoll probe' measures this machine once\n";
  if (!outlook.conv_methods.empty()) text += conv_text(outlook.conv_methods) + "\n";
  if (!outlook.by_reference.empty())
    text += fmt::format("By reference maths, for want of a fast kernel: {}\n", fmt::join(outlook.by_reference, ", "));
  if (!outlook.evaluation_by_reference.empty())
    text += fmt::format("In evaluations, likewise: {}\n", fmt::join(outlook.evaluation_by_reference, ", "));
  text += fmt::format("Checkpoints take up to {} on the disk", human_bytes(outlook.checkpoints));
  if (outlook.disk_free) text += fmt::format(", {} are free", human_bytes(*outlook.disk_free));
  text += fmt::format("\nThe run is kept in {}\n", printable(outlook.run_dir, 200));
  if (outlook.resumed) text += fmt::format("Going on behind step {}\n", with_commas(outlook.first_step));
  for (const auto& note : outlook.notes) text += note + "\n";
  return text;
}

std::string refusal_text(const TrainingOutlook& outlook, const TrainingRefusal& refusal) {
  std::string text =
      fmt::format("batch {} does not fit: it needs {}, the line is {} ({} of {}), {} too much",
                  with_commas(outlook.batch), human_bytes(outlook.planned), human_bytes(outlook.line),
                  percent(outlook.load_line), human_bytes(outlook.memory), human_bytes(outlook.planned - outlook.line));
  if (refusal.breaking) text += fmt::format("; it breaks at {}", tensor_text(*refusal.breaking));
  if (refusal.largest_batch > 0) return text + fmt::format(" (batch {} fits)", with_commas(refusal.largest_batch));
  return text + " (not even one sample fits)";
}

Json refusal_json(const TrainingOutlook& outlook, const TrainingRefusal& refusal) {
  Json json = outlook_json(outlook);
  json["fits"] = false;
  json["shortfall_bytes"] = (outlook.planned - outlook.line).value();
  json["largest_batch"] = refusal.largest_batch;
  json["breaking_tensor"] = nullptr;
  if (refusal.breaking) {
    json["breaking_tensor"] = {{"name", refusal.breaking->name}, {"bytes", refusal.breaking->bytes.value()}};
    if (refusal.breaking->type) json["breaking_tensor"]["shape"] = refusal.breaking->type->shape.dims();
  }
  return json;
}

std::vector<PlannedRow> planned_against_measured(const TrainingOutlook& outlook, const TrainingResult& result) {
  const auto time = [](const std::optional<Seconds>& seconds) { return seconds ? human_time(*seconds) : "?"; };
  const TrainingOutcome& outcome = result.outcome;
  std::vector<PlannedRow> rows{{"memory at the peak", human_bytes(outlook.planned), human_bytes(result.peak())}};
  if (outcome.steps > 1)
    rows.push_back({"time a step", time(outlook.predicted_step), human_time(outcome.step_seconds)});
  if (outcome.steps > 0)
    rows.push_back({counted(outcome.steps, "step"), time(predicted_training(outlook, result)),
                    human_time({outcome.step_seconds.value * double(outcome.steps)})});
  if (outcome.others >= kNoticedShare)
    rows.push_back({"other programs' processors", percent(0), percent(outcome.others)});
  return rows;
}

std::string result_text(const TrainingOutlook& outlook, const TrainingResult& result) {
  const TrainingOutcome& outcome = result.outcome;
  std::string text;
  if (!outcome.why.empty()) text += fmt::format("Ended by {}: {}.\n", name_of(outcome.end), printable(outcome.why));
  if (outcome.restored_best) text += fmt::format("The best weights are those of epoch {}.\n", outcome.state.best_epoch);
  if (outcome.skipped_samples > 0)
    text += fmt::format("{} bad samples were skipped.\n", with_commas(outcome.skipped_samples));
  if (outcome.skipped_updates > 0)
    text += fmt::format("{} updates were left out: not finite.\n", with_commas(outcome.skipped_updates));
  if (outcome.test)
    text += fmt::format("Test accuracy {:.2f} %, loss {:.4f}, on {} samples.\n", 100 * outcome.test->accuracy(),
                        outcome.test->loss(), with_commas(outcome.test->samples));
  Table table({{"", Table::Align::left}, {"Planned"}, {"Measured"}});
  for (const auto& row : planned_against_measured(outlook, result)) table.add({row.what, row.planned, row.measured});
  text += "\n" + table.text() + "\n";
  if (outcome.others >= kNoticedShare)
    text +=
        fmt::format("Other programs had {} of the processors{}.\n", percent(outcome.others),
                    outlook.predicted_step ? ": the planned times are those of a machine that is otherwise idle" : "");
  if (outcome.waited.value > 0.01 * result.seconds.value)
    text +=
        fmt::format("Of {}, {} were spent waiting for data.\n", human_time(result.seconds), human_time(outcome.waited));
  if (outcome.workers > 1) text += wire_text(outlook, outcome);
  if (!outcome.straggler.empty()) text += outcome.straggler + ".\n";
  text += trust_text(outcome.trust_ratios);
  if (outcome.noise) text += noise_text(*outcome.noise, outlook.step_samples());
  if (!result.report.empty()) text += fmt::format("Report: {}\n", printable(result.report, 300));
  return text;
}

Json result_json(const TrainingOutlook& outlook, const TrainingResult& result) {
  const TrainingOutcome& outcome = result.outcome;
  Json json = outlook_json(outlook);
  json["fits"] = true;
  json["epochs"] = Json::array();
  for (const auto& epoch : outcome.state.epochs) json["epochs"].push_back(to_json(epoch));
  json["test_accuracy"] = outcome.test ? Json(outcome.test->accuracy()) : Json(nullptr);
  json["test_loss"] = outcome.test ? Json(outcome.test->loss()) : Json(nullptr);
  json["steps"] = outcome.state.step;
  json["peak_bytes"] = result.peak().value();
  json["worker_peak_bytes"] = Json::array();
  for (const Bytes peak : result.peaks) json["worker_peak_bytes"].push_back(peak.value());
  json["step_seconds"] = outcome.step_seconds.value;
  json["predicted_seconds"] = or_null(predicted_training(outlook, result));
  json["train_seconds"] = outcome.state.seconds.value;
  json["seconds"] = result.seconds.value;
  json["waited_seconds"] = outcome.waited.value;
  json["others_share"] = outcome.others;
  json["communication_seconds"] = outcome.communicated.value;
  json["exposed_communication_seconds"] = outcome.exposed.value;
  json["hidden_communication"] = outcome.hidden() ? Json(*outcome.hidden()) : Json(nullptr);
  json["wire"] = wire_json(outlook, outcome);
  json["straggler"] = outcome.straggler.empty() ? Json(nullptr) : Json(outcome.straggler);
  json["noise_scale"] = outcome.noise ? noise_json(*outcome.noise) : Json(nullptr);
  json["trust_ratios"] = trust_json(outcome.trust_ratios);
  json["ended"] = name_of(outcome.end);
  json["why"] = outcome.why;
  json["best_epoch"] = outcome.state.best_epoch > 0 ? Json(outcome.state.best_epoch) : Json(nullptr);
  json["restored_best"] = outcome.restored_best;
  json["saved"] = outcome.saved;
  json["skipped_samples"] = outcome.skipped_samples;
  json["skipped_updates"] = outcome.skipped_updates;
  json["run_dir"] = outlook.run_dir;
  json["report"] = result.report.empty() ? Json(nullptr) : Json(result.report);
  return json;
}

}  // namespace plimsoll
