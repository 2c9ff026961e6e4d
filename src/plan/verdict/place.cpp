#include "plan/verdict/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "plan/time/exchange_time.h"
#include "plan/time/host_time.h"
#include "plan/time/torch_cpu_time.h"
#include "plan/verdict/execution_of.h"
#include "plan/verdict/framework_load.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/visible_memory.h"

namespace plimsoll {

namespace {

// What is touched for the first time is touched in the middle of the step: most of it by the longer of its passes.
void add_fresh_memory(StepTime& step, Seconds fresh, const TimedProgram& program) {
  const double seconds = fresh.value * program.micro_batches;
  (program.trains ? step.backward : step.forward).value += seconds;
  step.total.value += seconds;
}

}  // namespace

struct Placing::Load {
  FitQuestion question;
  FrameworkLoad memory;
  std::map<int64_t, TimedProgram> timed;
};

Result<Placing::Load*> Placing::load_for(Framework framework, const Device& part) {
  // Our own plans are the same on every device; others' differ by generation.
  const bool own = framework == Framework::plimsoll;
  auto& load =
      loads_[own ? "own" : fmt::format("{} {} {} {}", int(framework), int(part.kind), part.vendor, part.generation)];
  if (load) return load.get();
  FitQuestion question;
  question.network = job_.network;
  question.format = job_.format;
  question.step = job_.step;
  question.framework = framework;
  question.device = part;
  question.layout = job_.layout;
  question.compiled = job_.compiled;
  question.attention = job_.attention;
  question.torch = job_.torch;
  PLIM_ASSIGN(FrameworkLoad memory, FrameworkLoad::make(question));
  load = std::make_shared<Load>(Load{std::move(question), std::move(memory), {}});
  return load.get();
}

Result<const TimedProgram*> Placing::timed_at(Load& load, int64_t batch) {
  if (const auto found = load.timed.find(batch); found != load.timed.end()) return &found->second;
  PLIM_ASSIGN(const Program* program, load.memory.costed_at(batch));
  return &(load.timed[batch] = timed(*program));
}

// The largest under the line, unless a batch was asked for; one sample when nothing fits, so that it is timed too.
Status Placing::choose_batch(JobPlacement& placement, Load& load) {
  const auto memory = placement.device.part.memory;
  placement.memory_known = memory.has_value();
  const double share = load_line_on(&placement.device.part, framework_on(placement.device), job_.load_line);
  const Bytes line = memory ? bytes_under_line(*memory, share) : Bytes(Bytes::kOverflow - 1);
  const Room room = load.memory.room(&placement.device.part, line);
  const int64_t most = std::max<int64_t>(1, std::min(kMostPlacedSamples, job_.samples / placement.device.count));
  if (job_.batch) {
    placement.batch = *job_.batch;
  } else {
    PLIM_ASSIGN(const bool easily, load.memory.fits_easily(most, room));
    placement.batch = most;
    if (!easily) {
      PLIM_ASSIGN(const int64_t largest, load.memory.largest_under(room));
      placement.batch = std::clamp<int64_t>(largest, 1, most);
    }
  }
  PLIM_ASSIGN(placement.peak, load.memory.expected_at(placement.batch, room));
  placement.fits = placement.peak <= line;
  if (!placement.fits)
    placement.why_not = fmt::format("batch {} takes {}, {} past the line", placement.batch, human_bytes(placement.peak),
                                    human_bytes(placement.peak - line));
  return {};
}

LoadingSetup Placing::loading_on(const Candidate& device) const {
  LoadingSetup setup = job_.loading;
  setup.host_cores = host_cores(device, job_.loading.host_cores).count;
  if (setup.loaders < 0) setup.loaders = setup.host_cores;
  return setup;
}

void Placing::say_loading(JobPlacement& placement) const {
  const LoadingSetup setup = loading_on(placement.device);
  const auto rate = loading_rate(setup);
  if (!rate.ok() || rate->bound == LoadingBound::nothing) return;
  placement.loading =
      loading_sentence(setup, *rate) + " " + pace_sentence(placement.stages, placement.pace, setup, placement.at_once);
  if (!setup.decode_per_core) return;
  placement.decode_cores = host_cores(placement.device, job_.loading.host_cores);
  if (const std::string assumed = cores_sentence(*placement.decode_cores); !assumed.empty())
    placement.loading += " " + assumed;
}

void Placing::add_stages(JobPlacement& placement, const TimedProgram& program) {
  const Candidate& device = placement.device;
  const LoadingSetup setup = loading_on(device);
  if (const auto rate = loading_rate(setup); rate.ok())
    placement.stages = loading_times(setup, *rate, placement.at_once, !device.is_gpu());
  placement.stages.compute = {placement.compute.total.value + placement.exchange.value};
  placement.stages.compute_bound = placement.compute.bound_by == Bound::launch      ? BoundBy::launch
                                   : placement.compute.bound_by == Bound::bandwidth ? BoundBy::bandwidth
                                                                                    : BoundBy::arithmetic;
  placement.stages.transfer =
      transfer(device.part, Bytes(int64_t(program.input_bytes * program.micro_batches)), job_.host_memory).time;
}

Status Placing::time(JobPlacement& placement, Load& load) {
  PLIM_ASSIGN(const TimedProgram* program, timed_at(load, placement.batch));
  const Candidate& device = placement.device;
  placement.at_once = placement.batch * device.count * std::max<int64_t>(1, job_.step.micro_batches);
  placement.parameters = Bytes(int64_t(program->parameter_bytes));
  for (const auto& operation : program->operations)
    placement.sample_flops += operation.flops * operation.repeat / double(placement.batch);
  PLIM_ASSIGN(placement.compute, step_time(*program, device.part, execution_with(load)));
  PLIM_ASSIGN(const Bytes fresh, load.memory.fresh_at(placement.batch));
  add_fresh_memory(placement.compute, fresh_memory_time(device.part, execution_with(load), fresh), *program);
  placement.accuracy = accuracy_of_step(device.part, execution_with(load), job_.trains(), kind_of(*program),
                                        placement.compute.launch.value / placement.compute.total.value);
  if (device.count > 1 && job_.trains()) {
    if (const auto link = link_inside(device.part))
      placement.exchange = exchange_gradients(*program, placement.compute, device.count, {device.count, *link, *link},
                                              exchange_rule(execution_with(load).framework))
                               .exposed;
  }
  add_stages(placement, *program);
  placement.pace = pace(placement.stages, true);
  placement.bound_by = placement.pace.bound_by;
  say_loading(placement);
  placement.step = placement.pace.step;
  const auto at_once = double(placement.at_once);
  placement.samples_per_second = at_once / placement.step.value;
  placement.epoch = {std::ceil(double(job_.samples) / at_once) * placement.step.value};
  placement.total = {placement.epoch.value * double(job_.epochs)};
  if (job_.trains()) return {};
  PLIM_ASSIGN(const TimedProgram* one, timed_at(load, 1));
  PLIM_ASSIGN(StepTime alone, step_time(*one, device.part, execution_with(load)));
  PLIM_ASSIGN(const Bytes of_one, load.memory.fresh_at(1));
  add_fresh_memory(alone, fresh_memory_time(device.part, execution_with(load), of_one), *one);
  const Transfer over = transfer(device.part, Bytes(int64_t(one->input_bytes)), job_.host_memory);
  placement.latency = Seconds{alone.total.value + over.time.value};
  return {};
}

void Placing::add_money(JobPlacement& placement) {
  placement.price = hourly_price(placement.device.whole);
  if (job_.price) placement.price = HourlyPrice{*job_.price, true, "as given"};
  if (!placement.price) return;
  placement.cost = cost_of(placement.total, placement.price->price);
  placement.per_million = cost_of({1e6 / placement.samples_per_second}, placement.price->price);
}

Framework Placing::framework_on(const Candidate& candidate) const {
  return job_.framework.value_or(candidate.is_gpu() ? Framework::pytorch : Framework::plimsoll);
}

Result<int64_t> Placing::largest_batch_on(const Candidate& candidate) {
  PLIM_ASSIGN(Load * load, load_for(framework_on(candidate), candidate.part));
  if (!candidate.part.memory) return kMostSamples;
  const double share = load_line_on(&candidate.part, framework_on(candidate), job_.load_line);
  const Bytes line = bytes_under_line(*candidate.part.memory, share);
  return load->memory.largest_under(load->memory.room(&candidate.part, line));
}

Execution Placing::execution_with(const Load& load) const {
  Execution execution = execution_of(load.question);
  execution.threads = job_.threads;
  if (job_.host) execution.host_factor = host_factor(*job_.host);
  return execution;
}

Result<Placing::Demands> Placing::demands_on(const Candidate& candidate, int64_t batch) {
  PLIM_ASSIGN(Load * load, load_for(framework_on(candidate), candidate.part));
  PLIM_ASSIGN(const TimedProgram* program, timed_at(*load, batch));
  return Demands{program, execution_with(*load)};
}

Result<JobPlacement> Placing::on(const Candidate& candidate) {
  JobPlacement placement;
  placement.device = candidate;
  placement.framework = framework_on(candidate);
  PLIM_ASSIGN(Load * load, load_for(placement.framework, candidate.part));
  PLIM_TRY(choose_batch(placement, *load));
  PLIM_TRY(time(placement, *load));
  add_money(placement);
  return placement;
}

void rank(std::vector<JobPlacement>& placements, RankBy by) {
  const auto key = [&](const JobPlacement& placement) {
    const double time = placement.total.value, money = placement.cost ? placement.cost->value : HUGE_VAL;
    return by == RankBy::time ? std::tuple(!placement.fits, time, money)  // of two alike the other decides
                              : std::tuple(!placement.fits, money, time);
  };
  std::stable_sort(placements.begin(), placements.end(),
                   [&](const JobPlacement& a, const JobPlacement& b) { return key(a) < key(b); });
}

}  // namespace plimsoll
