#include "run/train/crew.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>

#include "base/text.h"
#include "run/exec/bytes_of_value.h"
#include "run/train/checkpoint.h"

namespace plimsoll {
namespace {

// Words of eight bytes, each multiplied in: a bit anywhere changes it.
uint64_t hash_of(uint64_t hash, std::span<const std::byte> bytes) {
  constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;
  for (size_t at = 0; at < bytes.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, &bytes[at], std::min(sizeof word, bytes.size() - at));
    hash = (hash ^ word) * kFactor;
    hash ^= hash >> 29;
  }
  return hash;
}

template <class News>
std::string packed(const News& news) {
  return {reinterpret_cast<const char*>(&news), sizeof news};
}

}  // namespace

Crew::Crew(const CrewSetup& setup, Executor& step)
    : step_(step), communicator_(setup.communicator), pulse_(setup.pulse), wire_(setup.exchange.wire) {
  if (!communicator_) {
    own_ = single_communicator();
    communicator_ = own_.get();
  }
  hosts_ = communicator_->gather(communicator_->host());
  if (alone()) {
    if (step_.program().micro_batches > 1) micro_.emplace(step_);
    return;
  }
  inside_ = communicator_->duplicate();
  step_.add_up_with([this](std::span<double> sums) {
    const auto start = std::chrono::steady_clock::now();
    inside_->sum(sums);
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    busy_.value += took;
    exposed_.value += took;
  });
  if (setup.sum) exchange_ = std::make_unique<DeviceExchange>(step, *setup.sum, setup.exchange.bucket);
  else exchange_ = std::make_unique<GradientExchange>(step, communicator_->duplicate(), setup.exchange);
}

Crew::~Crew() { step_.add_up_with({}); }

Bytes Crew::wire_bytes() const { return exchange_ ? plimsoll::wire_bytes(exchange_->buckets(), wire_) : Bytes(0); }

void Crew::says(int64_t step, const char* doing) {
  if (pulse_) pulse_->at(step, doing);
}

bool Crew::compute(int64_t step, bool last, const std::function<void()>& meanwhile) {
  const auto launch = [&] {
    step_.compute();
    if (meanwhile) meanwhile();
  };
  says(step, "computing");
  if (micro_) {
    micro_->compute();
    if (last) latest_ = {.own_square = micro_->take_own_square(), .mean_square = micro_->mean_square()};
    return true;
  }
  if (alone()) {
    launch();
    return true;
  }
  if (!last) {
    auto exchange = step_.tell_of_each({});  // nothing is final yet
    launch();
    step_.tell_of_each(std::move(exchange));
    return latest_.mean_finite = step_.finite();
  }
  exchange_->begin();
  launch();
  says(step, "all-reduce");
  latest_ = exchange_->finish();
  busy_.value += latest_.busy.value;
  exposed_.value += latest_.exposed.value;
  return latest_.finite;
}

StepNews Crew::meet(const StepNews& news) {
  StepNews mine = news;
  mine.own_square = latest_.own_square;
  mine.mean_square = latest_.mean_square;
  mine.rounded = latest_.rounded;
  if (alone()) return mine;
  static_assert(std::is_trivially_copyable_v<StepNews>);
  StepNews all;
  std::vector<double> seconds;
  for (const auto& bytes : communicator_->gather(packed(mine))) {
    StepNews one;
    std::memcpy(&one, bytes.data(), sizeof one);
    if (seconds.empty()) all.save = one.save;
    seconds.push_back(one.seconds);
    all.loss += one.loss * double(one.samples);
    all.samples += one.samples;
    all.correct += one.correct;
    all.own_square += one.own_square / double(size());
    all.rounded.sent += one.rounded.sent / double(size());
    all.rounded.mean += one.rounded.mean;
    all.finite = all.finite && one.finite;
    if (all.stop == StopAsked::no) all.stop = one.stop;
  }
  all.loss /= double(std::max<int64_t>(all.samples, 1));
  all.mean_square = latest_.mean_square;
  straggler_found_ = straggler_.step(seconds);
  return all;
}

Tally Crew::add_up(const Tally& mine) {
  if (alone()) return mine;
  Tally all;
  for (const auto& bytes : communicator_->gather(packed(mine))) {
    Tally one;
    std::memcpy(&one, bytes.data(), sizeof one);
    all.loss_sum += one.loss_sum;
    all.samples += one.samples;
    all.correct += one.correct;
  }
  return all;
}

double Crew::share_of_others(const ProcessorsTime& from, const ProcessorsTime& to) {
  std::string mine = host_of(rank()) + "\n";
  for (const int processor : usable_processors()) mine += fmt::format("{} ", processor);
  const auto where = communicator_->gather(mine);
  std::vector<ProcessorsTime> spent;
  const ProcessorsTime own{
      {to.all.value - from.all.value}, {to.busy.value - from.busy.value}, {to.own.value - from.own.value}};
  for (const auto& bytes : communicator_->gather(packed(own))) {
    spent.emplace_back();
    std::memcpy(&spent.back(), bytes.data(), sizeof(ProcessorsTime));
  }
  // Workers on the same processors have seen the same time go by, and none of them is another program.
  std::map<std::string, ProcessorsTime> places;
  for (size_t i = 0; i < spent.size(); ++i) {
    ProcessorsTime& place = places[where[i]];
    place.all = std::max(place.all, spent[i].all);
    place.busy = std::max(place.busy, spent[i].busy);
    place.own.value += spent[i].own.value;
  }
  ProcessorsTime all;
  for (const auto& [name, place] : places) {
    all.all.value += place.all.value;
    all.busy.value += place.busy.value;
    all.own.value += place.own.value;
  }
  return plimsoll::share_of_others({}, all);
}

StopAsked Crew::stop_asked() {
  StepNews mine;
  mine.stop = Interruption::asked();
  if (alone()) return mine.stop;
  StopAsked asked = StopAsked::no;
  for (const auto& bytes : communicator_->gather(packed(mine.stop)))
    if (asked == StopAsked::no) std::memcpy(&asked, bytes.data(), sizeof asked);
  return asked;
}

std::string Crew::gather_places(const std::string& mine) {
  const auto all = communicator_->gather(mine);
  if (alone()) return mine;
  std::string text;
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i].empty()) text += fmt::format("{}rank {} on {}: {}", text.empty() ? "" : ", ", i, hosts_[i], all[i]);
  return text;
}

void Crew::take_weights_of_first() {
  if (alone()) return;
  std::vector<std::byte> copied;
  for (const ValueId id : stored_values(step_.program(), CheckpointKind::last)) {
    const auto bytes = bytes_of_value(step_, id, copied);
    communicator_->broadcast(bytes);
    if (!step_.on_host()) step_.write(id, bytes);
  }
}

Status Crew::check_same_weights(int64_t step) {
  if (alone()) return {};
  uint64_t hash = 0;
  std::vector<std::byte> copied;
  for (const ValueId id : stored_values(step_.program(), CheckpointKind::last))
    hash = hash_of(hash, bytes_of_value(step_, id, copied));
  const auto all = communicator_->gather(packed(hash));
  for (size_t i = 1; i < all.size(); ++i)
    if (all[i] != all[0])
      return environment_error(
          fmt::format("step {}: rank {} on {} holds other weights than rank 0 on {}; nothing is saved", step, i,
                      hosts_[i], hosts_[0]),
          "its memory or its network may be faulty; the last checkpoint is whole");
  return {};
}

}  // namespace plimsoll
