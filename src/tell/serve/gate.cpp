#include "tell/serve/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/rows/json.h"
#include "base/text.h"

namespace plimsoll {
namespace {

constexpr int kExitCodeOfMistakes = 2;

std::optional<HttpReply> refused(int status, std::string what, std::string hint = {}) {
  return refusal(status, user_error(std::move(what), std::move(hint)));
}

std::optional<int64_t> number(std::string_view text) {
  int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text[0] == '-' || read.ec != std::errc() || read.ptr != text.data() + text.size())
    return std::nullopt;
  return value;
}

}  // namespace

HttpReply refusal(int status, const Error& error) {
  HttpReply reply;
  reply.status = status;
  reply.body = error_json(error, kExitCodeOfMistakes);
  return reply;
}

Gate::Gate(const Session& session, int port)
    : session_(session), hosts_{fmt::format("127.0.0.1:{}", port), fmt::format("localhost:{}", port)} {}

// It came to us, and from us.
std::optional<HttpReply> Gate::refuse_place(const HttpRequest& head) const {
  const auto host = head.header("host");
  if (!host || std::find(std::begin(hosts_), std::end(hosts_), *host) == std::end(hosts_))
    return refused(403, "Host is not this machine's own address", "open the address that plimsoll serve printed");
  const auto origin = head.header("origin");
  if (head.repeats("origin") || (origin && *origin != fmt::format("http://{}", *host)))
    return refused(403, "the request comes from another site");
  const auto site = head.header("sec-fetch-site");
  // A link in a mail or on another page may lead here, but nothing else may use us from there, nor show us in a frame.
  const bool opened =
      head.header("sec-fetch-mode") == "navigate" && head.header("sec-fetch-dest") == "document" && head.path == "/";
  if (site && *site != "same-origin" && *site != "none" && !opened)
    return refused(403, "the request comes from another site");
  return std::nullopt;
}

std::optional<HttpReply> Gate::refuse_body(const HttpRequest& head, const Route& route) {
  if (head.header("transfer-encoding") || head.repeats("transfer-encoding"))
    return refused(411, "the length of the body is not said", "send Content-Length");
  if (head.repeats("content-length")) return refused(400, "Content-Length is said twice");
  const auto said = head.header("content-length");
  const auto length = said ? number(*said) : std::optional<int64_t>(0);
  if (!length) return refused(400, "Content-Length is not a number");
  if (*length > route.longest_body)
    return refused(413, fmt::format("the body has {} bytes, expected at most {}", *length, route.longest_body));
  if (route.method == "GET") return std::nullopt;
  if (!said) return refused(411, "the length of the body is not said", "send Content-Length");
  const auto type = head.header("content-type");
  if (!type || *type != route.takes)
    return refused(415, fmt::format("Content-Type is {}, expected {}", in_quotes(type.value_or("")), route.takes));
  if (!head.header("origin")) return refused(403, "the request does not say where it comes from", "send Origin");
  if (!head.header(kOwnHeader)) return refused(403, "the request is not from the page", "send X-Plimsoll");
  return std::nullopt;
}

Gate::Decision Gate::decide(const HttpRequest& head) const {
  if (auto refusal = refuse_place(head)) return {nullptr, std::move(refusal)};
  const Route* found = nullptr;
  std::string_view other_method;
  for (const auto& route : all_routes()) {
    if (route.path != head.path) continue;
    if (route.method == head.method) found = &route;
    else other_method = route.method;
  }
  if (!found && !other_method.empty()) {
    auto reply = refused(405, fmt::format("this address takes {}", other_method));
    reply->headers.emplace_back("Allow", other_method);
    return {nullptr, std::move(reply)};
  }
  if (!found) return {nullptr, refused(404, "there is nothing here")};
  if (found->needs_cookie() && !session_.has_cookie(head))
    return {nullptr,
            refused(401, "the token is missing or out of date", "open the address that plimsoll serve printed")};
  return {found, refuse_body(head, *found)};
}

}  // namespace plimsoll
