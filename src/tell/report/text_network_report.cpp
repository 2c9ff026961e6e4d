#include "tell/report/text_network_report.h"

#include "plan/ask/token_fit_request.h"

namespace plimsoll {

Result<std::optional<Json>> add_text_network(HtmlPage& page, const ReportRequest& request, const ModelRequest& model) {
  if (request.step.mode == Mode::generate) {
    PLIM_ASSIGN(Json served, add_served_text(page, request, model));
    return std::optional(std::move(served));
  }
  const FitRequest fit = request.fit(model);
  PLIM_TRY(check(fit));
  PLIM_ASSIGN(const bool in_tokens, is_token_fit(fit));
  if (!in_tokens) return std::optional<Json>();
  PLIM_ASSIGN(Json trained, add_trained_text(page, request, model));
  return std::optional(std::move(trained));
}

}  // namespace plimsoll
