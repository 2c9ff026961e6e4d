#include "run/train/planned_run.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/rows/named.h"
#include "base/text.h"
#include "plan/verdict/direct_instead.h"
#include "plan/verdict/load_curve.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/place.h"
#include "run/data/network_input.h"
#include "run/data/text/tokenizer_file.h"
#include "run/dist/link_speed.h"
#include "run/dist/neighbour_mean.h"
#include "run/exec/this_engine.h"
#include "run/exec/torch/gpu_driver.h"
#include "run/exec/torch/nccl.h"
#include "run/train/predicted_step.h"

namespace plimsoll {
namespace {

// The tokenizer.json in the folder of a config.json, where there is one.
std::optional<TokenizerChoice> tokenizer_beside(const ModelRequest& model) {
  namespace fs = std::filesystem;
  if (!model.source.is_file() || !is_language_model(model)) return std::nullopt;
  std::error_code none;
  const fs::path path(model.source.name);
  const fs::path file = (fs::is_directory(path, none) ? path : path.parent_path()) / kTokenizerFile;
  if (!fs::is_regular_file(file, none)) return std::nullopt;
  TokenizerChoice choice;
  choice.kind = TokenizerChoice::Kind::file;
  choice.path = file.string();
  return choice;
}

constexpr Bytes kMpiMemory{22 << 20};  // that a worker takes beyond one that is alone, as measured: MPI, its libraries

}  // namespace

Status PlannedRun::read_request(const Result<MemoryHere>& machine_memory) {
  if (request->model.source.empty())
    return user_error("no MODEL is given",
                      fmt::format("for example train lenet5 {} fashion-mnist {} 3", named("data"), named("epochs")));
  PLIM_ASSIGN(backend, request->chosen_backend());
  engine = engine_options(request->threads, request->conv, request->device, request->compute);
  loaders = request->data.loader_workers();
  if (const int share = worker->cores().threads; share > 0) {  // of several workers here
    if (!request->threads) engine.threads = share;
    if (!request->data.loaders) loaders = std::min(loaders, share);
  }
  PLIM_ASSIGN(step, request->step_options());
  step.batch_norm = request->batch_norm(workers());
  load_line = request->load_line;
  PLIM_ASSIGN(const MemoryHere machine, machine_memory);
  memory.bytes = Bytes(machine.bytes.value() / worker->cores().local_workers);
  memory.notes.insert(memory.notes.end(), machine.notes.begin(), machine.notes.end());
  PLIM_TRY(take_gpu());
  if (!worker->cores().note.empty()) memory.notes.push_back(worker->cores().note);
  line = bytes_under_line(memory.bytes, load_line);
  request->fill(setup);
  setup.crew.exchange.wire = request->wire_format();
  if (workers() == 1 && request->wire)
    memory.notes.push_back(fmt::format("One worker sends no gradients: {} changes nothing.", named("wire")));
  PLIM_TRY(request->made_schedule(1, workers()));  // mistakes are told before anything is opened
  format = request->model.format();
  if (format.name != "f32")
    return user_error(fmt::format("{} is {}, expected f32: training here is in f32", named("dtype"), format.name));
  PLIM_ASSIGN(ImportedNetwork loaded, load_model(request->model));
  weights = std::move(loaded.weights);
  network.emplace(make_network(request->model, std::make_shared<const Graph>(std::move(loaded.graph))));
  return {};
}

// A GPU of its own for each worker of a machine, from the one that is asked for on.
Status PlannedRun::take_gpu() {
  if (engine.device.kind != RunDevice::Kind::cuda) return {};
  engine.device.index += worker->gpu();
  PLIM_ASSIGN(const GpuFacts gpu, gpu_facts(engine.device.index));
  if (!request->memory) memory.bytes = gpu.memory;
  return {};
}

Status PlannedRun::open_data(const DataLines& say) {
  PLIM_ASSIGN(const Program forward, network->forward(std::nullopt, format));
  PLIM_ASSIGN(const NetworkInput input, network_input(forward));
  if (request->data.tokenizer && !input.next_token)
    return user_error(fmt::format("{} is for language models, and this network is none", named("tokenizer")));
  if (input.next_token && !request->data.tokenizer) request->data.tokenizer = tokenizer_beside(request->model);
  PLIM_ASSIGN(data, request->data.open(input, setup.seed, say));
  if (data.tokenizer) PLIM_TRY(follow_vocabulary(input));
  if (setup.keeps_best() && !data.validation)
    return user_error(fmt::format("{} and {} need a validation set", named("early_stop"), named("save_best")),
                      fmt::format("for example {} 0.1", named("validation")));
  setup.loader.bad = request->data.bad_samples;
  setup.loader.workers = loaders;
  return {};
}

// A network that is built from its description knows exactly the tokens that there are; one that comes with its weights
// has to know at least those.
Status PlannedRun::follow_vocabulary(const NetworkInput& input) {
  const int64_t tokens = data.tokenizer->size();
  if (!request->monitor) setup.monitor = Monitor::loss;
  if (tokens == input.classes || (weights && tokens < input.classes)) return {};
  if (weights)
    return user_error(fmt::format("the vocabulary has {} tokens, the network knows {}", with_commas(tokens),
                                  with_commas(input.classes)),
                      fmt::format("{} bpe:{} fits it", named("tokenizer"), input.classes));
  request->model.classes = tokens;
  PLIM_ASSIGN(ImportedNetwork again, load_model(request->model));
  network.emplace(make_network(request->model, std::make_shared<const Graph>(std::move(again.graph))));
  return {};
}

// A run that goes on keeps the size that was measured when it began: sums in other pieces have other last digits.
void PlannedRun::choose_bucket(std::optional<Bytes> before) {
  setup.crew.pulse = worker->pulse();
  if (workers() == 1) return;
  setup.crew.communicator = &worker->communicator();
  ExchangeForm& form = setup.crew.exchange;
  form.neighbours = are_neighbours(worker->communicator());
  form.on_device = engine.device.by_torch();
  choose_devices(form);
  form.bucket = before ? *before : bucket_size(measure_link(worker->communicator()), form.wire);
}

// On the devices themselves where every worker can, else in copies on the host.
void PlannedRun::choose_devices(ExchangeForm& form) {
  if (!form.on_device) return;
  const auto nccl = Nccl::open(engine.device);
  const std::string mine = !nccl.ok()                ? nccl.error().line()
                           : form.wire != DType::f32 ? "NCCL is used for f32 alone"
                                                     : "";
  std::string why;
  for (const auto& other : worker->communicator().gather(mine))
    if (why.empty()) why = other;
  form.by_devices = why.empty();
  memory.notes.push_back(form.by_devices ? fmt::format("Gradients are averaged by NCCL {}.", (*nccl)->version())
                                         : fmt::format("Gradients are averaged on the host, over MPI: {}.", why));
}

Result<TrainingPlan> PlannedRun::plan_at(int64_t samples) const {
  PLIM_ASSIGN(Program forward, network->forward(samples, format));
  PLIM_ASSIGN(Program program, make_step(forward, step));
  PLIM_ASSIGN(TrainingPlan plan, plan_training(*backend, std::move(program), engine));
  plan.forward = std::move(forward);
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
  if (!request->batch.automatic()) {
    batch = *request->batch.samples;
  } else {
    PLIM_ASSIGN(batch, largest_batch(std::min(kMostPlacedSamples, data.train->size() / step.micro_batches)));
    batch = std::max<int64_t>(batch, 1);  // does not fit either: refused like any other
  }
  return {};
}

// All take the same: the smallest, where each machine was asked what fits.
Status PlannedRun::check_batch() {
  for (const auto& other : worker->communicator().gather(std::to_string(batch)))
    if (request->batch.automatic()) batch = std::min<int64_t>(batch, std::stoll(other));
  if (data.train->size() < step_samples()) {
    const int64_t parts = step.micro_batches;
    return user_error(
        fmt::format("the training set has {} samples, fewer than {}{} of {}", with_commas(data.train->size()),
                    parts == 1 ? "a batch" : fmt::format("{} micro-batches", with_commas(parts)),
                    workers() == 1 ? "" : fmt::format(" for each of {} workers,", workers()), with_commas(batch)),
        parts == 1 ? fmt::format("choose a smaller {}", named("batch"))
                   : fmt::format("choose a smaller {} or fewer {}", named("batch"), named("micro_batches")));
  }
  setup.loader.batch = batch;
  return {};
}

// Where only direct convolutions stay under the line, they are used.
Status PlannedRun::stay_under_line(TrainingPlan& plan) {
  if (plan.memory.peak() <= line || engine.conv != ConvSetting::automatic) return {};
  const auto fast = predicted_step(plan.step->program, engine);
  engine.conv = ConvSetting::direct;
  PLIM_ASSIGN(TrainingPlan direct, plan_at(batch));
  if (direct.memory.peak() > line) {
    engine.conv = ConvSetting::automatic;
    return {};
  }
  const auto slow = predicted_step(direct.step->program, engine);
  const auto slowdown = fast && slow ? slowdown_of(slow->total, fast->total) : std::nullopt;
  memory.notes.push_back(direct_instead_text(plan.memory.peak(), direct.memory.peak(), slowdown));
  plan = std::move(direct);
  return {};
}

}  // namespace plimsoll
