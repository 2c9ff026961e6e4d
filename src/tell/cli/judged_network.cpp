#include "tell/cli/judged_network.h"

#include <fmt/format.h>

#include "base/text.h"
#include "run/data/network_input.h"

namespace plimsoll {

Result<DataPart> JudgedNetwork::part(const std::string& name) const {
  const DataPart parts[] = {{"test", data.test}, {"validation", data.validation}, {"train", data.train}};
  for (const auto& part : parts)
    if (part.dataset && (name.empty() || name == part.name)) return part;
  if (name != "test" && name != "validation" && name != "train")
    return user_error(fmt::format("--part is {}, expected test, validation or train", plimsoll::in_quotes(name)));
  return user_error(fmt::format("the data has no {} part", name));
}

Result<OpenedRun> open_run(const TrainFlags& flags, bool quiet) {
  OpenedRun run;
  PLIM_ASSIGN(run.backend, flags.read_backend());
  PLIM_ASSIGN(run.engine, flags.engine.read());
  PLIM_ASSIGN(run.step, flags.read_step());
  PLIM_ASSIGN(const uint64_t seed, flags.read_seed());
  PLIM_ASSIGN(const NumberFormat format, flags.network.read_format());
  PLIM_ASSIGN(run.loader.batch, flags.read_batch());
  PLIM_ASSIGN(const Network network, load_network(flags.model, flags.network));
  PLIM_ASSIGN(run.forward, network.forward(run.loader.batch, format));
  PLIM_ASSIGN(const NetworkInput input, network_input(run.forward));
  PLIM_ASSIGN(run.data, flags.data.open(input, seed, quiet));
  PLIM_ASSIGN(run.loader.workers, flags.data.read_loaders());
  PLIM_ASSIGN(run.loader.bad, flags.data.read_bad_samples());
  return run;
}

Result<JudgedNetwork> open_for_judging(const Checkpoint& checkpoint, const TrainFlags& flags, bool quiet) {
  PLIM_ASSIGN(OpenedRun run, open_run(flags, quiet));
  PLIM_ASSIGN(const Program inference, make_step(run.forward, {}));
  PLIM_ASSIGN(const Program training, make_step(run.forward, run.step));
  PLIM_ASSIGN(Judge judge, Judge::make(training, inference, run.data.train->info().type.classes));
  PLIM_ASSIGN(auto executor, make_executor(*run.backend, inference, run.engine));
  PLIM_TRY(load_tensors(checkpoint, *executor));
  return JudgedNetwork{std::move(run.data), std::move(judge), std::move(executor), run.loader};
}

}  // namespace plimsoll
