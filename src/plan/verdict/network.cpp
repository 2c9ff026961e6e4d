#include "plan/verdict/network.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/loose_name.h"
#include "base/rows/named.h"
#include "base/text.h"
#include "model/optim/all_optimizers.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargestKept = 8;   // families are made of small batches; others are asked for once
constexpr size_t kMostKept = 20'000;  // operations: a copy of a larger one costs more memory than it saves time

// A step follows from all of its options. A new one does not compile until it has its place here.
std::string key_of(const NumberFormat& format, const StepOptions& options) {
  const auto& [optimizer, settings, loss, label_smoothing, micro_batches, recompute, batch_norm, fuse, form, parameters,
               overwriting, state] = options;
  return fmt::format("{} {} {{{}}} {} {} {} {} {}/{}/{} {} {} {} {} {}", format.name, optimizer ? optimizer->name : "-",
                     print(settings), int(loss), label_smoothing, micro_batches, recompute, int(batch_norm.over),
                     batch_norm.ghost, batch_norm.workers, fuse, int(form), int(parameters), int(overwriting),
                     int(state));
}

std::string key_of(const NumberFormat& format, const StepOptions& options, const FrameworkForm& form) {
  return fmt::format("{} {} {} {} {}", key_of(format, options), form.pytorch, int(form.autocast.value_or(DType::f32)),
                     form.fused_attention, int(form.attention));
}

// What steps have in common that are complete alike, or only differentiated alike (pipeline.h).
StepOptions complete_alike(StepOptions options) {
  options.recompute = 0;
  return options;
}

StepOptions differentiated_alike(StepOptions options) {
  const StepOptions usual;
  options.recompute = usual.recompute;
  options.micro_batches = usual.micro_batches;
  options.state = usual.state;
  options.optimizer_settings = usual.optimizer_settings;
  options.optimizer = options.optimizer ? all_optimizers().front() : nullptr;  // that it trains
  return options;
}

}  // namespace

std::vector<std::string> number_format_names() { return {"f32", "tf32", "bf16", "f16", "amp", "f64", "int8"}; }

namespace {

// As Lightning, accelerate and papers call them.
std::string plain_format(const std::string& given) {
  const std::string name = lower_case(given);
  constexpr std::pair<std::string_view, std::string_view> kCalled[] = {
      {"mixed", "amp"},         {"16-mixed", "amp"},
      {"fp16-mixed", "amp"},    {"mixed_precision", "amp"},
      {"amp_bf16", "amp-bf16"}, {"bf16-mixed", "amp-bf16"},
      {"bf16-true", "bf16"},    {"16-true", "f16"},
      {"32-true", "f32"},       {"32", "f32"},
      {"64-true", "f64"},       {"64", "f64"}};
  for (const auto& [called, meant] : kCalled)
    if (name == called) return std::string(meant);
  return name;
}

}  // namespace

Result<NumberFormat> number_format(const std::string& given) {
  const std::string name = plain_format(given);
  if (name == "amp") return NumberFormat{name, DType::f32, DType::f16};
  if (name == "amp-bf16") return NumberFormat{"amp-bf16", DType::f32, DType::bf16};
  if (name == "fp8") return NumberFormat{name, DType::f8e4m3, DType::f8e4m3};
  std::vector<std::string> names{"amp", "amp-bf16", "fp8"};
  for (const auto& type : all_dtypes())
    if (type.floating && type.type != DType::complex64 && type.type != DType::complex128) names.emplace_back(type.name);
  names.emplace_back("int8");
  const auto type = dtype_named(name);
  if (!type || std::find(names.begin(), names.end(), std::string(name_of(*type))) == names.end())
    return user_error(
        fmt::format("{} is {}, expected one of {}", named("dtype"), in_quotes(given), fmt::join(names, ", ")));
  return NumberFormat{std::string(name_of(*type)), type, type};
}

Result<UnfinishedStep> Network::kept_or_made(Beginnings& beginnings, const std::string& what, int64_t batch,
                                             const Begin& make) {
  const std::pair key{what, batch};
  {
    const std::lock_guard lock(beginnings.mutex);
    if (const auto found = beginnings.kept.find(key); found != beginnings.kept.end())
      return UnfinishedStep(*found->second);
  }
  PLIM_ASSIGN(UnfinishedStep step, make(batch));
  if (batch <= kLargestKept && step.program.operations.size() <= kMostKept) {
    const std::lock_guard lock(beginnings.mutex);
    beginnings.kept.emplace(key, std::make_shared<const UnfinishedStep>(step));
  }
  return step;
}

// The batch that a file was exported for, where it holds that in places where no other fits.
std::optional<int64_t> Network::fixed_batch(const NumberFormat& format) const {
  const auto alone = bind_(std::nullopt, format);
  if (!alone.ok() || bind_(alone->batch == 2 ? 3 : 2, format).ok()) return std::nullopt;
  return alone->batch;
}

Result<BatchFamily> Network::family(const NumberFormat& format, const StepOptions& options,
                                    const FrameworkForm& form) const {
  // Autocast starts from 32 bits and says itself what is narrower.
  const NumberFormat stored = form.autocast ? NumberFormat{"f32", DType::f32, DType::f32} : format;
  const Begin forward = [bind = bind_, kept = beginnings_, stored](int64_t size) {
    return kept_or_made(*kept, stored.name, size, [&](int64_t batch) -> Result<UnfinishedStep> {
      PLIM_ASSIGN(Program program, bind(batch, stored));
      return UnfinishedStep{std::move(program)};
    });
  };
  const Begin differentiate = [forward, options, form](int64_t batch) -> Result<UnfinishedStep> {
    PLIM_ASSIGN(UnfinishedStep step, forward(batch));
    take_form(step.program, form);
    return differentiate_step(std::move(step.program), options);
  };
  const Begin complete = [differentiate, kept = beginnings_,
                          what = "differentiated " + key_of(format, differentiated_alike(options), form),
                          options](int64_t batch) -> Result<UnfinishedStep> {
    PLIM_ASSIGN(UnfinishedStep step,
                options.optimizer ? kept_or_made(*kept, what, batch, differentiate) : differentiate(batch));
    return complete_step(std::move(step), options);
  };
  const BatchFamily::Build build = [complete, kept = beginnings_,
                                    what = "complete " + key_of(format, complete_alike(options), form),
                                    options](int64_t batch) -> Result<Program> {
    PLIM_ASSIGN(UnfinishedStep step,
                options.recompute > 0 ? kept_or_made(*kept, what, batch, complete) : complete(batch));
    return finish_step(std::move(step), options);
  };
  const BatchFamily* alike = nullptr;
  if (options.recompute > 0) {
    PLIM_ASSIGN(alike, steps(format, complete_alike(options), form));
  }
  auto made = alike ? BatchFamily::make_like(*alike, build) : BatchFamily::make(build);
  if (made.ok()) return made;
  const auto fixed = fixed_batch(format);
  if (!fixed) return made;
  return BatchFamily::only_at(*fixed, build, bind_(*fixed == 2 ? 3 : 2, format).error());
}

Result<Uncounted> Network::uncounted() const {
  if (uncounted_) return *uncounted_;
  PLIM_ASSIGN(const Program program, bind_(std::nullopt, NumberFormat()));
  uncounted_ = uncounted_in(program);
  return *uncounted_;
}

Result<const BatchFamily*> Network::steps(const NumberFormat& format, const StepOptions& options,
                                          const FrameworkForm& form) const {
  const std::string key = key_of(format, options, form);
  {
    const std::lock_guard lock(*mutex_);
    if (const auto found = families_.find(key); found != families_.end()) return found->second.get();
  }
  PLIM_ASSIGN(BatchFamily made, family(format, options, form));
  const std::lock_guard lock(*mutex_);
  auto& kept = families_[key];  // the first to come: somebody may be at work with it
  if (!kept) kept = std::make_unique<BatchFamily>(std::move(made));
  return kept.get();
}

std::shared_ptr<Network::Peaks> Network::peaks(const NumberFormat& format, const StepOptions& options,
                                               const std::string& of) const {
  const std::lock_guard lock(*mutex_);
  auto& peaks = peaks_[fmt::format("{} {}", key_of(format, options), of)];
  if (!peaks) peaks = std::make_shared<Peaks>();
  return peaks;
}

}  // namespace plimsoll
