#include "run/train/step_log.h"
#include "base/rows/json.h"

#include <cmath>

namespace plimsoll {
namespace {

double wall_clock() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

StepLog::StepLog(const RunDirectory* directory, std::function<void(const std::string&)> say) : say_(std::move(say)) {
  if (!directory) return;
  auto log = RunLog::open(directory->file(kLogFile));
  if (log.ok()) log_ = *std::move(log);
  else trouble(log.error(), log_trouble_);
  auto events = TensorboardEvents::create(directory->path(), wall_clock());
  if (events.ok()) events_ = *std::move(events);
  else trouble(events.error(), events_trouble_);
}

void StepLog::trouble(const Status& status, bool& said) {
  if (status.ok() || said) return;
  said = true;
  say_(status.error().line() + "; training goes on without it");
}

double StepLog::wall() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void StepLog::event(const std::string& name, Json fields) {
  if (!log_) return;
  Json line{{"event", name}, {"seconds", wall()}};
  line.update(fields);
  trouble(log_->add(line), log_trouble_);
}

void StepLog::scalars(int64_t step, const std::vector<Scalar>& scalars) {
  if (events_) trouble(events_->add(step, wall_clock(), scalars), events_trouble_);
}

void StepLog::step(const LoggedStep& step) {
  Json fields{{"step", step.step},
              {"epoch", step.epoch},
              {"loss", step.loss},
              {"accuracy", step.accuracy},
              {"learning_rate", step.learning_rate},
              {"images_per_second", step.images_per_second}};
  std::vector<Scalar> list{{"train/loss", step.loss},
                           {"train/accuracy", step.accuracy},
                           {"train/learning_rate", step.learning_rate},
                           {"speed/images_per_second", step.images_per_second}};
  if (step.noise) {
    fields["noise_scale"] = step.noise->samples;
    fields["noise_scale_low"] = step.noise->low;
    fields["noise_scale_high"] = std::isfinite(step.noise->high) ? Json(step.noise->high) : Json();
    list.push_back({"train/noise_scale", step.noise->samples});
  }
  if (step.rounding.steps() > 0) {
    const RoundingShare& share = step.rounding.latest();
    fields["wire_error"] = share.sent;
    fields["wire_mean_error"] = share.mean;
    list.push_back({"train/wire_error", share.sent});
  }
  event("step", fields);
  scalars(step.step, list);
}

void StepLog::epoch(const EpochReport& report, int64_t step) {
  Json fields{{"step", step}};
  fields.update(to_json(report));
  event("epoch", fields);
  std::vector<Scalar> list{{"epoch/train_loss", report.train_loss}, {"epoch/train_accuracy", report.train_accuracy}};
  if (report.val_loss) list.push_back({"epoch/val_loss", *report.val_loss});
  if (report.val_accuracy) list.push_back({"epoch/val_accuracy", *report.val_accuracy});
  if (const auto value = report.train_perplexity()) list.push_back({"epoch/train_perplexity", *value});
  if (const auto value = report.val_perplexity()) list.push_back({"epoch/val_perplexity", *value});
  scalars(report.epoch, list);
}

void StepLog::trust_ratios(const std::vector<TrustRatio>& ratios, int64_t step) {
  if (ratios.empty()) return;
  Json fields{{"step", step}, {"ratios", Json::object()}};
  std::vector<std::string> tags;  // scalars borrow them
  for (const auto& one : ratios) {
    fields["ratios"][one.parameter] = one.ratio;
    tags.push_back("trust_ratio/" + one.parameter);
  }
  std::vector<Scalar> list;
  for (size_t i = 0; i < ratios.size(); ++i) list.push_back({tags[i], ratios[i].ratio});
  event("trust_ratios", fields);
  scalars(step, list);
}

void StepLog::utilisation(const std::vector<UtilisationSample>& samples, int64_t step) {
  for (const auto& sample : samples) {
    event("utilisation", {{"step", step},
                          {"at", sample.at.value},
                          {"cores", sample.cores},
                          {"machine", sample.machine},
                          {"others", sample.others},
                          {"resident_bytes", sample.resident.value()}});
    scalars(step, {{"machine/cores_busy", sample.cores},
                   {"machine/cpu_load", sample.machine},
                   {"machine/resident_mib", double(sample.resident.value()) / double(1 << 20)}});
  }
}

}  // namespace plimsoll
