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

Result<JudgedNetwork> open_for_judging(const Checkpoint& checkpoint, const TrainFlags& flags, bool quiet) {
  JudgedNetwork judged;
  PLIM_ASSIGN(const Backend* backend, flags.read_backend());
  PLIM_ASSIGN(const EngineOptions engine, flags.engine.read());
  PLIM_ASSIGN(const StepOptions options, flags.read_step());
  PLIM_ASSIGN(const uint64_t seed, flags.read_seed());
  PLIM_ASSIGN(const NumberFormat format, flags.network.read_format());
  PLIM_ASSIGN(const int64_t batch, flags.read_batch());
  PLIM_ASSIGN(const Network network, load_network(flags.model, flags.network));
  PLIM_ASSIGN(const Program forward, network.forward(batch, format));
  PLIM_ASSIGN(const NetworkInput input, network_input(forward));
  PLIM_ASSIGN(judged.data, flags.data.open(input, seed, quiet));
  PLIM_ASSIGN(const Program inference, make_step(forward, {}));
  PLIM_ASSIGN(const Program training, make_step(forward, options));
  PLIM_ASSIGN(Judge judge, Judge::make(training, inference, judged.data.train->info().type.classes));
  judged.judge.emplace(std::move(judge));
  PLIM_ASSIGN(judged.inference, make_executor(*backend, inference, engine));
  PLIM_TRY(load_tensors(checkpoint, *judged.inference));
  judged.loader.batch = batch;
  PLIM_ASSIGN(judged.loader.workers, flags.data.read_loaders());
  PLIM_ASSIGN(judged.loader.bad, flags.data.read_bad_samples());
  return judged;
}

}  // namespace plimsoll
