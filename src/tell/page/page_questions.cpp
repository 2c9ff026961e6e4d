#include "tell/page/page_questions.h"

#include <algorithm>

#include "base/rows/named.h"
#include "plan/devices/all_devices.h"
#include "plan/devices/this_device.h"
#include "run/ask/ask_here.h"
#include "tell/page/page_choices.h"
#include "tell/serve/page_documents.h"

namespace plimsoll {
namespace {

constexpr std::string_view kPlanned[] = {"weigh", "fit", "place", "scale"};

Status check_device(const Json& named) {
  if (named.is_array()) {
    for (const auto& one : named) PLIM_TRY(check_device(one));
    return {};
  }
  if (!named.is_string() || named == kThisDevice) return {};  // what is no text the row tells
  std::vector<std::string> names;
  for (const auto& file : all_device_files()) {
    if (named == file.name) return {};
    names.emplace_back(file.name);
  }
  const auto& name = named.get_ref<const std::string&>();
  return user_error(fmt::format("{} is not a device of the catalog", in_quotes(name)), did_you_mean(name, names));
}

// Beginning with a dash it would be a flag on the command line that the page shows.
Status check_model(const Json& request) {
  const auto model = request.find("model");
  if (model != request.end() && model->is_string() && *model != "" &&
      !model->get_ref<const std::string&>().starts_with('-'))
    return {};
  return user_error("no network is named", "for example \"model\": \"resnet50\"");
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
  return document_json("plimsoll.network/1", DroppedNetwork{name, {open.begin(), open.end()}});
}

Result<Json> answer_plan(std::string_view verb, const Json& request, NetworkShelf& shelf) {
  PLIM_TRY(check_model(request));
  if (const auto device = request.find("device"); device != request.end()) PLIM_TRY(check_device(*device));
  AskContext context = context_here();
  context.network = [&](const ModelRequest& model) { return shelf.find(model); };
  context.page = true;
  PLIM_ASSIGN(VerbAnswer answer, find_plan_verb(verb)->ask(request, context));
  return spoken_document(std::move(answer.document), Door::command_line);
}

Result<Json> answer(std::string_view verb, const Json& request, NetworkShelf& shelf) {
  if (verb == "choices") return page_choices();
  if (verb == "network") return answer_network(request, shelf);
  if (std::find(std::begin(kPlanned), std::end(kPlanned), verb) != std::end(kPlanned))
    return answer_plan(verb, request, shelf);
  return user_error("the page cannot ask this");
}

}  // namespace

std::vector<std::string_view> all_page_verbs() {
  std::vector<std::string_view> verbs{"choices", "network"};
  verbs.insert(verbs.end(), std::begin(kPlanned), std::end(kPlanned));
  return verbs;
}

Result<Json> answer_page(const Json& asked, NetworkShelf& shelf) {
  const auto verb = asked.find("verb"), request = asked.find("request");
  if (verb == asked.end() || !verb->is_string() || request == asked.end() || !request->is_object())
    return user_error("the question has no verb or no request");
  auto answered = answer(verb->get<std::string>(), *request, shelf);
  if (!answered.ok()) return shelf.without_path(spoken_error(std::move(answered).error(), Door::json));
  return answered;
}

}  // namespace plimsoll
