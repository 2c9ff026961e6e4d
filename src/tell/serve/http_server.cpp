#include "tell/serve/http_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/nameless_file.h"
#include "tell/serve/http_library.h"

namespace plimsoll {
namespace {

// After a server has started.
const HttpLibrary& http() { return *HttpLibrary::open(); }

// One request on its way. Owned by the connection, freed when it is done.
struct HttpExchange {
  HttpRequest request;
  Admission admission;
};

using StreamHolder = std::shared_ptr<ReplyStream>;

struct StreamState {
  StreamHolder stream;
  std::string left;  // not yet sent
};

ssize_t read_stream(void* state, uint64_t, char* into, size_t room) {
  auto& stream = *static_cast<StreamState*>(state);
  if (stream.left.empty()) stream.left = stream.stream->next();
  if (stream.left.empty()) return MHD_CONTENT_READER_END_OF_STREAM;
  const size_t count = std::min(room, stream.left.size());
  std::copy_n(stream.left.data(), count, into);
  stream.left.erase(0, count);
  return ssize_t(count);
}

void free_stream(void* state) { delete static_cast<StreamState*>(state); }

MHD_Response* response_of(const HttpReply& reply) {
  constexpr size_t kBlock = 16 << 10;
  if (reply.stream)
    return http().create_response_from_callback(MHD_SIZE_UNKNOWN, kBlock, read_stream,
                                                new StreamState{reply.stream, {}}, free_stream);
  if (!reply.borrowed.empty())
    return http().create_response_from_buffer(reply.borrowed.size(), const_cast<char*>(reply.borrowed.data()),
                                              MHD_RESPMEM_PERSISTENT);
  return http().create_response_from_buffer(reply.body.size(), const_cast<char*>(reply.body.data()),
                                            MHD_RESPMEM_MUST_COPY);
}

// Every reply says what a browser may not do with it.
constexpr std::pair<const char*, const char*> kEveryReply[] = {
    {"Connection", "close"},
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
     "form-action 'none'; frame-ancestors 'none'"},
    {"X-Frame-Options", "DENY"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
};

MHD_Result send(MHD_Connection* connection, const HttpReply& reply) {
  MHD_Response* response = response_of(reply);
  if (!response) return MHD_NO;
  http().add_response_header(response, "Content-Type", reply.type.c_str());
  for (const auto& [name, value] : kEveryReply) http().add_response_header(response, name, value);
  for (const auto& [name, value] : reply.headers) http().add_response_header(response, name.c_str(), value.c_str());
  const MHD_Result queued = http().queue_response(connection, unsigned(reply.status), response);
  http().destroy_response(response);
  return queued;
}

MHD_Result take_header(void* list, MHD_ValueKind, const char* name, const char* value) {
  std::string key(name ? name : "");
  for (char& c : key) c = char(std::tolower(static_cast<unsigned char>(c)));
  static_cast<std::vector<std::pair<std::string, std::string>>*>(list)->emplace_back(key, value ? value : "");
  return MHD_YES;
}

int socket_of(MHD_Connection* connection) {
  const auto* info = http().get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// A body's bytes, to memory or to disk; false when they are too many or the disk is full.
bool take_body(HttpExchange& exchange, const char* data, size_t size) {
  HttpRequest& request = exchange.request;
  if (request.size + int64_t(size) > exchange.admission.longest_body) return false;
  if (!exchange.admission.body_to_file) {
    request.body.append(data, size);
  } else {
    if (request.file.fd() < 0) {
      auto file = nameless_file("/tmp", "");
      if (!file.ok()) return false;
      request.file = *std::move(file);
    }
    for (size_t done = 0; done < size;) {
      const ssize_t count = write(request.file.fd(), data + done, size - done);
      if (count <= 0) return false;
      done += size_t(count);
    }
  }
  request.size += int64_t(size);
  return true;
}

}  // namespace

struct HttpCallbacks {
  static MHD_Result request(void* self, MHD_Connection* connection, const char* path, const char* method, const char*,
                            const char* data, size_t* size, void** state) {
    auto& server = *static_cast<HttpServer*>(self);
    if (!*state) return head(server, connection, path, method, state);
    auto& exchange = *static_cast<HttpExchange*>(*state);
    if (*size > 0) {
      if (!take_body(exchange, data, *size)) return MHD_NO;
      *size = 0;
      return MHD_YES;
    }
    server.give_until(socket_of(connection), std::nullopt);
    return send(connection, server.handler_.answer(exchange.request));
  }

  static MHD_Result head(HttpServer& server, MHD_Connection* connection, const char* path, const char* method,
                         void** state) {
    auto exchange = std::make_unique<HttpExchange>();
    exchange->request.method = method;
    exchange->request.path = path;
    http().get_connection_values(connection, MHD_HEADER_KIND, take_header, &exchange->request.headers);
    http().get_connection_values(connection, MHD_GET_ARGUMENT_KIND, take_header, &exchange->request.arguments);
    exchange->admission = server.handler_.admit(exchange->request);
    HttpExchange& kept = *exchange;
    *state = exchange.release();
    if (kept.admission.refusal) return send(connection, *kept.admission.refusal);
    if (kept.admission.body_to_file)
      server.give_until(
          socket_of(connection),
          HttpServer::Clock::now() + std::chrono::milliseconds(int64_t(server.limits_.upload.value * 1000)));
    return MHD_YES;
  }

  static void done(void*, MHD_Connection*, void** state, MHD_RequestTerminationCode) {
    delete static_cast<HttpExchange*>(*state);
    *state = nullptr;
  }

  static void connected(void* self, MHD_Connection* connection, void**, MHD_ConnectionNotificationCode code) {
    auto& server = *static_cast<HttpServer*>(self);
    const int socket = socket_of(connection);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
      server.give_until(
          socket, HttpServer::Clock::now() + std::chrono::milliseconds(int64_t(server.limits_.request.value * 1000)));
    } else {
      const std::lock_guard lock(server.mutex_);
      server.deadlines_.erase(socket);
    }
  }

  // Paths and arguments stay as they were sent.
  static size_t as_sent(void*, MHD_Connection*, char* text) { return std::strlen(text); }
};

void HttpServer::give_until(int socket, std::optional<Clock::time_point> deadline) {
  const std::lock_guard lock(mutex_);
  deadlines_[socket] = deadline;
}

// libmicrohttpd ends a silent connection, but one that sends a byte now and then would keep its place for ever.
void HttpServer::watch(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const std::lock_guard lock(mutex_);
    for (auto& [socket, deadline] : deadlines_)
      if (deadline && *deadline < Clock::now()) {
        shutdown(socket, SHUT_RDWR);
        deadline.reset();
      }
  }
}

Result<std::unique_ptr<HttpServer>> HttpServer::start(FileHandle listening, RequestHandler& handler,
                                                      const HttpLimits& limits) {
  PLIM_ASSIGN(const HttpLibrary library, HttpLibrary::open());
  std::unique_ptr<HttpServer> server(new HttpServer(handler, limits));
  const int own = fcntl(listening.fd(), F_DUPFD_CLOEXEC, 0);  // closed by libmicrohttpd
  server->daemon_ = library.start_daemon(
      MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC, 0, nullptr, nullptr,
      HttpCallbacks::request, server.get(), MHD_OPTION_LISTEN_SOCKET, own, MHD_OPTION_CONNECTION_LIMIT,
      limits.connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.head, MHD_OPTION_CONNECTION_TIMEOUT,
      limits.silence_seconds, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_COMPLETED, HttpCallbacks::done,
      nullptr, MHD_OPTION_NOTIFY_CONNECTION, HttpCallbacks::connected, server.get(), MHD_OPTION_UNESCAPE_CALLBACK,
      HttpCallbacks::as_sent, nullptr, MHD_OPTION_END);
  if (!server->daemon_) return environment_error("the server cannot be started");
  server->watcher_ = std::jthread([raw = server.get()](const std::stop_token& stop) { raw->watch(stop); });
  return server;
}

HttpServer::~HttpServer() {
  if (watcher_.joinable()) {
    watcher_.request_stop();
    watcher_.join();
  }
  if (daemon_) http().stop_daemon(daemon_);
}

}  // namespace plimsoll
