#include "plan/llm/token_fit.h"

#include <algorithm>

#include "plan/llm/token_alternatives.h"
#include "plan/verdict/load_line.h"

namespace plimsoll {
namespace {

TokenStep step_of(const TokenQuestion& question, const TokenModel::Made& made, int64_t batch) {
  const Device* device = question.device ? &*question.device : nullptr;
  TokenStep step;
  (void)step_memory(made.form, made.trace, question.setup, batch, device, std::nullopt, &step.moments);
  if (!device) return step;
  if (auto kernels = token_kernels(made.work, question.setup, batch, *device, question.wiring); kernels.ok())
    step.kernels = *std::move(kernels);
  return step;
}

}  // namespace

Result<TokenFitAnswer> token_fit(const TokenQuestion& question) {
  const Device* device = question.device ? &*question.device : nullptr;
  TokenFitAnswer answer;
  answer.setup = question.setup;
  answer.sequence = question.sequence;
  answer.asked = question.batch.has_value();
  answer.line = bytes_under_line(question.memory, question.load_line);
  PLIM_ASSIGN(const TokenModel::Made* made, question.model->at(question.setup, question.sequence));
  PLIM_TRY(check_degrees(made->form, question.setup));
  answer.params = made->form.params();
  answer.trained = made->form.trained();
  PLIM_ASSIGN(answer.largest,
              question.model->largest_batch(question.setup, question.sequence, device, answer.line, kMostTokenSamples));
  answer.batch = question.batch.value_or(std::max<int64_t>(1, answer.largest));
  PLIM_ASSIGN(answer.memory,
              question.model->memory(question.setup, question.sequence, answer.batch, device, answer.line));
  if (question.setup.checkpointing == Checkpointing::none && question.setup.degrees.workers == 1)
    answer.kept = kept_for_backward(made->trace, answer.batch);
  answer.fits = answer.memory.needed() <= answer.line;
  if (!answer.fits) answer.shortfall = answer.memory.needed() - answer.line;
  answer.smallest_memory = smallest_memory(answer.memory.needed(), question.load_line);
  if (device) {
    auto time = token_time(made->work, question.setup, answer.batch, *device, question.wiring);
    if (time.ok()) answer.time = *time;
  }
  if (question.says_step) answer.step = step_of(question, *made, answer.batch);
  if (question.alternatives) answer.alternatives = token_alternatives(question, answer);
  if (question.says_sequence) {
    PLIM_ASSIGN(answer.longest,
                question.model->longest_sequence(question.setup, question.batch.value_or(1), device, answer.line));
  }
  return answer;
}

}  // namespace plimsoll
