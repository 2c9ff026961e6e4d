#include "run/train/export_request.h"

#include <filesystem>

#include "base/rows/named.h"
#include "base/text.h"
#include "base/write_file.h"
#include "run/train/trained_network.h"

namespace plimsoll {
namespace {

// Before a large file is read.
Status check_output(const ExportRequest& request) {
  const std::string& output = request.output;
  if (!output.ends_with(".onnx"))
    return user_error(fmt::format("{} is {}, expected a name that ends in .onnx", named("output"), in_quotes(output)));
  std::error_code error;
  if (std::filesystem::equivalent(request.model.source.name, output, error))
    return user_error(fmt::format("{} is {}, the model itself", named("output"), in_quotes(output)),
                      "give it another name");
  return check_can_replace(output);
}

}  // namespace

void ExportRequest::describe(Fields& fields) {
  model.describe(fields);
  std::erase_if(fields.all(), [](const Field& field) { return field.row.name == "dtype" || field.row.name == "dim"; });
  Row& source = fields.row("model");
  source.help = "a run's folder or checkpoint, a network of the zoo ('plimsoll models'), or the path of an .onnx file";
  source.required = true;
  fields.add(seed, {.name = "seed",
                    .subject = Subject::network,
                    .help = "seed of fresh weights",
                    .value = "N",
                    .least = 0,
                    .most = 0x1p63});
  fields.add(output, {.name = "output",
                      .subject = Subject::output,
                      .help = "the file to write",
                      .value = "FILE.onnx",
                      .aliases = {"o"},
                      .required = true});
  fields.add(no_weights,
             {.name = "no_weights", .subject = Subject::output, .help = "write shapes only, without weights"});
}

Result<ExportOutcome> ask_export(const ExportRequest& request) {
  PLIM_TRY(check_output(request));
  const std::string& model = request.model.source.name;
  PLIM_ASSIGN(const TrainedNetwork network, load_trained(request.model, uint64_t(request.seed)));
  auto exported = export_onnx(network.graph, *network.weights, request.output,
                              {.numbers = !request.no_weights, .metadata = as_metadata(network.notes)});
  if (!exported.ok() && exported.error().kind == ErrorKind::environment) return std::move(exported).error();
  if (!exported.ok()) return std::move(exported).error().in(printable(model, 200));
  return ExportOutcome{model, request.output, *exported, request.no_weights ? "none" : network.origin};
}

}  // namespace plimsoll
