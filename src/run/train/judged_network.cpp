#include "run/train/judged_network.h"

#include <fmt/format.h>

#include "base/rows/named.h"
#include "base/text.h"
#include "run/data/network_input.h"
#include "run/exec/this_engine.h"

namespace plimsoll {

Result<DataPart> JudgedNetwork::part(const std::string& name) const {
  const DataPart parts[] = {{"test", data.test}, {"validation", data.validation}, {"train", data.train}};
  for (const auto& part : parts)
    if (part.dataset && (name.empty() || name == part.name)) return part;
  if (name != "test" && name != "validation" && name != "train")
    return user_error(fmt::format("{} is {}, expected test, validation or train", named("part"), in_quotes(name)));
  return user_error(fmt::format("the data has no {} part", name));
}

Result<OpenedRun> open_run(const TrainRequest& request, const DataLines& say) {
  OpenedRun run;
  PLIM_ASSIGN(run.backend, request.chosen_backend());
  run.engine = engine_options(request.threads, request.conv, request.device, request.compute);
  PLIM_ASSIGN(run.step, request.step_options());
  run.loader.batch = request.batch.samples.value_or(kDefaultTrainBatch);
  PLIM_ASSIGN(const Network network, load_network(request.model));
  PLIM_ASSIGN(run.forward, network.forward(run.loader.batch, request.model.format()));
  PLIM_ASSIGN(const NetworkInput input, network_input(run.forward));
  PLIM_ASSIGN(run.data, request.data.open(input, uint64_t(request.seed), say));
  run.loader.workers = request.data.loader_workers();
  run.loader.bad = request.data.bad_samples;
  return run;
}

Result<JudgedNetwork> open_for_judging(const Checkpoint& checkpoint, const TrainRequest& request,
                                       const DataLines& say) {
  PLIM_ASSIGN(OpenedRun run, open_run(request, say));
  PLIM_ASSIGN(const Program inference, make_step(run.forward, {.fuse = run.step.fuse}));
  PLIM_ASSIGN(const Program training, make_step(run.forward, run.step));
  PLIM_ASSIGN(Judge judge, Judge::make(training, inference, run.data.train->info().type.classes));
  PLIM_ASSIGN(auto executor, make_executor(*run.backend, inference, run.engine));
  PLIM_TRY(load_tensors(checkpoint, *executor));
  return JudgedNetwork{std::move(run.data), std::move(judge), std::move(executor), run.loader};
}

}  // namespace plimsoll
