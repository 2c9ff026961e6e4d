// Session: who may ask. A token of 128 random bits is in the address that `serve` prints, after the '#', which no
// browser sends anywhere. The page trades it for a cookie that scripts cannot read; every question needs the cookie.
#pragma once

#include <string>
#include <string_view>

#include "tell/serve/http_message.h"

namespace plimsoll {

class Session {
 public:
  // The cookie has the port in its name: cookies of 127.0.0.1 are shared by all its ports.
  static Result<Session> make(int port);

  const std::string& token() const { return token_; }
  bool is_token(std::string_view text) const;
  std::string set_cookie() const;  // the header's value
  bool has_cookie(const HttpRequest& request) const;

 private:
  std::string cookie_name_, token_, cookie_;
};

// 128 random bits in hexadecimal.
Result<std::string> random_name();

}  // namespace plimsoll
