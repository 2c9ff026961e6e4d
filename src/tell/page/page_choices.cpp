#include "tell/page/page_choices.h"

#include <fmt/format.h>

#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "model/zoo/language_models.h"
#include "plan/ask/machine_request.h"
#include "plan/devices/all_devices.h"
#include "plan/devices/this_device.h"
#include "plan/llm/token_optimizer.h"
#include "plan/serving/weight_format.h"
#include "plan/time/link.h"
#include "plan/verdict/network.h"
#include "tell/page/page_questions.h"
#include "tell/serve/page_documents.h"

namespace plimsoll {
namespace {

std::vector<ChosenModel> models() {
  std::vector<ChosenModel> list;
  for (const auto& model : all_models())
    list.push_back({std::string(model.name), std::string(model.summary), model.input.text()});
  return list;
}

std::vector<ChosenLanguageModel> language_models() {
  std::vector<ChosenLanguageModel> list;
  for (const auto& model : all_language_models())
    list.push_back({std::string(model.name), std::string(model.family), std::string(model.summary)});
  return list;
}

std::vector<std::string> sources_of(const Device& device) {
  std::vector<std::string> list;
  for (const auto& source : device.sources)
    list.push_back(source.date.empty() ? source.title : fmt::format("{}, {}", source.title, source.date));
  return list;
}

// Memory is that of the part that computes: of each GPU of a node.
Result<std::vector<ChosenDevice>> devices() {
  std::vector<ChosenDevice> list;
  const auto add = [&list](const std::string& name, const Device& device) -> Status {
    PLIM_ASSIGN(const ComputePart part, compute_part(device));
    const auto memory = part.device.kind == DeviceKind::gpu || !device.memory ? part.device.memory : device.memory;
    list.push_back({name, device.title, std::string(name_of(device.kind)), part.count, memory, sources_of(device)});
    return {};
  };
  PLIM_ASSIGN(const auto all, all_devices());
  for (const auto& device : all) PLIM_TRY(add(device.name, device));
  // A machine that says too little of itself is left out, as a probe that cannot be read is.
  if (const auto here = load_this_device(); here.ok()) PLIM_TRY(add(std::string(kThisDevice), here->device));
  return list;
}

}  // namespace

Result<Json> page_choices() {
  PageChoices choices;
  choices.version = PLIM_VERSION;
  choices.models = models();
  choices.language_models = language_models();
  PLIM_ASSIGN(choices.devices, devices());
  choices.formats = number_format_names();
  for (const auto* optimizer : all_optimizers()) choices.optimizers.emplace_back(optimizer->name);
  choices.default_optimizer = kDefaultOptimizer;
  for (const auto& optimizer : all_token_optimizers()) choices.token_optimizers.emplace_back(optimizer.name);
  for (const auto& format : all_weight_formats()) choices.weights.emplace_back(format.name);
  for (const auto& format : all_kv_formats()) choices.kv.emplace_back(format.name);
  choices.frameworks = choice_names<Framework>();
  for (const auto& link : all_links()) choices.links.push_back(link.name);
  for (const auto verb : all_page_verbs()) choices.verbs.emplace_back(verb);
  return document_json("plimsoll.choices/1", choices);
}

}  // namespace plimsoll
