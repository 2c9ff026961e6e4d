#include "plan/verdict/load_curve.h"

#include <algorithm>

#include "plan/memory/live_bytes.h"

namespace plimsoll {
namespace {

// A batch that does not fit between `fits` and `too_many`, where the line through what is known crosses the limit.
int64_t crossing(int64_t fits, Bytes at_fits, int64_t too_many, Bytes at_too_many, Bytes limit) {
  if (at_too_many.overflowed()) return fits + (too_many - fits) / 2;
  const double slope = double((at_too_many - at_fits).value()) / double(too_many - fits);
  const double guess = slope > 0 ? double(fits) + double((limit - at_fits).value()) / slope : double(too_many);
  return std::clamp<int64_t>(int64_t(guess), fits + 1, too_many - 1);
}

}  // namespace

Bytes live_peak(const Lifetimes& lifetimes) {
  const auto live = live_bytes(lifetimes.storages, moments_of(lifetimes.storages));
  return live ? Bytes(*std::max_element(live->begin(), live->end())) : Bytes(Bytes::kOverflow);
}

// Of a straight family: one step, whose sizes then change.
Status LoadCurve::begin() {
  if (begun_) return {};
  PLIM_ASSIGN(program_, family_->at(2));
  begun_ = true;
  return {};
}

Status LoadCurve::move_to(int64_t batch) {
  if (family_->straight()) {
    PLIM_TRY(begin());
    family_->set_sizes(program_, batch);
    if (lifetimes_.storages.empty()) lifetimes_ = lifetimes_alone(program_);
    set_sizes(lifetimes_, program_, *rules_);
    return {};
  }
  PLIM_ASSIGN(program_, family_->exactly(batch));
  lifetimes_ = lifetimes(program_, *rules_);
  return {};
}

Result<const Program*> LoadCurve::costed_at(int64_t batch) {
  if (!family_->straight()) {
    PLIM_TRY(move_to(batch));
    return &program_;
  }
  PLIM_TRY(begin());
  family_->set_batch(program_, batch);
  return &program_;
}

SizeCurve::SizeCurve(const BatchFamily& family, const SizeRules& rules)
    : family_(&family), rules_(&rules), lifetimes_(lifetimes_alone(family.smallest())) {
  const Program& step = family.smallest();
  sized_.values.reserve(step.values.size());
  for (const auto& value : step.values) sized_.values.push_back({"", value.role, value.type, nullptr});
  for (size_t t = 0; t < step.operations.size(); ++t) {
    if (rules.workspace(step, t) == Bytes(0)) continue;
    sized_.operations.push_back(step.operations[t]);
    moments_.push_back(int32_t(t));
  }
}

const Lifetimes& SizeCurve::at(int64_t batch) {
  family_->set_sizes(sized_, batch);
  set_sizes(lifetimes_, sized_, *rules_, moments_);
  return lifetimes_;
}

Result<int64_t> batch_past(Bytes limit, int64_t most, const LoadAt& load) {
  for (int64_t batch = 2; batch < most; batch *= 2) {
    PLIM_ASSIGN(const Bytes bytes, load(batch));
    if (bytes > limit) return batch;
  }
  return most;
}

Result<int64_t> largest_batch(Bytes limit, int64_t least, int64_t most, const LoadAt& load,
                              const std::map<int64_t, Bytes>& known) {
  int64_t fits = least, too_many = most;
  for (const auto& [batch, bytes] : known) {  // the nearest on either side
    if (batch <= least || batch >= most) continue;
    if (bytes <= limit) fits = batch;
    else too_many = std::min(too_many, batch);
  }
  PLIM_ASSIGN(Bytes below, load(fits));
  if (below > limit) return int64_t{0};
  PLIM_ASSIGN(Bytes above, load(too_many));
  if (above <= limit) return too_many;
  constexpr int kStraight = 6;  // a line that is not straight by then is halved
  for (int tries = 0; too_many - fits > 1; ++tries) {
    const bool halve = tries >= kStraight;
    const int64_t guess = halve ? fits + (too_many - fits) / 2 : crossing(fits, below, too_many, above, limit);
    PLIM_ASSIGN(const Bytes bytes, load(guess));
    if (bytes > limit) {
      too_many = guess;
      above = bytes;
      continue;
    }
    fits = guess;
    below = bytes;
    if (guess + 1 == too_many) break;
    PLIM_ASSIGN(const Bytes next, load(guess + 1));  // a straight line is right at once
    if (next > limit) return fits;
    fits = guess + 1;
    below = next;
  }
  return fits;
}

}  // namespace plimsoll
