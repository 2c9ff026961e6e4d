// plimsoll models: which networks are known by name?
#include <cstdio>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "model/zoo/language_models.h"
#include "plan/weight/weigh.h"
#include "tell/cli/command.h"
#include "tell/report/json.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

struct ModelsFlags {
  bool json = false, csv = false, markdown = false, language = false;
};

std::string rendered(const ModelsFlags& flags, const Table& table, const Json& list) {
  return flags.json       ? json_text({{"schema", "plimsoll.models/1"}, {"models", list}})
         : flags.csv      ? table.csv()
         : flags.markdown ? table.markdown()
                          : table.text();
}

int64_t params_of(const Graph& graph) {
  Count params;
  for (const auto& value : graph.values) {
    if (value.role != Role::parameter) continue;
    Count numbers(1);
    for (const auto& dim : *value.shape) numbers = numbers * dim.size;
    params += numbers;
  }
  return params.value();
}

Result<std::string> language_models(const ModelsFlags& flags) {
  Table table({{"Name", Table::Align::left}, {"Family", Table::Align::left}, {"Params"}, {"", Table::Align::left}});
  Json list = Json::array();
  for (const auto& model : all_language_models()) {
    PLIM_ASSIGN(const Graph graph, build_language_model(model));
    const int64_t params = params_of(graph);
    table.add({std::string(model.name), std::string(model.family), with_commas(params), std::string(model.summary)});
    list.push_back({{"name", model.name}, {"family", model.family}, {"params", params}, {"summary", model.summary}});
  }
  return rendered(flags, table, list);
}

Result<Weight> weight_of(const ZooModel& model) {
  PLIM_ASSIGN(const Graph graph, build_model(model.name, {}));
  PLIM_ASSIGN(const Program program, bind(graph, {}));
  PLIM_ASSIGN(const Optimizer* optimizer, find_optimizer(kDefaultOptimizer));
  return weigh(program, Mode::inference, *optimizer);
}

Result<int> run_models(const ModelsFlags& flags) {
  if (flags.language) {
    PLIM_ASSIGN(const std::string text, language_models(flags));
    std::fwrite(text.data(), 1, text.size(), stdout);
    return int(kExitDone);
  }
  Table table({{"Name", Table::Align::left}, {"Input"}, {"Classes"}, {"Params"}, {"MACs"}, {"", Table::Align::left}});
  Json list = Json::array();
  for (const auto& model : all_models()) {
    PLIM_ASSIGN(const Weight weight, weight_of(model));
    table.add({std::string(model.name), model.input.text(), with_commas(model.classes),
               with_commas(weight.params.value()), human_count(weight.macs.value()), std::string(model.summary)});
    list.push_back({{"name", model.name},
                    {"input", model.input.dims()},
                    {"input_dtype", name_of(model.input_type)},
                    {"classes", model.classes},
                    {"params", weight.params.value()},
                    {"buffers", weight.buffers.value()},
                    {"macs", weight.macs.value()},
                    {"flops", weight.flops.value()},
                    {"summary", model.summary}});
  }
  const std::string text = rendered(flags, table, list);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return int(kExitDone);
}

}  // namespace

Action declare_models(CLI::App& app) {
  const auto flags = std::make_shared<ModelsFlags>();
  app.description("The networks known by name, with parameters and multiply-accumulates of one sample.");
  app.footer("Example:\n  plimsoll models --json\nExit codes: 0 listed, 2 a mistake in the flags.");
  app.add_flag("--language", flags->language, "networks of transformers, by family, instead of the others");
  const auto json = app.add_flag("--json", flags->json, "one JSON document");
  const auto csv = app.add_flag("--csv", flags->csv, "comma-separated values");
  json->excludes(csv, app.add_flag("--markdown", flags->markdown, "a Markdown table")->excludes(csv));
  return [flags] { return run_models(*flags); };
}

}  // namespace plimsoll
