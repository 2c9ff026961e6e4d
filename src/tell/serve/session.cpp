#include "tell/serve/session.h"

#include <fmt/format.h>
#include <sys/random.h>

namespace plimsoll {
namespace {

// Takes as long for a guess that is nearly right as for any other.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

Result<std::string> random_name() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != ssize_t(sizeof bytes))
    return environment_error("the system gives no random numbers");
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

Result<Session> Session::make(int port) {
  Session session;
  session.cookie_name_ = fmt::format("plimsoll-{}", port);
  PLIM_ASSIGN(session.token_, random_name());
  PLIM_ASSIGN(session.cookie_, random_name());
  return session;
}

bool Session::is_token(std::string_view text) const { return same(text, token_); }

std::string Session::set_cookie() const {
  return fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", cookie_name_, cookie_);
}

bool Session::has_cookie(const HttpRequest& request) const {
  const auto header = request.header("cookie");
  if (!header) return false;
  for (std::string_view rest = *header; !rest.empty();) {
    const size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view pair = trimmed(rest.substr(0, end));
    const size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == cookie_name_ &&
        same(pair.substr(equals + 1), cookie_))
      return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

}  // namespace plimsoll
