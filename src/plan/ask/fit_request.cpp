#include "plan/ask/fit_request.h"

#include <cmath>

#include "base/rows/named.h"
#include "base/size_text.h"
#include "plan/ask/batch_row.h"
#include "plan/ask/frozen_network.h"
#include "plan/devices/this_device.h"
#include "plan/verdict/fit_here.h"
#include "plan/verdict/visible_memory.h"

namespace plimsoll {
namespace {

constexpr double kMostMegabytes = 1e9;  // a petabyte

// cuda:0 and torch:cpu are devices of the machine that computes.
Status take_engine_device(const FitRequest& request, const EngineHere* engine, FitMemory& memory) {
  if (request.framework.value_or(Framework::plimsoll) != Framework::plimsoll)
    return user_error(fmt::format("{} is {}, where our own engine computes, but {} is {}", named("device"),
                                  *request.device, named("framework"), choice_name(*request.framework)),
                      fmt::format("leave out {}, or name a device of the catalog", named("framework")));
  if (!engine || request.step.mode == Mode::generate)
    return user_error(fmt::format("{} is {}, which is for training and inference where steps are computed",
                                  named("device"), *request.device),
                      "name a device of the catalog");
  PLIM_ASSIGN(EngineHere::OnDevice there, engine->on(*request.device));
  memory.device = std::move(there.candidate);
  memory.engine = std::move(there.engine);
  return {};
}

}  // namespace

Result<FitMemory> memory_of(const FitRequest& request, const EngineHere* engine) {
  if (!request.device && !request.memory)
    return user_error(fmt::format("neither {} nor {} is given, expected one of them", named("device"), named("memory")),
                      fmt::format("for example {0} nvidia-t4, {0} this or {1} 8GiB", named("device"), named("memory")));
  FitMemory memory;
  if (request.device) {
    if (is_engine_device(*request.device)) {
      PLIM_TRY(take_engine_device(request, engine, memory));
    } else {
      PLIM_ASSIGN(memory.device, find_candidate(*request.device));
    }
    if (memory.device->part.memory) memory.bytes = *memory.device->part.memory;
  }
  if (request.memory) memory.bytes = *request.memory;
  if (memory.bytes == Bytes(0))
    return user_error("its memory is not known", fmt::format("say how much there is: {} 16GiB", named("memory")))
        .in(request.device.value_or(""));
  return memory;
}

namespace {

Result<FitQuestion> question_of(const FitRequest& request, const FitMemory& memory, const Network& network) {
  FitQuestion question;
  question.network = &network;
  question.format = request.model.format();
  PLIM_ASSIGN(question.step, request.step.options());
  if (memory.device) question.device = memory.device->part;
  question.framework = memory.engine ? Framework::plimsoll : framework_for(request.framework, question.device);
  question.memory = memory.bytes;
  // A memory that is given is what programs see, whatever the card.
  const Device* const device = question.device && !request.memory ? &*question.device : nullptr;
  question.load_line = load_line_on(device, question.framework, request.load_line);
  question.batch = request.batch;
  question.alternatives = !request.brief && !memory.engine;  // each would be tried on the device
  question.layout = request.run.layout;
  question.compiled = request.run.compile;
  question.attention = request.run.attention.value_or(AttentionKernel::as_it_is);
  question.torch = request.run.torch;
  return question;
}

// Where everything is, for the batch that was shown.
Result<Residence> residence_of(const FitRequest& request, const FitQuestion& question, const FitAnswer& answer,
                               const Disk& disk) {
  if (!question.device)
    return user_error(
        fmt::format("{} needs a {}, whose links and caches it reads", named("residence"), named("device")));
  ResidenceSetup setup;
  const MemoryBreakdown& parts = answer.load.breakdown;
  setup.bytes.parameters = parts[MemoryPart::parameters];
  setup.bytes.gradients = answer.load.gradients;
  setup.bytes.optimizer = parts[MemoryPart::optimizer];
  setup.bytes.activations = parts[MemoryPart::activations];
  setup.bytes.input = parts[MemoryPart::input];
  setup.bytes.results = Bytes(4);
  setup.batch = answer.load.batch;
  const Bytes decoded(parts[MemoryPart::input].value() / std::max<int64_t>(answer.load.batch, 1));
  setup.bytes.files = request.sample_bytes.value_or(decoded) * answer.load.batch;
  setup.device = *question.device;
  setup.disk = disk;
  return residence(setup);
}

Result<Bytes> megabytes(const char* field, const std::optional<double>& number, Edge edge) {
  if (!number)
    return user_error(named(field) + " is missing: the arithmetic form needs the model, a sample and its activations",
                      fmt::format("for example fit {} 100 {} 100 {} 500 {} 8GB", named("model_mb"), named("sample_mb"),
                                  named("activation_mb"), named("memory")));
  const double bytes = *number * 1e6;
  if (edge == Edge::above && bytes < 0.5)
    return user_error(fmt::format("{} is '{}', expected at least 1 byte", named(field), *number));
  return Bytes(std::llround(bytes));
}

Result<ArithmeticLoad> load_of(const FitRequest& request) {
  ArithmeticLoad load;
  PLIM_ASSIGN(load.model, megabytes("model_mb", request.model_mb, Edge::above));
  PLIM_ASSIGN(load.sample, megabytes("sample_mb", request.sample_mb, Edge::included));
  PLIM_ASSIGN(load.activations, megabytes("activation_mb", request.activation_mb, Edge::included));
  if (load.sample + load.activations == Bytes(0))
    return user_error(fmt::format("{} and {} are both 0, so every batch fits; expected one above 0", named("sample_mb"),
                                  named("activation_mb")));
  return load;
}

Result<Bytes> memory_by_arithmetic(const FitRequest& request, const std::optional<Candidate>& device) {
  if (request.memory && device)
    return user_error(fmt::format("{} and {} are both given, expected one of them", named("memory"), named("device")));
  if (request.memory) return *request.memory;
  if (!device)
    return user_error(fmt::format("neither {} nor {} is given, expected one of them", named("memory"), named("device")),
                      fmt::format("for example {} 8GB", named("memory")));
  if (!device->part.memory)
    return user_error("its memory is not known", "use " + named("memory")).in(device->part.name);
  return *device->part.memory;
}

Row megabytes_row(const char* name, const char* help, Edge edge) {
  return {.name = name,
          .subject = Subject::network,
          .help = help,
          .value = "MB",
          .unit = "10^6 bytes",
          .least = 0,
          .most = kMostMegabytes,
          .edge = edge};
}

}  // namespace

void FitRequest::describe(Fields& fields) {
  model.describe(fields);
  fields.add(batch, batch_row("check this batch, in samples per step", "find the largest under the line"));
  step.describe(fields);
  training.describe(fields, true);
  serving.describe(fields);
  fields.add(device, {.name = "device",
                      .subject = Subject::machine,
                      .help = "a device of the catalog ('plimsoll devices'), 'this', the path of a device file, or "
                              "cuda:N or torch:cpu of this machine, whose kernels are tried",
                      .value = "NAME",
                      .page = true});
  fields.add(memory, {.name = "memory",
                      .subject = Subject::machine,
                      .help = "memory of the device, e.g. 8GiB (2^30, also 8G and 8) or 8GB (10^9)",
                      .value = "SIZE",
                      .unit = "bytes"});
  fields.add(framework, framework_row());
  run.describe(fields);
  fields.add(load_line, load_line_row());
  fields.add(threads, threads_row());
  fields.add(conv, conv_row());
  fields.add(residence, {.name = "residence",
                         .subject = Subject::view,
                         .help = "also show what lives where (disk, RAM, caches, device) and what moving it costs"});
  fields.add(disk, disk_row());
  fields.add(sample_bytes, {.name = "sample_bytes",
                            .subject = Subject::loading,
                            .help = "with " + named("residence") + ": size of one sample's file, e.g. 110KB",
                            .value = "SIZE",
                            .unit = "bytes"});
  fields.add(brief, {.name = "brief",
                     .subject = Subject::view,
                     .help = "skip the suggestions (they take the longest)",
                     .page = true});
  fields.add(
      print_passes,
      {.name = "print_passes",
       .subject = Subject::view,
       .help = "print the step's program to stderr after each pass that changed it, with the pass's reason and time"});
  fields.add(model_mb,
             megabytes_row("model_mb", "without MODEL: size of the parameters, in MB (10^6 bytes)", Edge::above));
  fields.add(sample_mb, megabytes_row("sample_mb", "without MODEL: size of one sample as the network reads it, in MB",
                                      Edge::included));
  fields.add(
      activation_mb,
      megabytes_row("activation_mb", "without MODEL: activations and gradients of one sample, in MB", Edge::included));
}

Status check(const FitRequest& request) {
  if (request.by_arithmetic()) {
    if (!request.model.source.empty())
      return user_error(fmt::format("MODEL and {} are both given, expected one of them", named("model_mb")));
    return {};
  }
  if (request.model.source.empty())
    return user_error("no MODEL is given",
                      fmt::format("for example fit resnet50 {} nvidia-t4, or the arithmetic form", named("device")));
  if (!request.device || !is_engine_device(*request.device)) PLIM_TRY(memory_of(request));
  return check_framework(request.framework, request.step.mode);
}

Result<std::string> passes_text(const FitRequest& request, const Network& network) {
  PLIM_ASSIGN(Program forward, network.forward(request.batch, request.model.format()));
  PLIM_ASSIGN(const StepOptions options, request.step.options());
  std::string text;
  PLIM_TRY(make_step(std::move(forward), options, [&](const PassRun& run) { text += print(run); }));
  return text;
}

Result<FitOutcome> ask_fit(const FitRequest& request, const Network& network, const EngineHere* engine) {
  PLIM_ASSIGN(const FitMemory memory, memory_of(request, engine));
  const Disk disk = request.disk ? *request.disk : default_disk();
  FitOutcome outcome;
  PLIM_ASSIGN(outcome.question, question_of(request, memory, network));
  const FitQuestion& question = outcome.question;
  const bool here = engine && request.device == kThisDevice && question.framework == Framework::plimsoll;
  const EngineHere* const asked = memory.engine ? memory.engine.get() : here ? engine : nullptr;
  PLIM_ASSIGN(outcome.answer, asked ? fit_here(question, *asked, request.threads, request.conv) : fit(question));
  if (memory.device)
    outcome.answer.notes.insert(outcome.answer.notes.end(), memory.device->notes.begin(), memory.device->notes.end());
  if (std::string text = frozen_text(request.training, request.step.mode); !text.empty())
    outcome.answer.notes.push_back(std::move(text));
  if (!request.device && !request.framework)
    outcome.answer.notes.push_back(
        fmt::format("This is the memory of our own engine; {} pytorch plans PyTorch's.", named("framework")));
  outcome.view = FitView{request.model.source.name, memory.device ? memory.device->whole.name : "", {}};
  std::optional<DeviceKind> kind;
  if (question.device) kind = question.device->kind;
  outcome.view.past = past_line(outcome.answer.load.peak.expected, question.memory, question.load_line, kind, disk);
  if (!request.brief) outcome.kept = outcome.answer.load.kept;
  if (request.residence) {
    PLIM_ASSIGN(outcome.where, residence_of(request, question, outcome.answer, disk));
  }
  return outcome;
}

Result<ArithmeticOutcome> ask_fit_by_arithmetic(const FitRequest& request) {
  PLIM_ASSIGN(const ArithmeticLoad load, load_of(request));
  std::optional<Candidate> device;
  if (request.device) {
    PLIM_ASSIGN(device, find_candidate(*request.device));
  }
  PLIM_ASSIGN(const Bytes memory, memory_by_arithmetic(request, device));
  ArithmeticOutcome outcome;
  PLIM_ASSIGN(outcome.fit, fit_by_arithmetic(load, memory, request.load_line, request.batch));
  std::optional<DeviceKind> kind;
  if (device) kind = device->part.kind;
  const Disk disk = request.disk ? *request.disk : default_disk();
  outcome.past = past_line(outcome.fit.peak, memory, request.load_line, kind, disk, decimal_bytes);  // as it is asked
  outcome.asked = request.batch.has_value();
  if (device) outcome.device = device->part.name;
  return outcome;
}

}  // namespace plimsoll
