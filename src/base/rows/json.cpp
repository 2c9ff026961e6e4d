#include "base/rows/json.h"

#include "base/text.h"

namespace plimsoll {

std::string json_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string error_json(const Error& error, int exit_code) {
  return json_text({{"schema", "plimsoll.error/1"},
                    {"exit_code", exit_code},
                    {"what", printable(error.what)},
                    {"where", printable(error.where)},
                    {"hint", printable(error.hint)}});
}

}  // namespace plimsoll
