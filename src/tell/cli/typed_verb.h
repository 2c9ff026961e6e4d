// typed_verb: a verb of the command line whose flags are the rows of its request. It reads what was typed, asks, and
// prints; everything else is below.
#pragma once

#include <functional>
#include <memory>

#include "plan/ask/any_outcome.h"
#include "tell/cli/command.h"
#include "tell/cli/output_flags.h"
#include "tell/cli/reading_limits.h"
#include "tell/cli/request_flags.h"
#include "tell/report/table.h"

namespace plimsoll {

struct VerbText {
  std::string description, footer;
  OutputRows output = {};
  std::optional<UsualLimits> limits = {};  // of a verb whose request may name a file
};

// The first file that a request names, whose reading is limited; empty: there is none.
std::string file_among(const Fields& fields);

// Writes to standard output, with fields named as flags.
void print_text(const std::string& text);
void print_document(Json document);

// Prints what is being done, a line each on standard error; nothing with --quiet.
std::function<void(const std::string& line)> progress_lines(const OutputFlags& output);

// Draws into the file of --plot, where that is given, and says so.
Status write_plot(const OutputFlags& output, const std::function<std::string()>& svg);

// A table in the form that is asked for.
std::string shown(const Table& table, const OutputFlags& output);

// Prints an answer, whoever gave it, as JSON or by `text`; the exit code says yes or no.
template <class... Outcomes, class Text>
int tell_answer(std::string_view schema, const AnyOutcome<Outcomes...>& answer, const OutputFlags& output,
                const Text& text) {
  if (output.json) print_document(answer.document(schema));
  else print_text(std::visit(text, answer.outcome));
  return answer.yes() ? kExitDone : kExitNo;
}

template <class Request>
struct TypedVerb {
  Request request;
  OutputFlags output;
  LimitsRequest limits;
  std::unique_ptr<RequestFlags> flags;

  std::vector<std::string> given() const { return flags->given(); }
};

template <class Request>
Action typed_verb(CLI::App& app, const VerbText& text, Result<int> (*run)(TypedVerb<Request>& verb)) {
  const auto verb = std::make_shared<TypedVerb<Request>>();
  Fields fields = fields_of(verb->request);
  if (text.limits) verb->limits.describe(fields, *text.limits);
  verb->output.describe(fields, text.output);
  describe_verb(app, text.description, text.footer);
  verb->flags = std::make_unique<RequestFlags>(app, std::move(fields));
  return [verb, run, limits = text.limits]() -> Result<int> {
    PLIM_TRY(verb->flags->read());
    PLIM_TRY(verb->output.check());
    if (const std::string file = file_among(verb->flags->fields()); limits && !file.empty())
      begin_limits(verb->limits.with_usual(*limits), file, verb->output.json);
    return run(*verb);
  };
}

}  // namespace plimsoll
