// plimsoll export: a network, trained or fresh, as an .onnx file for other programs.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "base/text.h"
#include "base/write_file.h"
#include "model/onnx/export.h"
#include "model/onnx/export_nodes.h"
#include "tell/cli/command.h"
#include "tell/cli/numbers.h"
#include "tell/cli/reading_limits.h"
#include "tell/cli/trained_network.h"
#include "tell/report/json.h"

namespace plimsoll {
namespace {

struct ExportFlags {
  std::string model, output, seed = "1";
  ModelFlags network;
  bool no_weights = false, json = false;
};

Status check_output(const std::string& model, const std::string& output) {
  if (!output.ends_with(".onnx"))
    return user_error(fmt::format("--output is {}, expected a name that ends in .onnx", plimsoll::in_quotes(output)));
  std::error_code error;
  if (std::filesystem::equivalent(model, output, error))
    return user_error(fmt::format("--output is {}, the model itself", plimsoll::in_quotes(output)),
                      "give it another name");
  return check_can_replace(output);
}

std::string said(const ExportFlags& flags, const TrainedNetwork& network, const Exported& exported) {
  std::string text = fmt::format("{}: {}, {} tensors, ONNX opset {}\n", flags.output,
                                 human_bytes(Bytes(exported.bytes)), with_commas(exported.tensors), kExportOpset);
  if (exported.weight_bytes > 0)
    text += fmt::format("{}.data: {} of weights, which belong beside it\n", flags.output,
                        human_bytes(Bytes(exported.weight_bytes)));
  if (flags.no_weights) text += "Shapes alone, without weights.\n";
  else if (network.origin == "fresh") text += fmt::format("The weights are fresh, from seed {}.\n", flags.seed);
  return text;
}

Json document(const ExportFlags& flags, const TrainedNetwork& network, const Exported& exported) {
  Json json = {{"schema", "plimsoll.export/1"}, {"model", flags.model},
               {"file", flags.output},          {"bytes", exported.bytes},
               {"tensors", exported.tensors},   {"weights", flags.no_weights ? "none" : network.origin},
               {"opset", kExportOpset}};
  if (exported.weight_bytes > 0) {
    json["data_file"] = flags.output + ".data";
    json["data_bytes"] = exported.weight_bytes;
  }
  return json;
}

Result<int> run_export(const ExportFlags& flags) {
  PLIM_ASSIGN(const int64_t seed, parse_integer("--seed", flags.seed, 0, std::numeric_limits<int64_t>::max()));
  PLIM_TRY(check_output(flags.model, flags.output));
  PLIM_ASSIGN(const TrainedNetwork network, load_trained(flags.model, flags.network, uint64_t(seed)));
  auto exported = export_onnx(network.graph, *network.weights, flags.output, {.numbers = !flags.no_weights});
  if (!exported.ok() && exported.error().kind == ErrorKind::environment) return std::move(exported).error();
  if (!exported.ok()) return std::move(exported).error().in(printable(flags.model, 200));
  const std::string text =
      flags.json ? json_text(document(flags, network, *exported)) : said(flags, network, *exported);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return int(kExitDone);
}

}  // namespace

Action declare_export(CLI::App& app) {
  const auto flags = std::make_shared<ExportFlags>();
  app.description("Writes a network with its weights as an .onnx file, which other programs open.");
  app.footer(
      "Example:\n  plimsoll export runs/lenet5-1 -o lenet5.onnx\n"
      "Exit codes: 0 written, 2 a mistake in the flags or the model, 4 the file could not be written.");
  app.add_option("model", flags->model, "a run's folder or checkpoint, a zoo name, or an .onnx file")
      ->required()
      ->type_name("MODEL");
  app.add_option("-o,--output", flags->output, "the file to write")->required()->type_name("FILE.onnx");
  app.add_option("--input", flags->network.input, "shape of one sample, e.g. 3x224x224")->type_name("SHAPE");
  app.add_option("--classes", flags->network.classes, "outputs of a zoo network's last layer")->type_name("N");
  app.add_option("--max-nodes", flags->network.max_nodes, "largest number of nodes an .onnx file may have")
      ->type_name("N");
  app.add_option("--seed", flags->seed, "of fresh weights (default 1)")->type_name("N");
  app.add_flag("--no-weights", flags->no_weights, "shapes alone");
  app.add_flag("--json", flags->json, "one JSON document");
  // Weights may be of any size, so writing them has no limit unless one is given.
  return with_reading_limits(
      app, "model", [flags] { return run_export(*flags); }, UsualLimits::none);
}

}  // namespace plimsoll
