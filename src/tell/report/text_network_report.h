// The report of a network of text, which is planned in tokens: trained on GPUs, or generating. It begins as every other
// does, with the answer; then what takes the memory, what would carry more, and which device to take.
#pragma once

#include "plan/ask/fit_reply.h"
#include "plan/ask/place_reply.h"
#include "tell/report/html.h"
#include "tell/report/report_request.h"

namespace plimsoll {

// nullopt: it is planned in samples, as other networks are, and nothing was added. Else what fit and place answer.
Result<std::optional<Json>> add_text_network(HtmlPage& page, const ReportRequest& request, const ModelRequest& model);

// What fit and place have answered about it.
template <class Text>
Json documents_of(const Text& text) {
  return Json{{"model", text.fit.model},
              {"fit", document_json(kFitSchema, text.fit)},
              {"by_time", document_json(kPlaceSchema, text.all)}};
}

// The two kinds of it.
Result<Json> add_trained_text(HtmlPage& page, const ReportRequest& request, const ModelRequest& model);
Result<Json> add_served_text(HtmlPage& page, const ReportRequest& request, const ModelRequest& model);

}  // namespace plimsoll
