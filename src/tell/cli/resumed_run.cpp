#include "tell/cli/resumed_run.h"

#include <fmt/format.h>

#include "base/text.h"

namespace plimsoll {
namespace {

// What all ranks need of it.
Result<Json> read_run(const TrainFlags& flags, ResumedRun& run) {
  if (flags.run_dir.empty()) return user_error("--resume does not say which run", "name its folder with --run-dir");
  PLIM_ASSIGN(RunDirectory directory, RunDirectory::reopen(flags.run_dir));
  run.directory.emplace(std::move(directory));
  PLIM_ASSIGN(const Json config, read_config(flags.run_dir));
  PLIM_ASSIGN(run.checkpoint, read_checkpoint(flags.run_dir, CheckpointKind::last));
  run.config = run.checkpoint ? run.checkpoint->config : config;
  if (!run.checkpoint) run.notes.emplace_back("It was stopped before its first checkpoint, so it begins again.");
  return Json{{"flags", config.value("flags", Json())},
              {"workers", config.value("workers", Json(1))},
              {"batch", config.value("batch", Json())},
              {"bucket_bytes", config.value("bucket_bytes", Json())},
              {"state", to_json(run.checkpoint ? run.checkpoint->state : TrainingState())}};
}

Status keep_global_batch(const Json& begun, int workers, TrainFlags& flags, ResumedRun& run) {
  const int64_t before = begun["workers"], batch = begun["batch"], global = before * batch;
  if (global % workers != 0)
    return user_error(fmt::format("the run was begun with {} workers of batch {}, {} samples a step, which {} workers "
                                  "cannot share evenly",
                                  before, batch, global, workers),
                      fmt::format("give --np {}", before));
  const std::string share = std::to_string(global / workers);
  if (!flags.network.batch.empty() && flags.network.batch != share)
    return user_error(fmt::format("--batch is {}, but {} workers share the run's {} samples a step by {}",
                                  flags.network.batch, workers, global, share),
                      "leave it out, or begin another run");
  flags.network.batch = share;
  run.notes.push_back(fmt::format(
      "Begun with {} workers of batch {}, going on with {} of {}: the same samples a step, numbers may differ in their "
      "last digits; batch norm sees other groups.",
      before, batch, workers, share));
  return {};
}

}  // namespace

Result<ResumedRun> resume_run(TrainFlags& flags, Communicator& all) {
  ResumedRun run;
  Status status;
  std::string text;
  if (all.first()) {
    const auto read = read_run(flags, run);
    if (read.ok()) text = read->dump(-1, ' ', false, Json::error_handler_t::replace);
    else status = read.error();
  }
  PLIM_TRY(all.together(status));
  Json begun = Json::parse(all.as_first_says(text));
  if (begun["workers"].is_number_integer() && begun["batch"].is_number_integer() && begun["workers"] != all.size()) {
    PLIM_TRY(keep_global_batch(begun, all.size(), flags, run));
    begun["flags"]["--batch"] = flags.network.batch;
  }
  if (begun["flags"].is_object()) PLIM_TRY(flags.take_over(begun["flags"]));
  if (begun["bucket_bytes"].is_number_integer()) run.bucket = Bytes(begun["bucket_bytes"].get<int64_t>());
  PLIM_ASSIGN(run.state, read_training_state(begun["state"]));
  return run;
}

}  // namespace plimsoll
