#include "tell/report/train_report.h"

#include <fmt/format.h>

#include <cmath>

#include "base/size_text.h"
#include "base/text.h"
#include "plan/ask/fit_sentences.h"
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

// The critical batch is about the noise scale.
std::string noise_text(const NoiseScale& noise, int64_t batch) {
  const std::string high = std::isfinite(noise.high) ? with_commas(std::llround(noise.high)) : "unknown";
  const char* what = double(batch) < noise.low    ? "a larger batch would still save steps"
                     : double(batch) > noise.high ? "this batch is larger than is useful"
                                                  : "this batch is about as large as is useful";
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

std::string trust_text(const std::vector<TrustRatio>& ratios) {
  const auto spread = spread_of(ratios);
  if (!spread) return "";
  const auto one = [](const TrustRatio& ratio) {
    return fmt::format("{:.3g} ({})", ratio.ratio, printable(ratio.parameter, 60));
  };
  return fmt::format("Trust ratios of the last step: least {}, median {}, largest {}.\n", one(spread->least),
                     one(spread->median), one(spread->largest));
}

}  // namespace

std::string outlook_text(const TrainingOutlook& outlook) {
  std::string text =
      fmt::format("{}, {} parameters, on {}: {}, {} {}\n", printable(outlook.model, 80),
                  human_count(outlook.parameters), printable(outlook.data, 80), samples_text(outlook),
                  with_commas(outlook.classes), outlook.tokens > 0 ? "tokens in the vocabulary" : "classes");
  if (outlook.tokens > 0)
    text += fmt::format("Samples are sequences of {} tokens, {} tokens a step\n", with_commas(outlook.tokens),
                        with_commas(outlook.tokens * outlook.step_samples()));
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
  for (const auto& group : outlook.declined)
    if (group.taken_by == kByReference) text += "  " + line_of(group) + "\n";
  if (!outlook.evaluation_by_reference.empty())
    text += fmt::format("In evaluations, likewise: {}\n", fmt::join(outlook.evaluation_by_reference, ", "));
  text += fmt::format("Checkpoints take up to {} on the disk", human_bytes(outlook.checkpoints));
  if (outlook.disk_free) text += fmt::format(", {} are free", human_bytes(*outlook.disk_free));
  text += fmt::format("\nThe run is kept in {}\n", printable(outlook.run_dir, 200));
  if (outlook.resumed) text += fmt::format("Continuing after step {}\n", with_commas(outlook.first_step));
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

std::vector<PlannedRow> planned_against_measured(const TrainingOutlook& outlook, const TrainingResult& result) {
  const auto time = [](const std::optional<Seconds>& seconds) { return seconds ? human_time(*seconds) : "?"; };
  const TrainingOutcome& outcome = result.outcome;
  std::vector<PlannedRow> rows{{"memory at the peak", human_bytes(outlook.planned), human_bytes(result.peak())}};
  if (outcome.steps > 1)
    rows.push_back({"time a step", time(outlook.predicted_step), human_time(outcome.step_seconds)});
  if (outcome.steps > 0)
    rows.push_back({counted(outcome.steps, "step"), time(result.predicted(outlook)),
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
  if (outcome.test && outcome.tokens > 0)
    text += fmt::format("Test loss {:.4f}, perplexity {:.2f}, on {} tokens.\n", outcome.test->loss(),
                        perplexity(outcome.test->loss()), with_commas(outcome.test->samples));
  else if (outcome.test)
    text += fmt::format("Test accuracy {:.2f} %, loss {:.4f}, on {} samples.\n", 100 * outcome.test->accuracy(),
                        outcome.test->loss(), with_commas(outcome.test->samples));
  Table table({{"", Table::Align::left}, {"Planned"}, {"Measured"}});
  for (const auto& row : planned_against_measured(outlook, result)) table.add({row.what, row.planned, row.measured});
  text += "\n" + table.text() + "\n";
  if (outcome.others >= kNoticedShare)
    text +=
        fmt::format("Other programs used {} of the processors{}.\n", percent(outcome.others),
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

}  // namespace plimsoll
