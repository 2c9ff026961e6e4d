#include "plan/ask/c_answer.h"

#include <cstdlib>
#include <cstring>

#include "base/rows/named.h"
#include "base/strict_json.h"

namespace plimsoll {
namespace {

// With malloc, so that a caller in any language can free it through plimsoll_free. Null where there is no memory.
char* copy_of(const std::string& text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

}  // namespace

int c_refuse(const Error& error, int code, char** answer) {
  if (answer) *answer = copy_of(error_json(spoken_error(error, Door::json), code));
  return code;
}

int c_refuse(const Error& error, char** answer) {
  return c_refuse(error, error.kind == ErrorKind::environment ? PLIMSOLL_ENVIRONMENT : PLIMSOLL_MISTAKE, answer);
}

int c_answer(const char* verb, const char* request, const AskContext& context, char** answer) {
  if (!verb || !request || !answer) return c_refuse(user_error("verb, request or answer is null"), answer);
  const auto json = parse_strict_json(request);
  if (!json.ok()) return c_refuse(Error(json.error()).in("request"), answer);
  const auto answered = ask(verb, *json, context);
  if (!answered.ok()) return c_refuse(answered.error(), answer);
  *answer = copy_of(json_text(answered->document));
  if (!*answer) return PLIMSOLL_ENVIRONMENT;
  return answered->yes ? PLIMSOLL_YES : PLIMSOLL_NO;
}

}  // namespace plimsoll
