// HttpServer: HTTP on 127.0.0.1 by libmicrohttpd, a thread for each connection, so that a handler may wait. It holds
// every client to its limits and knows no routes. One request a connection: nothing of one is left for the next.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "base/result.h"
#include "base/units.h"
#include "tell/serve/http_message.h"

struct MHD_Daemon;

namespace plimsoll {

struct HttpLimits {
  unsigned connections = 128;     // at one time; more wait until one ends
  size_t head = 32 << 10;         // bytes of request line and headers together
  Seconds request{10};            // until a request is there, however slowly it comes
  Seconds upload{120};            // until one with a large body is there
  unsigned silence_seconds = 60;  // without a byte in either direction
};

// What is decided when only the head of a request has come.
struct Admission {
  std::optional<HttpReply> refusal;
  int64_t longest_body = 0;
  bool body_to_file = false;
};

class RequestHandler {
 public:
  virtual ~RequestHandler() = default;
  virtual Admission admit(const HttpRequest& head) = 0;  // both are called by many threads at once
  virtual HttpReply answer(HttpRequest& request) = 0;
};

class HttpServer {
 public:
  // `listening`: a socket that listens. Borrows the handler.
  static Result<std::unique_ptr<HttpServer>> start(FileHandle listening, RequestHandler& handler,
                                                   const HttpLimits& limits = {});
  ~HttpServer();  // waits for what is being answered
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

 private:
  friend struct HttpCallbacks;
  using Clock = std::chrono::steady_clock;

  HttpServer(RequestHandler& handler, const HttpLimits& limits) : handler_(handler), limits_(limits) {}
  void watch(const std::stop_token& stop);
  void give_until(int socket, std::optional<Clock::time_point> deadline);  // nullopt: it has come

  RequestHandler& handler_;
  const HttpLimits limits_;
  MHD_Daemon* daemon_ = nullptr;
  std::mutex mutex_;
  std::map<int, std::optional<Clock::time_point>> deadlines_;  // by socket
  std::jthread watcher_;
};

// A socket on 127.0.0.1 that listens on `port`, or on the next free one; 0: on any.
struct Listening {
  FileHandle socket;
  int port = 0;
};
Result<Listening> listen_on_loopback(int port);

}  // namespace plimsoll
