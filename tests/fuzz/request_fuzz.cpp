// The page server's door under arbitrary bytes: a request's first line and headers, as a client sends them, through the
// gate. What it lets in has everything that the gate asks for.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/text.h"
#include "one_line.h"
#include "tell/serve/gate.h"

namespace {

using namespace plimsoll;

std::string_view take_until(std::string_view& text, char end) {
  const size_t at = text.find(end);
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return taken;
}

// COOKIE stands for the right one, which is another each time.
HttpRequest parsed(std::string_view text, const std::string& cookie) {
  HttpRequest request;
  request.method = take_until(text, ' ');
  request.path = take_until(text, '\n');
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    std::string name(take_until(line, ':')), value(line);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    if (value == "COOKIE") value = cookie;
    request.headers.emplace_back(std::move(name), std::move(value));
  }
  return request;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr int kPort = 8080;
  static const auto session = Session::make(kPort);
  static const std::string cookie = session->set_cookie().substr(0, session->set_cookie().find(';'));
  static const Gate gate(*session, kPort);
  const HttpRequest request = parsed({reinterpret_cast<const char*>(data), size}, cookie);
  const auto decision = gate.decide(request);
  PLIM_CHECK(decision.route || decision.refusal, "neither let in nor refused");
  if (decision.refusal) {
    PLIM_CHECK(decision.refusal->status >= 400 && decision.refusal->status < 500, "refused with another status");
    return 0;
  }
  const Route& route = *decision.route;
  PLIM_CHECK(request.method == route.method && request.path == route.path, "another route");
  PLIM_CHECK(!route.needs_cookie() || session->has_cookie(request), "let in without the cookie");
  PLIM_CHECK(route.method == "GET" || request.header(kOwnHeader), "a change that a form could ask for");
  return 0;
}
