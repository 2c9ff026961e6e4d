// Gate: who is let in. Every request passes it before any of its body is read.
//
// A page of another site can make a browser send requests here, so the Host must be ours (or a name that was pointed at
// 127.0.0.1 would do), the Origin ours, the cookie there, and a change needs a header that no form can send.
#pragma once

#include "tell/serve/http_server.h"
#include "tell/serve/route.h"
#include "tell/serve/session.h"

namespace plimsoll {

inline constexpr std::string_view kOwnHeader = "x-plimsoll";  // on every POST, with any value

class Gate {
 public:
  // Borrows the session.
  Gate(const Session& session, int port);

  // The route, or the reply that refuses.
  struct Decision {
    const Route* route = nullptr;
    std::optional<HttpReply> refusal;
  };
  Decision decide(const HttpRequest& head) const;

 private:
  std::optional<HttpReply> refuse_place(const HttpRequest& head) const;
  static std::optional<HttpReply> refuse_body(const HttpRequest& head, const Route& route);

  const Session& session_;
  std::string hosts_[2];
};

// {"schema": "plimsoll.error/1", …}: what the command line says, as a reply.
HttpReply refusal(int status, const Error& error);

}  // namespace plimsoll
