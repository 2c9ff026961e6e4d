#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/rows/named.h"
#include "base/size_text.h"
#include "plan/ask/token_fit_request.h"
#include "plan/llm/token_accuracy.h"

namespace plimsoll {
namespace {

constexpr double kTokensOfARun = 1e8;

std::string tokens_text(int64_t batch, int64_t sequence) {
  return fmt::format("a micro-batch of {} × {} tokens", with_commas(batch), with_commas(sequence));
}

std::string needs_text(const StepMemory& memory) {
  return fmt::format("{} ({} allocated, {} reserved where there is room, context {})", human_bytes(memory.needed()),
                     human_bytes(memory.allocated), human_bytes(memory.reserved), human_bytes(memory.context));
}

bool fits_as_asked(const TokenFitAnswer& answer) { return answer.asked ? answer.fits : answer.largest > 0; }

void add_verdict(const TokenFitAnswer& answer, std::vector<std::string>& lines) {
  const std::string what = tokens_text(answer.batch, answer.sequence);
  if (fits_as_asked(answer)) {
    lines.push_back(fmt::format("Fits: {} takes {}, {} under the line.", what, needs_text(answer.memory),
                                human_bytes(answer.line - answer.memory.needed())));
  } else {
    std::string line = fmt::format("Does not fit: {} takes {}, {} past the line.", what, needs_text(answer.memory),
                                   human_bytes(answer.shortfall));
    if (!answer.memory.over.name.empty())
      line += fmt::format(" It breaks at {} ({}).", in_quotes(answer.memory.over.name),
                          human_bytes(answer.memory.over.bytes));
    lines.push_back(line);
    lines.push_back(fmt::format("The smallest device that would do has {}.", human_bytes(answer.smallest_memory)));
  }
  if (answer.largest > 0)
    lines.push_back(
        fmt::format("The largest micro-batch at {} tokens is {}; the longest sequence at a micro-batch of {} "
                    "is {} tokens.",
                    with_commas(answer.sequence), with_commas(answer.largest),
                    with_commas(answer.asked ? answer.batch : 1), with_commas(answer.longest)));
  else if (answer.longest > 0)
    lines.push_back(fmt::format("The longest sequence at a micro-batch of {} is {} tokens.",
                                with_commas(answer.asked ? answer.batch : 1), with_commas(answer.longest)));
}

void add_nearest(const TokenFitAnswer& answer, std::vector<std::string>& lines) {
  if (fits_as_asked(answer) || answer.alternatives.empty()) return;
  const TokenAlternative& nearest = answer.alternatives.front();
  if (!nearest.fits) return lines.push_back("No change that is known here makes it fit on these devices.");
  const std::string needed = human_bytes(nearest.needed), batch = with_commas(nearest.batch);
  std::string line = fmt::format("The nearest plan that fits: {}, ", nearest.change);
  line += answer.asked ? fmt::format("with {} needed and a micro-batch of up to {}", needed, batch)
                       : fmt::format("where a micro-batch of {} needs {}", batch, needed);
  if (nearest.tokens_per_second)
    line += fmt::format(", at about {} tokens/s", with_commas(int64_t(*nearest.tokens_per_second)));
  if (nearest.slowdown) line += fmt::format("; a token takes {:.2f} times as long on each device", *nearest.slowdown);
  lines.push_back(line + ".");
}

void add_time(const TokenFitAnswer& answer, std::vector<std::string>& lines) {
  if (!answer.time) return;
  const TokenTime& time = *answer.time;
  std::string line = fmt::format(
      "{} {} tokens/s{}", fits_as_asked(answer) ? "About" : "As asked it would run at about",
      with_commas(int64_t(time.tokens_per_second)),
      answer.setup.degrees.workers > 1 ? fmt::format(" on {} devices", with_commas(answer.setup.degrees.workers)) : "");
  if (time.mfu)
    line +=
        fmt::format(", {} of the {} peak of {}", percent(*time.mfu), name_of(time.peak_format), human_rate(time.peak));
  lines.push_back(line + fmt::format("; bound by {}.", time.bound_by));
}

// Of the plan that was asked for where it fits, else of the nearest that does.
void add_run(const TokenFitOutcome& outcome, std::vector<std::string>& lines) {
  const TokenFitAnswer& answer = outcome.answer;
  std::optional<double> rate;
  int64_t devices = answer.setup.degrees.workers;
  const bool nearest = !outcome.fits() && !answer.alternatives.empty() && answer.alternatives.front().fits;
  if (outcome.fits() && answer.time) rate = answer.time->tokens_per_second;
  if (nearest) {
    rate = answer.alternatives.front().tokens_per_second;
    devices = answer.alternatives.front().devices;
  }
  if (!rate || *rate <= 0) return;
  const Seconds total{kTokensOfARun / *rate};
  std::string line =
      fmt::format("{}a run of 100 million tokens takes {}", nearest ? "With that plan " : "", human_time(total));
  if (!nearest) line[0] = 'A';
  if (outcome.rental) {
    line += " and " + rental_text(*outcome.rental, devices, total);
  } else if (!outcome.device.empty()) {
    line += "; no price is known for it";
  }
  lines.push_back(line + ".");
}

}  // namespace

std::string method_text(const Tuning& tuning) {
  if (tuning.kind == TuningKind::full) return "full fine-tuning";
  if (tuning.kind == TuningKind::freeze) return fmt::format("training all but {}", in_quotes(tuning.pattern));
  const char* kind = tuning.kind == TuningKind::lora ? "LoRA" : tuning.kind == TuningKind::qlora ? "QLoRA" : "DoRA";
  return fmt::format("{} of rank {} on {}", kind, tuning.rank,
                     tuning.targets.empty() ? "all layers" : fmt::format("{}", fmt::join(tuning.targets, ", ")));
}

std::string plan_text(const TrainingSetup& setup) {
  const Degrees& d = setup.degrees;
  std::vector<std::string> parts;
  const auto add = [&](int64_t degree, const char* what) {
    if (degree > 1) parts.push_back(fmt::format("{} {}", what, with_commas(degree)));
  };
  if (d.workers > 1) parts.push_back(fmt::format("{} devices", with_commas(d.workers)));
  add(d.data(), "data parallel");
  add(d.tensor, "tensor parallel");
  add(d.pipeline, "pipeline");
  add(d.context, "context parallel");
  add(d.expert, "expert parallel");
  if (setup.shard != Shard::none) parts.emplace_back(choice_name(setup.shard));
  if (setup.offload != Offload::none) parts.push_back(fmt::format("offload {}", choice_name(setup.offload)));
  if (setup.checkpointing != Checkpointing::none)
    parts.push_back(fmt::format("{} checkpointing", choice_name(setup.checkpointing)));
  if (setup.logits == LogitsKind::chunked) parts.emplace_back("chunked logits");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::string> sentences(const TokenFitOutcome& outcome) {
  const TokenFitAnswer& answer = outcome.answer;
  std::vector<std::string> lines;
  add_verdict(answer, lines);
  add_time(answer, lines);
  add_nearest(answer, lines);
  add_run(outcome, lines);
  lines.push_back(fmt::format("The peak is at {}; the largest tensor is {} ({}).",
                              in_quotes(answer.memory.peak_operation), in_quotes(answer.memory.largest.name),
                              human_bytes(answer.memory.largest.bytes)));
  const TokenAccuracy& checked = answer.setup.tuning.adapts() ? adapter_memory_accuracy() : full_memory_accuracy();
  lines.push_back(fmt::format(
      "Against {} measured runs of {} ({}) the memory was off by {} in the median, {} at worst.", checked.rows,
      checked.kind, checked.source, percent(checked.median_error), percent(checked.largest_error)));
  for (const auto& note : answer.notes) lines.push_back(note);
  return lines;
}

}  // namespace plimsoll
