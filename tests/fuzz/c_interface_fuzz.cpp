// The C interface under arbitrary bytes: the first byte says which verb, the rest is the request. Networks are the
// smallest one: the request is the stranger's, and its time should be spent on reading it.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "base/rows/json.h"
#include "plimsoll/plimsoll.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using plimsoll::Json;
  if (size < 1) return 0;
  constexpr const char* kVerbs[] = {"weigh", "fit", "place", "scale", "devices"};
  std::string request(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (Json asked = Json::parse(request, nullptr, false); asked.is_object() && asked.contains("model")) {
    asked["model"] = "logistic";
    request = asked.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  char* answer = nullptr;
  const int code = plimsoll_ask(kVerbs[data[0] % std::size(kVerbs)], request.c_str(), &answer);
  PLIM_CHECK(answer, "a call came back without an answer");
  const Json document = Json::parse(answer, nullptr, false);
  PLIM_CHECK(document.is_object() && document.contains("schema"), "an answer that is no document");
  PLIM_CHECK((code <= PLIMSOLL_NO) == (document["schema"] != "plimsoll.error/1"), "the code and the answer differ");
  PLIM_CHECK(code != PLIMSOLL_BUG, "a bug of ours");
  plimsoll_free(answer);
  return 0;
}
