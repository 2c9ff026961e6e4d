#include "tell/cli/page_choices.h"

#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "plan/devices/all_devices.h"
#include "plan/devices/this_device.h"
#include "tell/cli/page_questions.h"

namespace plimsoll {
namespace {

Json models() {
  Json list = Json::array();
  for (const auto& model : all_models())
    list.push_back({{"name", model.name}, {"summary", model.summary}, {"input", model.input.text()}});
  return list;
}

// Memory is that of the part that computes: of each GPU of a node.
Result<Json> devices() {
  Json list = Json::array();
  const auto add = [&list](const std::string& name, const Device& device) -> Status {
    PLIM_ASSIGN(const ComputePart part, compute_part(device));
    Json json{{"name", name}, {"title", device.title}, {"kind", name_of(device.kind)}, {"count", part.count}};
    const auto memory = part.device.kind == DeviceKind::gpu || !device.memory ? part.device.memory : device.memory;
    if (memory) json["memory_bytes"] = memory->value();
    list.push_back(std::move(json));
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
  Json json{{"schema", "plimsoll.choices/1"}, {"models", models()}};
  PLIM_ASSIGN(json["devices"], devices());
  json["formats"] = {"f32", "tf32", "bf16", "f16", "amp", "f64", "int8"};
  json["optimizers"] = Json::array();
  for (const auto* optimizer : all_optimizers()) json["optimizers"].push_back(optimizer->name);
  json["default_optimizer"] = kDefaultOptimizer;
  json["frameworks"] = {"plimsoll", "pytorch", "tensorflow"};
  json["verbs"] = Json::array();
  for (const auto& question : all_page_questions()) json["verbs"].push_back(question.verb);
  return json;
}

}  // namespace plimsoll
