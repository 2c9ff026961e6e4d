// JSON Schema documents (2020-12) from rows: of a request, and of an answer with all its forms.
#pragma once

#include "base/rows/fields.h"
#include "base/rows/reply.h"

namespace plimsoll {

// "plimsoll.fit.request/1" with a property for each row.
Json request_schema(std::string_view verb, const std::vector<Field>& rows);

// "plimsoll.fit/1": one of these forms.
Json answer_schema(std::string_view id, std::vector<Json> forms, const detail::Definitions& definitions);

// The same from types: answer_schema<TrainReply, RefusalReply>("plimsoll.train/1").
template <class... Forms>
Json answer_schema(std::string_view id) {
  detail::Definitions definitions;
  std::vector<Json> forms{document_schema<Forms>(id, definitions)...};
  return answer_schema(id, std::move(forms), definitions);
}

}  // namespace plimsoll
