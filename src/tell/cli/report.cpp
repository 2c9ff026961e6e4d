// plimsoll report: one HTML file about a network or about runs, to look at and to send to a colleague.
#include "base/rows/named.h"
#include "base/write_file.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/report_answer.h"

namespace plimsoll {
namespace {

Result<int> run_report(TypedVerb<ReportRequest>& verb) {
  const ReportRequest& request = verb.request;
  if (!request.output.ends_with(".html"))
    return user_error(fmt::format("--output is {}, expected a name that ends in .html", in_quotes(request.output)));
  PLIM_TRY(check_can_replace(request.output));
  PLIM_ASSIGN(ReportAnswer answer, ask_report(request, progress_lines(verb.output)));
  if (verb.output.plot) {
    if (answer.runs.empty()) return user_error("--plot draws the curves of runs, and none is given");
    PLIM_TRY(write_whole_file(*verb.output.plot, plots_svg(epoch_plots(answer.runs))));
  }
  PLIM_TRY(write_whole_file(request.output, spoken(answer.page.text(), Door::command_line)));
  if (verb.output.json) print_document(report_json(request.output, std::move(answer.networks), answer.runs));
  else fmt::print("Report: {}\n", printable(request.output));
  return int(kExitDone);
}

}  // namespace

Action declare_report(CLI::App& app) {
  return typed_verb<ReportRequest>(
      app,
      {.description = "Writes one self-contained HTML file, to look at or to send to a colleague. For a network: "
                      "layers, the memory of a\nstep and the load line, the batch against devices' lines, the "
                      "roofline, what lives where, and the devices ranked\nwith a verdict. For runs: their curves on "
                      "top of each other, and which classes are confused.",
       .footer = "Examples:\n"
                 "  plimsoll report resnet50 --device nvidia-t4 -o resnet50.html\n"
                 "  plimsoll report model.onnx --batch 32 --samples 100000 --epochs 10\n"
                 "  plimsoll report runs/small runs/large -o compared.html\n"
                 "Exit codes: 0 written, 2 a mistake in flags or files, 4 the machine failed.",
       .output = {.plot = "for runs: also draw loss and accuracy, epoch by epoch, into this .svg file",
                  .json = "everything that is in the file, as one JSON document"},
       .limits = UsualLimits::some},
      run_report);
}

}  // namespace plimsoll
