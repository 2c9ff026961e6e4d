// plimsoll models: which networks are known by name?
#include <cstdio>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "plan/weight/weigh.h"
#include "tell/cli/command.h"
#include "tell/report/json.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

struct ModelsFlags {
  bool json = false, csv = false, markdown = false;
};

Result<Weight> weight_of(const ZooModel& model) {
  PLIM_ASSIGN(const Graph graph, build_model(model.name, {}));
  PLIM_ASSIGN(const Program program, bind(graph, {}));
  PLIM_ASSIGN(const Optimizer* optimizer, find_optimizer(kDefaultOptimizer));
  return weigh(program, Mode::inference, *optimizer);
}

Result<int> run_models(const ModelsFlags& flags) {
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
  const std::string text = flags.json       ? json_text({{"schema", "plimsoll.models/1"}, {"models", list}})
                           : flags.csv      ? table.csv()
                           : flags.markdown ? table.markdown()
                                            : table.text();
  std::fwrite(text.data(), 1, text.size(), stdout);
  return int(kExitDone);
}

}  // namespace

Action declare_models(CLI::App& app) {
  const auto flags = std::make_shared<ModelsFlags>();
  app.description("The networks known by name, with parameters and multiply-accumulates of one sample.");
  app.footer("Example:\n  plimsoll models --json\nExit codes: 0 listed, 2 a mistake in the flags.");
  const auto json = app.add_flag("--json", flags->json, "one JSON document");
  const auto csv = app.add_flag("--csv", flags->csv, "comma-separated values");
  json->excludes(csv, app.add_flag("--markdown", flags->markdown, "a Markdown table")->excludes(csv));
  return [flags] { return run_models(*flags); };
}

}  // namespace plimsoll
