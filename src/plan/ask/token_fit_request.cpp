#include "plan/ask/token_fit_request.h"

#include "base/rows/named.h"
#include "plan/ask/token_attention.h"
#include "plan/verdict/engine_here.h"

namespace plimsoll {

Result<bool> is_token_fit(const FitRequest& request) {
  bool gpu = true;
  std::optional<Framework> framework = request.framework;
  if (request.device && is_engine_device(*request.device)) {
    framework = Framework::plimsoll;  // no name of the catalog: our own engine computes there
  } else if (request.device) {
    PLIM_ASSIGN(const Candidate device, find_candidate(*request.device));
    gpu = device.is_gpu();
  }
  return trains_tokens(request.model, request.step.mode, framework, gpu, request.training);
}

Result<TokenFitOutcome> ask_token_fit(const FitRequest& request, bool with_step) {
  TokenFitOutcome outcome;
  outcome.model = request.model.source.name;
  outcome.load_line = request.load_line;
  TokenQuestion question;
  PLIM_ASSIGN(question.setup, request.training.setup(request.model.dtype, request.step.optimizer,
                                                     request.step.micro_batches, request.run.attention));
  std::vector<std::string> notes;
  PLIM_TRY(take_possible_attention(question.setup, request.model, notes));
  if (request.device) {
    PLIM_ASSIGN(const Candidate device, find_candidate(*request.device));
    question.device = device.part;
    outcome.device = device.whole.name;
    if (device.part.memory) question.memory = *device.part.memory;
    if (!request.training.split.workers && device.count > question.setup.degrees.workers)
      question.setup.degrees.workers = device.count;
    question.wiring = usual_wiring(device, notes, question.setup.degrees.workers);
    question.setup.degrees.per_node = question.wiring.per_node;
    outcome.rental = rental_of(device.whole, device.count, question.setup.degrees.workers);
  }
  if (request.memory) question.memory = *request.memory;
  if (question.memory == Bytes(0))
    return user_error("its memory is not known", fmt::format("say how much there is: {} 16GiB", named("memory")))
        .in(outcome.device);
  PLIM_ASSIGN(question.sequence, sequence_of(request.model));
  TokenModel model = token_model(request.model);
  question.model = &model;
  question.load_line = request.load_line;
  question.batch = request.batch;
  question.alternatives = !request.brief;
  question.says_step = with_step;
  outcome.memory = question.memory;
  outcome.format = choice_name(question.setup.format);
  PLIM_ASSIGN(outcome.answer, token_fit(question));
  outcome.answer.notes.insert(outcome.answer.notes.begin(), notes.begin(), notes.end());
  return outcome;
}

}  // namespace plimsoll
