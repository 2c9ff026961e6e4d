#include "tell/cli/planned_run.h"

#include <fmt/format.h>

#include "base/text.h"
#include "plan/verdict/load_curve.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/place.h"
#include "run/data/network_input.h"
#include "run/dist/link_speed.h"
#include "run/dist/neighbour_mean.h"
#include "tell/cli/direct_instead.h"
#include "tell/cli/predicted_step.h"

namespace plimsoll {
namespace {

constexpr Bytes kMpiMemory{22 << 20};  // that a worker takes beyond one that is alone, as measured: MPI, its libraries

}  // namespace

Status PlannedRun::read_flags(const Result<MemoryHere>& machine_memory) {
  if (flags->model.empty())
    return user_error("no MODEL is given", "for example train lenet5 --data fashion-mnist --epochs 3");
  PLIM_ASSIGN(backend, flags->read_backend());
  PLIM_ASSIGN(engine, flags->engine.read());
  PLIM_ASSIGN(loaders, flags->data.read_loaders());
  if (const int share = worker->cores().threads; share > 0) {  // of several workers here
    if (flags->engine.threads.empty()) engine.threads = share;
    if (flags->data.loaders.empty()) loaders = std::min(loaders, share);
  }
  PLIM_ASSIGN(step, flags->read_step());
  PLIM_ASSIGN(step.batch_norm, flags->read_batch_norm(workers()));
  PLIM_ASSIGN(load_line, flags->read_load_line());
  PLIM_ASSIGN(const MemoryHere machine, machine_memory);
  memory.bytes = Bytes(machine.bytes.value() / worker->cores().local_workers);
  memory.notes.insert(memory.notes.end(), machine.notes.begin(), machine.notes.end());
  if (!worker->cores().note.empty()) memory.notes.push_back(worker->cores().note);
  line = bytes_under_line(memory.bytes, load_line);
  PLIM_TRY(flags->read_trainer(setup));
  PLIM_ASSIGN(setup.crew.exchange.wire, flags->read_wire());
  if (workers() == 1 && !flags->wire.empty())
    memory.notes.emplace_back("One worker sends no gradients: --wire changes nothing.");
  PLIM_TRY(flags->read_schedule(1, workers()));  // mistakes are told before anything is opened
  if (!flags->auto_batch()) PLIM_TRY(flags->read_batch());
  PLIM_ASSIGN(format, flags->network.read_format());
  if (format.name != "f32")
    return user_error(fmt::format("--dtype is {}, expected f32: training here is in f32", format.name));
  PLIM_ASSIGN(Network loaded, load_network(flags->model, flags->network));
  network.emplace(std::move(loaded));
  return {};
}

Status PlannedRun::open_data() {
  PLIM_ASSIGN(const Program forward, network->forward(std::nullopt, format));
  PLIM_ASSIGN(const NetworkInput input, network_input(forward));
  const bool speaks = worker->communicator().first() && !flags->quiet;  // one says what all would
  PLIM_ASSIGN(data, flags->data.open(input, setup.seed, !speaks));
  if (setup.keeps_best() && !data.validation)
    return user_error("--early-stop and --save-best need a validation set", "for example --validation 0.1");
  PLIM_ASSIGN(setup.loader.bad, flags->data.read_bad_samples());
  setup.loader.workers = loaders;
  return {};
}

// A run that goes on keeps the size that was measured when it began: sums in other pieces have other last digits.
void PlannedRun::choose_bucket(std::optional<Bytes> before) {
  setup.crew.pulse = worker->pulse();
  if (workers() == 1) return;
  setup.crew.communicator = &worker->communicator();
  ExchangeForm& form = setup.crew.exchange;
  form.neighbours = are_neighbours(worker->communicator());
  form.bucket = before ? *before : bucket_size(measure_link(worker->communicator()), form.wire);
}

Result<TrainingPlan> PlannedRun::plan_at(int64_t samples) const {
  PLIM_ASSIGN(Program forward, network->forward(samples, format));
  PLIM_ASSIGN(Program program, make_step(std::move(forward), step));
  PLIM_ASSIGN(TrainingPlan plan, plan_training(*backend, std::move(program), engine));
  plan.memory.fixed += data.train->info().memory;
  if (const auto& crew = setup.crew; crew.communicator)
    plan.memory.fixed += kMpiMemory + exchange_memory(make_buckets(*plan.step, plan.memory, crew.exchange.bucket),
                                                      crew.exchange, crew.communicator->size());
  return plan;
}

Result<int64_t> PlannedRun::largest_batch(int64_t most) const {
  return plimsoll::largest_batch(line, 1, most, [this](int64_t samples) -> Result<Bytes> {
    PLIM_ASSIGN(const TrainingPlan plan, plan_at(samples));
    return plan.memory.peak();
  });
}

Status PlannedRun::choose_batch() {
  if (!flags->auto_batch()) {
    PLIM_ASSIGN(batch, flags->read_batch());
  } else {
    PLIM_ASSIGN(batch, largest_batch(std::min(kMostPlacedSamples, data.train->size() / step.micro_batches)));
    batch = std::max<int64_t>(batch, 1);  // does not fit either: refused like any other
  }
  return {};
}

// All take the same: the smallest, where each machine was asked what fits.
Status PlannedRun::check_batch() {
  for (const auto& other : worker->communicator().gather(std::to_string(batch)))
    if (flags->auto_batch()) batch = std::min<int64_t>(batch, std::stoll(other));
  if (data.train->size() < step_samples()) {
    const int64_t parts = step.micro_batches;
    return user_error(
        fmt::format("the training set has {} samples, fewer than {}{} of {}", with_commas(data.train->size()),
                    parts == 1 ? "a batch" : fmt::format("{} micro-batches", with_commas(parts)),
                    workers() == 1 ? "" : fmt::format(" for each of {} workers,", workers()), with_commas(batch)),
        parts == 1 ? "choose a smaller --batch" : "choose a smaller --batch or fewer --micro-batches");
  }
  setup.loader.batch = batch;
  return {};
}

// Where only direct convolutions stay under the line, they are used.
Status PlannedRun::stay_under_line(TrainingPlan& plan) {
  if (plan.memory.peak() <= line || engine.conv != ConvWay::automatic) return {};
  const auto fast = predicted_step(plan.step->program, engine);
  engine.conv = ConvWay::direct;
  PLIM_ASSIGN(TrainingPlan direct, plan_at(batch));
  if (direct.memory.peak() > line) {
    engine.conv = ConvWay::automatic;
    return {};
  }
  const auto slow = predicted_step(direct.step->program, engine);
  const auto slowdown = fast && slow ? slowdown_of(slow->total, fast->total) : std::nullopt;
  memory.notes.push_back(direct_instead_text(plan.memory.peak(), direct.memory.peak(), slowdown));
  plan = std::move(direct);
  return {};
}

}  // namespace plimsoll
