// Every hostile request on every route of the page's server. After all of them it still answers.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>

#include "tell/serve/route.h"
#include "tests/harness/served_page.h"

namespace plimsoll {
namespace {

// A request in parts, right in every one until a test makes one wrong.
struct WebRequest {
  std::string method, target, host, origin, cookie, type, body;
  std::vector<std::string> more;  // header lines

  std::string bytes() const {
    std::string text = fmt::format("{} {} HTTP/1.1\r\n", method, target);
    if (!host.empty()) text += fmt::format("Host: {}\r\n", host);
    if (!origin.empty()) text += fmt::format("Origin: {}\r\n", origin);
    if (!cookie.empty()) text += fmt::format("Cookie: {}\r\n", cookie);
    if (!type.empty()) text += fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n", type, body.size());
    for (const auto& line : more) text += line + "\r\n";
    return text + "\r\n" + body;
  }
};

class AllRoutes : public testing::Test {
 protected:
  static void SetUpTestSuite() { page_ = new ServedPage({"--train"}); }  // with every route open
  static void TearDownTestSuite() {
    EXPECT_EQ(page_->stop(), 0);
    delete page_;
  }

  static WebRequest good(const Route& route) {
    WebRequest request{
        std::string(route.method), std::string(route.path), page_->host(), {}, page_->cookie(), {}, {}, {}};
    if (route.method != "POST") return request;
    request.origin = "http://" + page_->host();
    request.type = std::string(route.takes);
    request.body = route.kind == RouteKind::upload ? "no network" : "{}";
    request.more = {"X-Plimsoll: 1"};
    return request;
  }

  static void expect_safe(const RawReply& reply, const std::string& what) {
    EXPECT_TRUE(reply.has("content-security-policy: default-src 'none'")) << what;
    EXPECT_TRUE(reply.has("frame-ancestors 'none'")) << what;
    EXPECT_FALSE(reply.has("unsafe-")) << what;
    EXPECT_TRUE(reply.has("x-frame-options: deny")) << what;
    EXPECT_TRUE(reply.has("x-content-type-options: nosniff")) << what;
    EXPECT_TRUE(reply.has("referrer-policy: no-referrer")) << what;
    EXPECT_FALSE(reply.has("access-control-allow")) << what;
  }

  // Each route, made wrong in one way, is refused in our own words.
  static void every_route(int status, const std::function<bool(WebRequest&, const Route&)>& spoil) {
    for (const auto& route : all_routes()) {
      WebRequest request = good(route);
      if (!spoil(request, route)) continue;
      const std::string what = fmt::format("{} {} ({})", request.method, request.target, route.path);
      const RawReply reply = page_->talk(request.bytes());
      EXPECT_EQ(reply.status, status) << what;
      EXPECT_NE(reply.body.find("plimsoll.error/1"), std::string::npos) << what << reply.body;
      EXPECT_FALSE(reply.has("set-cookie")) << what;
      expect_safe(reply, what);
    }
    EXPECT_EQ(page_->get("/").status, 200);
  }

  // … or by the end of the connection, or in libmicrohttpd's words. Those cannot be given our headers
  // (docs/decisions/http_is_libmicrohttpd.md), so they must do without: nothing of the request is in them, nothing of
  // ours, and the connection ends.
  static void every_route_refuses(const std::function<std::string(const Route&)>& bytes) {
    for (const auto& route : all_routes()) {
      const std::string sent = bytes(route);
      const RawReply reply = page_->talk(sent, true);
      EXPECT_TRUE(reply.status == 0 || (reply.status >= 400 && reply.status < 600)) << route.path << reply.status;
      if (reply.status == 0 || reply.body.find("plimsoll.error/1") != std::string::npos) continue;
      const std::string what = fmt::format("{}\n{}", reply.head, reply.body);
      EXPECT_FALSE(reply.has("set-cookie") || reply.has("access-control-allow") || reply.has("location:")) << what;
      EXPECT_TRUE(reply.has("connection: close")) << what;
      EXPECT_LT(reply.body.size(), 1000u) << what;
      for (const std::string& part : {std::string(route.path.substr(1)), page_->cookie(), page_->host()})
        EXPECT_TRUE(part.size() < 4 || what.find(part) == std::string::npos) << what;
    }
    EXPECT_EQ(page_->get("/").status, 200);
  }

  static ServedPage* page_;
};

ServedPage* AllRoutes::page_ = nullptr;

TEST_F(AllRoutes, AnswerThePageItself) {
  for (const auto& route : all_routes()) {
    if (route.kind == RouteKind::run_feed) continue;  // which does not end: the next test has it
    const RawReply reply = page_->talk(good(route).bytes());
    const bool understood = reply.status == 200 || reply.status == 422 || reply.status == 401;
    EXPECT_TRUE(understood) << route.path << " " << reply.status << reply.body;
    EXPECT_EQ(reply.status == 401, route.kind == RouteKind::session) << route.path;  // {} has no token
    expect_safe(reply, std::string(route.path));
  }
}

TEST_F(AllRoutes, AFeedIsAsSafeAsTheRest) {
  for (const auto& route : all_routes()) {
    if (route.kind != RouteKind::run_feed) continue;
    const int socket = page_->connect();
    EXPECT_TRUE(send_all(socket, good(route).bytes()));
    RawReply reply;
    for (char letter = 0; !reply.head.ends_with("\r\n\r\n") && read(socket, &letter, 1) == 1;)
      reply.head += char(std::tolower(static_cast<unsigned char>(letter)));
    close(socket);
    EXPECT_TRUE(reply.has("200 ok") && reply.has("text/event-stream")) << reply.head;
    expect_safe(reply, std::string(route.path));
  }
}

TEST_F(AllRoutes, RefuseAForeignHost) {
  for (const std::string host : {"evil.example", "127.0.0.1", "127.0.0.1.evil.example", "127.0.0.1:1", "192.168.0.1",
                                 "[::1]", "0.0.0.0", "localhost.", "127.0.0.1:0", "LOCALHOST@evil.example"})
    every_route(403, [&](WebRequest& request, const Route&) {
      request.host = host;
      return true;
    });
  every_route(403, [&](WebRequest& request, const Route&) {  // two of them
    request.more.emplace_back("Host: evil.example");
    return true;
  });
  every_route_refuses([](const Route& route) {
    WebRequest request = good(route);
    request.host = "";
    return request.bytes();
  });
}

TEST_F(AllRoutes, RefuseAForeignOrigin) {
  for (const std::string origin : {"http://evil.example", "null", "https://127.0.0.1", "http://localhost:1"})
    every_route(403, [&](WebRequest& request, const Route&) {
      request.origin = origin;
      return true;
    });
  for (const std::string site : {"cross-site", "same-site"})
    every_route(403, [&](WebRequest& request, const Route&) {
      request.more.push_back("Sec-Fetch-Site: " + site);
      return true;
    });
  every_route(403, [&](WebRequest& request, const Route&) {
    request.more.emplace_back("Origin: http://evil.example");
    return true;
  });
}

// Behind a link of another site the page opens; in a frame there, or as part of a page there, nothing does.
TEST_F(AllRoutes, RefuseToBeFramed) {
  for (const std::string place : {"iframe", "frame", "embed", "object", "empty", "script", ""})
    every_route(403, [&](WebRequest& request, const Route&) {
      request.more.emplace_back("Sec-Fetch-Site: cross-site");
      request.more.emplace_back("Sec-Fetch-Mode: navigate");
      if (!place.empty()) request.more.push_back("Sec-Fetch-Dest: " + place);
      return true;
    });
  WebRequest link = good(all_routes()[0]);
  for (const char* line : {"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"})
    link.more.emplace_back(line);
  EXPECT_EQ(page_->talk(link.bytes()).status, 200);
}

TEST_F(AllRoutes, RefuseAMissingOrOldToken) {
  const std::string name = page_->cookie().substr(0, page_->cookie().find('='));
  const std::string old = name + "=" + std::string(32, '0');
  for (const std::string& cookie : {std::string(), old, name, name + "=", page_->cookie() + "0", "x" + page_->cookie(),
                                    "token=" + page_->token(), name + "=" + page_->token()})
    every_route(401, [&](WebRequest& request, const Route& route) {
      request.cookie = cookie;
      return route.needs_cookie();
    });
  const RawReply wrong = page_->post("/api/session", R"({"token": "00000000000000000000000000000000"})");
  EXPECT_EQ(wrong.status, 401);
  EXPECT_FALSE(wrong.has("set-cookie"));
}

TEST_F(AllRoutes, ChangeNothingByAnotherMethod) {
  for (const std::string method : {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "POST"})
    for (const auto& route : all_routes()) {
      if (route.method == method) continue;
      WebRequest request = good(route);
      request.method = method;
      const RawReply reply = page_->talk(request.bytes());
      EXPECT_EQ(reply.status, 405) << method << " " << route.path;
      EXPECT_FALSE(reply.has("access-control-allow")) << method << " " << route.path;
    }
}

TEST_F(AllRoutes, RefuseAFormsPost) {
  const auto posts = [](const Route& route) { return route.method == "POST"; };
  for (const std::string type : {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x"})
    every_route(415, [&](WebRequest& request, const Route& route) {
      request.type = type;
      return posts(route);
    });
  every_route(403, [&](WebRequest& request, const Route& route) {  // without the page's own header
    request.more.clear();
    return posts(route);
  });
  every_route(403, [&](WebRequest& request, const Route& route) {
    request.origin = "";
    return posts(route);
  });
}

TEST_F(AllRoutes, TakeNoOtherPath) {
  for (const std::string way : {"/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/../../etc/passwd",
                                "/%252e%252e%252fetc%252fpasswd", "/..\\..\\etc\\passwd", "%00", "/.", "//", "%2f"})
    every_route(404, [&](WebRequest& request, const Route&) {
      request.target += way;
      return true;
    });
  every_route(404, [&](WebRequest& request, const Route& route) {  // the same name in other letters
    request.target = fmt::format("/{}%{:x}{}", route.path.substr(1, 1), 0x70, route.path.substr(1));
    return true;
  });
}

TEST_F(AllRoutes, RefuseALargeBody) {
  for (const std::string size : {"1000000000", "9223372036854775807"})
    every_route(413, [&](WebRequest& request, const Route& route) {
      request.type = "";
      request.body = "";
      request.more.push_back("Content-Length: " + size);
      if (!route.takes.empty()) request.more.push_back(fmt::format("Content-Type: {}", route.takes));
      return true;
    });
  every_route(411, [&](WebRequest& request, const Route& route) {  // chunks without an end
    request.type = "";
    request.body = "";
    request.more.emplace_back("Transfer-Encoding: chunked");
    if (!route.takes.empty()) request.more.push_back(fmt::format("Content-Type: {}", route.takes));
    return true;
  });
}

// Whoever goes on sending chunks finds the connection closed long before a gigabyte.
TEST_F(AllRoutes, TakeNoEndlessBody) {
  for (const auto& route : all_routes()) {
    WebRequest request = good(route);
    request.type = request.body = "";
    request.more.emplace_back("Transfer-Encoding: chunked");
    if (!route.takes.empty()) request.more.push_back(fmt::format("Content-Type: {}", route.takes));
    const int socket = page_->connect();
    EXPECT_TRUE(send_all(socket, request.bytes()));
    const std::string chunk = "100000\r\n" + std::string(1 << 20, 'x') + "\r\n";
    int64_t taken = 0;
    while (taken < 1000 && send_all(socket, chunk)) ++taken;
    close(socket);
    EXPECT_LT(taken, 100) << route.path << ": MiB were taken";
  }
  EXPECT_EQ(page_->get("/").status, 200);
}

TEST_F(AllRoutes, RefuseALengthThatIsNone) {
  for (const std::string length : {"-1", "99999999999999999999999", "0x10", "1e3", "ten", "+5", ""})
    every_route_refuses([&](const Route& route) {
      WebRequest request = good(route);
      request.type = "";
      request.more.push_back("Content-Length: " + length + "\r\nContent-Length: 7");
      return request.bytes();
    });
}

TEST_F(AllRoutes, RefuseALongHead) {
  every_route_refuses([](const Route& route) {  // a line of a megabyte
    WebRequest request = good(route);
    request.target += "?" + std::string(1 << 20, 'a');
    return request.bytes();
  });
  every_route_refuses([](const Route& route) {  // a million headers
    std::string text = good(route).bytes();
    std::string lines;
    for (int i = 0; i < 1'000'000; ++i) lines += "A: b\r\n";
    return text.insert(text.find("\r\n") + 2, lines);
  });
  every_route_refuses([](const Route& route) {  // one header of a megabyte
    WebRequest request = good(route);
    request.more.push_back("A: " + std::string(1 << 20, 'b'));
    return request.bytes();
  });
}

TEST_F(AllRoutes, RefuseWhatIsNoRequest) {
  const std::vector<std::string> broken{"\r\n\r\n",
                                        "GET\r\n\r\n",
                                        "GET {0}\r\n\r\n",
                                        "{0} GET HTTP/1.1\r\n\r\n",
                                        "GET {0} HTTP/9.9\r\n\r\n",
                                        "GET {0} FTP/1.1\r\n\r\n",
                                        std::string("GET {0}") + '\0' + " HTTP/1.1\r\n\r\n",
                                        "\x16\x03\x01\x02{0}\r\n\r\n",
                                        "GET {0} HTTP/1.1\r\nHost\r\n\r\n",
                                        "GET {0} HTTP/1.1\r\n: x\r\n\r\n"};
  for (const auto& bytes : broken)
    every_route_refuses([&](const Route& route) {
      std::string text = bytes;
      if (const size_t at = text.find("{0}"); at != std::string::npos) text.replace(at, 3, route.path);
      return text;
    });
}

TEST_F(AllRoutes, OpenNoOtherProtocol) {
  every_route(403, [&](WebRequest& request, const Route&) {  // a WebSocket from another site
    request.origin = "http://evil.example";
    request.more.insert(request.more.end(), {"Upgrade: websocket", "Sec-WebSocket-Version: 13",
                                             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="});
    return true;
  });
  for (const auto& route : all_routes()) {
    if (route.kind == RouteKind::run_feed) continue;
    WebRequest request = good(route);
    request.more.insert(request.more.end(), {"Upgrade: websocket", "Sec-WebSocket-Version: 13"});
    EXPECT_NE(page_->talk(request.bytes()).status, 101) << route.path;
  }
}

TEST_F(AllRoutes, AnswerOneRequestAConnection) {
  for (const auto& route : all_routes()) {
    if (route.kind == RouteKind::run_feed) continue;
    WebRequest request = good(route);
    request.more.emplace_back("Connection: keep-alive");
    const RawReply reply = page_->talk(request.bytes() + good(all_routes()[0]).bytes());
    EXPECT_EQ(reply.body.find("HTTP/1.1 "), std::string::npos) << route.path;
  }
}

// Each route gets a client that sends a byte now and then, one that sends nothing and one whose body never comes: they
// are all shown the door, and somebody else is let in. Uploads have more time and are left out of the last.
TEST_F(AllRoutes, EndAClientThatIsSlow) {
  std::vector<int> slow;
  std::vector<std::string> rest;
  for (const auto& route : all_routes())
    for (const size_t sent : {size_t(0), size_t(10)}) {
      const int socket = page_->connect();
      const std::string bytes = good(route).bytes();
      EXPECT_TRUE(send_all(socket, bytes.substr(0, sent)));
      slow.push_back(socket);
      rest.push_back(sent == 0 ? "" : bytes.substr(sent, 200));
    }
  for (const auto& route : all_routes()) {
    if (route.takes.empty() || route.kind == RouteKind::upload) continue;
    WebRequest request = good(route);
    request.body += "        ";
    const std::string bytes = request.bytes();
    slow.push_back(page_->connect());
    rest.emplace_back();
    EXPECT_TRUE(send_all(slow.back(), bytes.substr(0, bytes.size() - 5)));
  }
  for (size_t round = 0; round < 25; ++round) {  // a byte each half second, for longer than anybody may take
    for (size_t i = 0; i < slow.size(); ++i)
      if (round + 40 < rest[i].size()) send_all(slow[i], rest[i].substr(round, 1));
    usleep(500'000);
  }
  EXPECT_EQ(page_->get("/").status, 200);
  for (const int socket : slow) {
    EXPECT_NE(read_reply(socket).status, 200);  // returns: the connection has ended
    close(socket);
  }
}

TEST_F(AllRoutes, LiveThroughThousandsOfConnections) {
  std::vector<int> sockets;
  for (int i = 0; i < 10'000; ++i) {
    const int socket = page_->connect();
    if (socket >= 0) sockets.push_back(socket);
    if (sockets.size() >= 400) {  // as many at one time as a process may have open everywhere
      for (const int open : sockets) close(open);
      sockets.clear();
    }
  }
  for (const int open : sockets) close(open);
  EXPECT_EQ(page_->get("/").status, 200);
}

}  // namespace
}  // namespace plimsoll
