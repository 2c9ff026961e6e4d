// Verb: a question that planning answers, as JSON in and JSON out, with the schemas of both. The C interface, the page
// and the schemas walk over all_plan_verbs(); a new one is a file here and a line in all_plan_verbs.cpp.
#pragma once

#include <functional>
#include <span>

#include "base/rows/fields.h"
#include "plan/ask/network_loader.h"
#include "plan/verdict/engine_here.h"

namespace plimsoll {

// What whoever asks has at hand.
struct AskContext {
  const EngineHere* engine = nullptr;           // our engine on this machine; nullptr: without kernels
  NetworkLoader network = load_shared_network;  // valid as long as the answer is made
  const ModelSource* loaded = nullptr;          // read from memory before: what a request is about that names no model
  bool page = false;                            // only what the page may ask
  // Gets the text of what passes do to a step, where a request asks for it; not there: it is not made.
  std::function<void(const std::string& text)> passes;
};

struct VerbAnswer {
  Json document;
  bool yes = true;  // it fits, it can be placed, the aim is met
};

struct PlanVerb {
  std::string_view name;    // "fit"
  std::string_view schema;  // "plimsoll.fit/1"
  std::vector<Field> (*rows)();
  std::vector<Json> (*forms)(std::map<std::string, Json>& definitions);  // of the answer
  Result<VerbAnswer> (*ask)(const Json& request, const AskContext& context);
};

std::span<const PlanVerb> all_plan_verbs();
const PlanVerb* find_plan_verb(std::string_view name);

// One door for all: reads the request, answers, and writes names of fields as JSON has them.
Result<VerbAnswer> ask(std::string_view verb, const Json& request, const AskContext& context = {});

// The rows of a request that nobody has filled.
template <class Request>
std::vector<Field> rows_of() {
  static Request unasked;
  return fields_of(unasked).all();
}

// What was read from memory is what a request is about that names no model.
template <class Request>
void take_loaded(Request& request, const ModelSource& loaded) {
  if constexpr (requires { request.model.source; }) {
    if (request.model.source.empty()) request.model.source = loaded;
  } else if constexpr (requires { request.models; }) {
    if (request.models.empty()) request.models.push_back(loaded);
  }
}

// A request from JSON: unknown and wrong fields are errors. From the page only what it may ask.
template <class Request>
Result<Request> request_of(const Json& json, std::string_view verb, const AskContext& context) {
  Request request;
  Fields fields = fields_of(request);
  if (context.page) std::erase_if(fields.all(), [](const Field& field) { return !field.row.page; });
  PLIM_TRY(read_fields(fields, json, verb));
  if (context.loaded) take_loaded(request, *context.loaded);
  return request;
}

}  // namespace plimsoll
