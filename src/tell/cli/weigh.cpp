// plimsoll weigh: what does it weigh?
#include "tell/cli/weigh.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/optim/all_optimizers.h"
#include "model/optim/presets.h"
#include "tell/cli/command.h"
#include "tell/cli/numbers.h"
#include "tell/cli/reading_limits.h"

namespace plimsoll {
namespace {

Result<Mode> mode_of(const std::string& name) {
  if (name == "train") return Mode::train;
  if (name == "inference") return Mode::inference;
  return user_error(fmt::format("--mode is {}, expected train or inference", plimsoll::in_quotes(name)));
}

struct WeighWay {
  Mode mode;
  const Optimizer* optimizer;
};

Result<WeighWay> weigh_way(const WeighFlags& flags) {
  PLIM_ASSIGN(const Mode mode, mode_of(flags.mode));
  PLIM_ASSIGN(const OptimizerChoice chosen, choose_optimizer(flags.optimizer));
  return WeighWay{mode, chosen.optimizer};
}

// --epochs 10,100 --epoch-time 2.4h,90s: one of each for every network.
Result<std::vector<Training>> trainings_of(const WeighFlags& flags) {
  std::vector<Training> trainings;
  if (flags.epochs.empty() && flags.epoch_time.empty()) return trainings;
  const auto epochs = split(flags.epochs, ','), times = split(flags.epoch_time, ',');
  if (epochs.size() != flags.models.size() || times.size() != flags.models.size() || flags.models.size() < 2)
    return user_error(
        fmt::format("--epochs and --epoch-time need one entry for each of the {} networks, and at least two networks",
                    flags.models.size()),
        "for example weigh A B --epochs 10,100 --epoch-time 2.4h,90s");
  for (size_t i = 0; i < epochs.size(); ++i) {
    Training training;
    PLIM_ASSIGN(training.epochs, parse_integer("--epochs", epochs[i], 1, kLargestBatch));
    PLIM_ASSIGN(training.epoch, parse_time("--epoch-time", times[i]));
    trainings.push_back(training);
  }
  return trainings;
}

std::string rendered(const WeighFlags& flags, const std::vector<Weight>& weights, const WeighView& view,
                     const std::vector<Training>& trainings) {
  if (weights.size() == 1)
    return flags.json       ? weigh_json(weights[0], view)
           : flags.csv      ? weigh_csv(weights[0], view)
           : flags.markdown ? weigh_markdown(weights[0], view)
                            : weigh_text(weights[0], view);
  return flags.json       ? compare_json(weights, view, trainings)
         : flags.csv      ? compare_csv(weights, trainings)
         : flags.markdown ? compare_markdown(weights, trainings)
                          : compare_text(weights, trainings);
}

Result<int> run_weigh(const WeighFlags& flags) {
  PLIM_ASSIGN(const WeighView view, weigh_view(flags));
  PLIM_ASSIGN(const std::vector<Training> trainings, trainings_of(flags));
  std::vector<Weight> weights;
  for (const auto& model : flags.models) {
    PLIM_TRY(weigh_way(flags));  // before a large file is read
    PLIM_ASSIGN(const Network network, load_network(model, flags.model));
    PLIM_ASSIGN(Weight weight, weight_of(flags, network));
    weights.push_back(std::move(weight));
  }
  const std::string text = rendered(flags, weights, view, trainings);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return int(kExitDone);
}

}  // namespace

WeighFlags::WeighFlags() : optimizer(kDefaultOptimizer) {}

Result<WeighView> weigh_view(const WeighFlags& flags) {
  WeighView view;
  view.sort = flags.sort;
  if (!flags.sort.empty() && std::find(sort_keys().begin(), sort_keys().end(), flags.sort) == sort_keys().end())
    return user_error(
        fmt::format("--sort is {}, expected one of {}", plimsoll::in_quotes(flags.sort), fmt::join(sort_keys(), ", ")));
  if (!flags.depth.empty()) {
    PLIM_ASSIGN(const int64_t depth, parse_integer("--depth", flags.depth, 0, 100));
    view.depth = int(depth);
  }
  if (!flags.top.empty()) {
    PLIM_ASSIGN(view.top, parse_integer("--top", flags.top, 1, kLargestBatch));
  }
  if (!flags.units.empty()) {
    PLIM_ASSIGN(view.units, parse_integer("--units", flags.units, 1, kLargestBatch));
  }
  return view;
}

Result<Weight> weight_of(const WeighFlags& flags, const Network& network) {
  PLIM_ASSIGN(const WeighWay way, weigh_way(flags));
  PLIM_ASSIGN(const auto batch, flags.model.read_batch());
  PLIM_ASSIGN(const NumberFormat format, flags.model.read_format());
  PLIM_ASSIGN(const Program program, network.listed(batch, format));
  auto weight = weigh(program, way.mode, *way.optimizer);
  if (!weight.ok()) return std::move(weight).error().in(network.name());
  weight->dtype = flags.model.dtype_shown(network.name());
  if (is_file_name(network.name())) weight->model = network.name();
  return weight;
}

Action declare_weigh(CLI::App& app) {
  const auto flags = std::make_shared<WeighFlags>();
  flags->declare(app);
  return with_reading_limits(app, "MODEL", [flags] { return run_weigh(*flags); });
}

void WeighFlags::declare(CLI::App& app) {
  app.description(
      "What a network weighs: parameters, operations and memory, layer by layer.\n"
      "With several networks: side by side.");
  app.footer(
      "Examples:\n"
      "  plimsoll weigh resnet50 --batch 32 --sort macs --top 10\n"
      "  plimsoll weigh googlenet --depth 1\n"
      "  plimsoll weigh resnet50 densenet121 --epochs 90,90 --epoch-time 2h,3h\n"
      "  plimsoll weigh model.onnx --json\n"
      "Exit codes: 0 weighed, 2 a mistake in the flags or the file, 4 the machine failed.");
  app.add_option("MODEL", models, "a network of the zoo ('plimsoll models') or the path of an .onnx file")->required();
  model.declare(app);
  app.add_option("--mode", mode, "train or inference")->capture_default_str();
  app.add_option("--optimizer", optimizer, optimizer_names())->capture_default_str();
  app.add_option("--sort", sort, "largest first: params, macs, flops, activations, naive, moved, intensity")
      ->type_name("BY");
  app.add_option("--depth", depth, "one row for all layers that share so many parts of their name")->type_name("N");
  app.add_option("--top", top, "only the first rows")->type_name("N");
  app.add_option("--units", units, "adds the rounds that so many equal units need for a layer's outputs")
      ->type_name("N");
  app.add_option("--epochs", epochs, "with several networks: epochs of each, e.g. 10,100")->type_name("LIST");
  app.add_option("--epoch-time", epoch_time, "with --epochs: time per epoch of each, e.g. 2.4h,90s")->type_name("LIST");
  const auto as_json = app.add_flag("--json", json, "one JSON document");
  const auto as_csv = app.add_flag("--csv", csv, "comma-separated values");
  const auto as_markdown = app.add_flag("--markdown", markdown, "a Markdown table");
  as_json->excludes(as_csv, as_markdown);
  as_csv->excludes(as_markdown);
  app.add_flag("--quiet", quiet, "no messages besides the answer");
}

}  // namespace plimsoll
