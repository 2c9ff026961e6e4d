// plimsoll models: which networks are known by name?
#include "plan/ask/models_request.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

Table table_of(const ModelsOutcome& outcome) {
  Table table({{"Name", Table::Align::left}, {"Input"}, {"Classes"}, {"Params"}, {"MACs"}, {"", Table::Align::left}});
  for (const auto& [model, weight] : outcome.models)
    table.add({std::string(model->name), model->input.text(), with_commas(model->classes),
               with_commas(weight.params.value()), human_count(weight.macs.value()), std::string(model->summary)});
  return table;
}

Table table_of(const LanguageModelsOutcome& outcome) {
  Table table({{"Name", Table::Align::left}, {"Family", Table::Align::left}, {"Params"}, {"", Table::Align::left}});
  for (const auto& [model, params] : outcome.models)
    table.add({std::string(model->name), std::string(model->family), with_commas(params.value()),
               std::string(model->summary)});
  return table;
}

Result<int> run_models(TypedVerb<ModelsRequest>& verb) {
  if (verb.request.language) {
    PLIM_ASSIGN(const LanguageModelsOutcome outcome, ask_language_models());
    if (verb.output.json) print_document(document_json(kModelsSchema, outcome));
    else print_text(shown(table_of(outcome), verb.output));
    return int(kExitDone);
  }
  PLIM_ASSIGN(const ModelsOutcome outcome, ask_models());
  if (verb.output.json) print_document(document_json(kModelsSchema, outcome));
  else print_text(shown(table_of(outcome), verb.output));
  return int(kExitDone);
}

}  // namespace

Action declare_models(CLI::App& app) {
  return typed_verb<ModelsRequest>(
      app,
      {.description = "The networks known by name, with parameters and multiply-accumulates of one sample.",
       .footer = "Example:\n  plimsoll models --json\nExit codes: 0 listed, 2 a mistake in the flags.",
       .output = {.tables = true, .quiet = false}},
      run_models);
}

}  // namespace plimsoll
