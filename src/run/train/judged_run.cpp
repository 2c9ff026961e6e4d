#include "run/train/judged_run.h"

#include "run/data/sample_picture.h"
#include "run/train/judged_network.h"
#include "run/train/request_of_run.h"

namespace plimsoll {

Result<JudgedRun> judge_run(const std::string& folder, const DataLines& say) {
  PLIM_ASSIGN(const Checkpoint checkpoint, read_checkpoint(folder));
  PLIM_ASSIGN(TrainRequest request, request_of_run(checkpoint));
  request.batch.samples = checkpoint.config.value("batch", int64_t{kDefaultTrainBatch});
  PLIM_ASSIGN(JudgedNetwork network, open_for_judging(checkpoint, request, say));
  PLIM_ASSIGN(const DataPart part, network.part(""));
  PLIM_ASSIGN(Evaluated evaluated, evaluate_network(*network.inference, *network.judge, part.dataset, network.loader));
  JudgedRun judged{part.name, network.judge->tokens(), std::move(evaluated.evaluation), {}};
  for (const auto& mistake : judged.evaluation.worst) {
    PLIM_ASSIGN(std::string png, sample_picture(part.dataset, mistake.index));
    judged.worst.push_back({part.dataset->describe(mistake.index), std::move(png)});
  }
  return judged;
}

}  // namespace plimsoll
