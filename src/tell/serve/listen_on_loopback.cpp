#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "tell/serve/http_server.h"

namespace plimsoll {
namespace {

constexpr int kPortsTried = 100;

// True: it listens. False: the port is taken.
Result<bool> listens(int socket, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(uint16_t(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 && listen(socket, SOMAXCONN) == 0)
    return true;
  if (errno == EADDRINUSE) return false;
  return environment_error(fmt::format("port {} of 127.0.0.1 cannot be used: {}", port, std::strerror(errno)),
                           "choose another --port");
}

int port_of(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  return getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0 ? ntohs(address.sin_port) : 0;
}

}  // namespace

Result<Listening> listen_on_loopback(int port) {
  for (int tried = 0; tried < kPortsTried && port + tried <= 65535; ++tried) {
    FileHandle handle(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (handle.fd() < 0) return environment_error(fmt::format("no socket could be opened: {}", std::strerror(errno)));
    // Without it a server that is started again would find its port taken by connections that have ended.
    const int yes = 1;
    setsockopt(handle.fd(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    PLIM_ASSIGN(const bool good, listens(handle.fd(), port + tried));
    if (!good) continue;
    const int found = port_of(handle.fd());
    return Listening{std::move(handle), found};
  }
  return environment_error(fmt::format("ports {} to {} of 127.0.0.1 are taken", port, port + kPortsTried - 1),
                           "choose another --port, or 0 for any");
}

}  // namespace plimsoll
