#include "tell/serve/page_trainings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/zoo/all_models.h"
#include "run/sweep/child_words.h"
#include "run/train/run_directory.h"

namespace plimsoll {
namespace {

// What a page may say of a training. No path among it, and nothing that starts programs elsewhere or loads libraries.
constexpr std::string_view kAsked[] = {"model", "data",          "batch", "epochs",   "optimizer",   "lr",
                                       "input", "micro_batches", "seed",  "schedule", "weight_decay"};

Result<TrainRequest> read_request(const Json& asked) {
  TrainRequest request;
  Fields fields = fields_of(request);
  std::erase_if(fields.all(), [](const Field& field) {
    return std::find(std::begin(kAsked), std::end(kAsked), field.row.name) == std::end(kAsked);
  });
  PLIM_TRY(read_fields(fields, asked, "train"));
  return request;
}

Result<TrainingSet> find_set(const std::vector<TrainingSet>& sets, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& set : sets) {
    if (set.name == name) return set;
    names.push_back(set.name);
  }
  return user_error(fmt::format("data is {}, expected one of {}", in_quotes(name), fmt::join(names, ", ")),
                    did_you_mean(name, names));
}

}  // namespace

Status PageTrainings::may_start() {
  if (!sets_) return user_error("this server starts no trainings", "start it with 'plimsoll serve --train'");
  const auto started = process_.state();
  if (started && started->alive)
    return user_error(fmt::format("{} is training, one at a time", in_quotes(started->run)), "stop it first");
  for (const auto& run : runs_.list())
    if (run.pid != 0)
      return user_error(fmt::format("{} is training, one at a time", in_quotes(run.name)), "stop it first");
  return {};
}

Result<std::string> PageTrainings::start(const Json& request) {
  const std::lock_guard lock(mutex_);
  PLIM_TRY(may_start());
  PLIM_ASSIGN(TrainRequest training, read_request(request));
  const ZooModel* model = find_model(training.model.source.name);
  if (!model)
    return user_error(fmt::format("model is {}, expected a network of the zoo", in_quotes(training.model.source.name)));
  training.model.source.name = std::string(model->name);
  PLIM_ASSIGN(const TrainingSet set, find_set(*sets_, training.data.data));
  training.data.data = set.source;
  if (set.classes > 0) training.model.classes = set.classes;
  PLIM_ASSIGN(const std::string folder, make_run_folder(runs_.path(), training.model.source.name));
  training.run_dir = folder;
  const std::string run = folder.substr(folder.rfind('/') + 1);
  PLIM_TRY(process_.start(words_of_training(training), folder, run));
  return run;
}

Result<std::string> PageTrainings::resume(const std::string& id) {
  const std::lock_guard lock(mutex_);
  PLIM_TRY(may_start());
  const auto runs = runs_.list();
  const auto run = std::find_if(runs.begin(), runs.end(), [&](const RunEntry& entry) { return entry.id == id; });
  if (run == runs.end()) return user_error("there is no such run");
  TrainRequest training;
  training.run_dir = runs_.path() + "/" + run->name;
  PLIM_TRY(process_.start(words_of_resuming(training), *training.run_dir, run->name));
  return run->name;
}

}  // namespace plimsoll
