#include "tell/page/page_questions.h"

#include <algorithm>

#include "base/rows/named.h"
#include "plan/ask/frozen_network.h"
#include "plan/devices/all_devices.h"
#include "plan/devices/this_device.h"
#include "plan/verdict/engine_here.h"
#include "run/ask/ask_here.h"
#include "tell/page/page_choices.h"
#include "tell/page/token_step_reply.h"
#include "tell/report/report_answer.h"
#include "tell/serve/page_documents.h"

namespace plimsoll {
namespace {

constexpr std::string_view kPlanned[] = {"weigh", "fit", "place", "scale"};

// A name as the command line takes it: of the catalog, an alias, or one that is near enough. No path.
Status check_device(const Json& named) {
  if (named.is_array()) {
    for (const auto& one : named) PLIM_TRY(check_device(one));
    return {};
  }
  if (!named.is_string() || named == kThisDevice) return {};  // what is no text the row tells
  const auto& name = named.get_ref<const std::string&>();
  // They would load PyTorch into the process that answers.
  if (is_engine_device(name))
    return user_error(fmt::format("{} is not a device of the catalog", in_quotes(name)),
                      "'this' is the machine that answers; a GPU of it is planned for by its name, e.g. nvidia-t4");
  if (name.find('/') != std::string::npos || name.ends_with(".json"))
    return user_error(fmt::format("{} is not a device of the catalog", in_quotes(name)));
  PLIM_TRY(find_device(name));
  return {};
}

// Beginning with a dash it would be a flag on the command line that the page shows.
Status check_model(const Json& request) {
  const auto model = request.find("model");
  if (model != request.end() && model->is_string() && *model != "" &&
      !model->get_ref<const std::string&>().starts_with('-'))
    return {};
  return user_error("no network is named", "for example \"model\": \"resnet50\"");
}

// The request with the file in the place of the name that the page has for it.
Result<Json> with_source(Json request, const NetworkShelf& shelf) {
  PLIM_TRY(check_model(request));
  if (const auto device = request.find("device"); device != request.end()) PLIM_TRY(check_device(*device));
  PLIM_ASSIGN(request["model"], shelf.source_of(request["model"].get<std::string>()));
  return request;
}

AskContext context_of(NetworkShelf& shelf) {
  AskContext context = context_here();
  context.network = [&](const ModelRequest& model) { return shelf.find(model); };
  context.page = true;
  return context;
}

// What was uploaded: sizes that it leaves open are asked for; one that leaves none must do without them.
Result<Json> answer_network(const Json& request, NetworkShelf& shelf) {
  constexpr size_t kMostSizes = 32;
  PLIM_TRY(check_model(request));
  const std::string name = request["model"];
  PLIM_ASSIGN(const auto network, shelf.find({.source = {name, nullptr}}));
  const auto& open = network->open_sizes();
  if (open.size() > kMostSizes)
    return user_error(fmt::format("the network leaves {} sizes open, expected at most {}", open.size(), kMostSizes),
                      "ask on the command line, with --dim");
  if (open.empty()) PLIM_TRY(network->forward(std::nullopt, {}));
  PLIM_ASSIGN(const std::string source, shelf.source_of(name));
  const bool text = is_language_model({.source = {source, nullptr}});
  return document_json("plimsoll.network/1", DroppedNetwork{name, {open.begin(), open.end()}, text});
}

Result<Json> answer_plan(std::string_view verb, const Json& request, NetworkShelf& shelf) {
  PLIM_ASSIGN(const Json asked, with_source(request, shelf));
  PLIM_ASSIGN(VerbAnswer answer, find_plan_verb(verb)->ask(asked, context_of(shelf)));
  return std::move(answer.document);
}

Result<Json> token_step(const FitRequest& fit) {
  PLIM_ASSIGN(TokenFitOutcome outcome, ask_token_fit(fit, true));
  return document_json(kStepSchema, TokenStepReply{outcome.model, outcome.device, outcome.answer.batch,
                                                   *std::move(outcome.answer.step)});
}

// The step of a fit, operation by operation.
Result<Json> answer_step(const Json& request, NetworkShelf& shelf) {
  PLIM_ASSIGN(const Json asked, with_source(request, shelf));
  const AskContext context = context_of(shelf);
  PLIM_ASSIGN(FitRequest fit, request_of<FitRequest>(asked, "fit", context));
  PLIM_TRY(check(fit));
  fit.brief = true;
  PLIM_ASSIGN(const bool in_tokens, is_token_fit(fit));
  if (in_tokens) return token_step(fit);
  PLIM_ASSIGN(const auto whole, shelf.find(fit.model));
  const auto network = with_frozen(whole, fit.training, fit.step.mode);
  PLIM_ASSIGN(const FitOutcome outcome, ask_fit(fit, *network, context.engine));
  StepReply reply{outcome.view.model, outcome.view.device, outcome.answer.load.batch, {}};
  PLIM_ASSIGN(reply.step, step_operations(outcome.question, reply.batch));
  return document_json(kStepSchema, reply);
}

// Of the request's rows, those that the page may ask; a report's own subject is the network.
Result<Json> answer_report(const Json& request, NetworkShelf& shelf) {
  PLIM_ASSIGN(Json asked, with_source(request, shelf));
  asked["subject"] = asked["model"];
  asked.erase("model");
  ReportRequest report;
  Fields fields = fields_of(report);
  std::erase_if(fields.all(), [](const Field& field) {
    return !field.row.page && field.row.name != "subject" && field.row.name != "device";
  });
  PLIM_TRY(read_fields(fields, asked, "report"));
  PLIM_ASSIGN(const ReportAnswer answer, ask_report(report, {}));
  return document_json("plimsoll.report-file/1", ReportFileReply{answer.page.text()});
}

Result<Json> answer(std::string_view verb, const Json& request, NetworkShelf& shelf) {
  if (verb == "choices") return page_choices();
  if (verb == "network") return answer_network(request, shelf);
  if (verb == "step") return answer_step(request, shelf);
  if (verb == "report") return answer_report(request, shelf);
  if (std::find(std::begin(kPlanned), std::end(kPlanned), verb) != std::end(kPlanned))
    return answer_plan(verb, request, shelf);
  return user_error("the page cannot ask this");
}

}  // namespace

std::vector<std::string_view> all_page_verbs() {
  std::vector<std::string_view> verbs{"choices", "network", "step", "report"};
  verbs.insert(verbs.end(), std::begin(kPlanned), std::end(kPlanned));
  return verbs;
}

Result<Json> answer_page(const Json& asked, NetworkShelf& shelf) {
  const auto verb = asked.find("verb"), request = asked.find("request");
  if (verb == asked.end() || !verb->is_string() || request == asked.end() || !request->is_object())
    return user_error("the question has no verb or no request");
  auto answered = answer(verb->get<std::string>(), *request, shelf);
  if (!answered.ok()) return shelf.without_path(spoken_error(std::move(answered).error(), Door::json));
  const auto model = request->find("model");
  Json document = spoken_document(*std::move(answered), Door::command_line);
  return shelf.without_path(std::move(document), model != request->end() && model->is_string() ? *model : Json(""));
}

}  // namespace plimsoll
