#include "run/train/resumed_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/rows/named.h"
#include "base/text.h"
#include "run/train/kept_request.h"

namespace plimsoll {
namespace {

// What all ranks need of it.
Result<Json> read_run(const TrainRequest& request, ResumedRun& run) {
  if (!request.run_dir)
    return user_error(named("resume") + " does not say which run", "name its folder with " + named("run_dir"));
  PLIM_ASSIGN(RunDirectory directory, RunDirectory::reopen(*request.run_dir));
  run.directory.emplace(std::move(directory));
  PLIM_ASSIGN(const Json config, read_config(*request.run_dir));
  PLIM_ASSIGN(run.checkpoint, read_checkpoint(*request.run_dir, CheckpointKind::last));
  run.config = run.checkpoint ? run.checkpoint->config : config;
  if (!run.checkpoint) run.notes.emplace_back("It was stopped before its first checkpoint, so it begins again.");
  PLIM_ASSIGN(const Json kept, kept_in(config));
  return Json{{"request", kept},
              {"workers", config.value("workers", Json(1))},
              {"batch", config.value("batch", Json())},
              {"bucket_bytes", config.value("bucket_bytes", Json())},
              {"state", to_json(run.checkpoint ? run.checkpoint->state : TrainingState())}};
}

Status keep_global_batch(const Json& begun, int workers, TrainRequest& request, bool batch_given, ResumedRun& run) {
  const int64_t before = begun["workers"], batch = begun["batch"], global = before * batch;
  if (global % workers != 0)
    return user_error(
        fmt::format("the run was started with {} workers of batch {}, {} samples a step, which {} workers "
                    "cannot share evenly",
                    before, batch, global, workers),
        fmt::format("give {} {}", named("np"), before));
  const int64_t share = global / workers;
  if (batch_given && request.batch.samples != share)
    return user_error(fmt::format("{} is {}, but {} workers share the run's {} samples a step by {}", named("batch"),
                                  request.batch.samples.value_or(0), workers, global, share),
                      "leave it out, or start another run");
  request.batch.samples = share;
  run.notes.push_back(
      fmt::format("Started with {} workers of batch {}, continuing with {} of {}: the same samples a step, numbers may "
                  "differ in their "
                  "last digits; batch norm sees other groups.",
                  before, batch, workers, share));
  return {};
}

}  // namespace

Result<ResumedRun> resume_run(TrainRequest& request, const std::vector<std::string>& given, Communicator& all) {
  ResumedRun run;
  Status status;
  std::string text;
  if (all.first()) {
    const auto read = read_run(request, run);
    if (read.ok()) text = read->dump(-1, ' ', false, Json::error_handler_t::replace);
    else status = read.error();
  }
  PLIM_TRY(all.together(status));
  Json begun = Json::parse(all.as_first_says(text));
  if (begun["workers"].is_number_integer() && begun["batch"].is_number_integer() && begun["workers"] != all.size()) {
    const bool batch_given = std::find(given.begin(), given.end(), "batch") != given.end();
    PLIM_TRY(keep_global_batch(begun, all.size(), request, batch_given, run));
    begun["request"]["batch"] = *request.batch.samples;
  }
  if (begun["request"].is_object()) PLIM_TRY(take_over(request, given, begun["request"]));
  if (begun["bucket_bytes"].is_number_integer()) run.bucket = Bytes(begun["bucket_bytes"].get<int64_t>());
  PLIM_ASSIGN(run.state, read_training_state(begun["state"]));
  return run;
}

}  // namespace plimsoll
