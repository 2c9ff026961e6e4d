#include "run/dist/line_reader.h"

#include <sys/socket.h>

#include <cerrno>

namespace plimsoll {

std::optional<std::vector<std::string>> read_lines(int connection, std::string& unread) {
  constexpr size_t kLongest = 1 << 16;
  char buffer[4096];
  std::vector<std::string> lines;
  for (bool more = true; more;) {
    const ssize_t got = recv(connection, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK)) {
      if (lines.empty()) return std::nullopt;
      return lines;  // the end comes again at the next call
    }
    if (got < 0) break;
    unread.append(buffer, size_t(got));
    for (size_t end = unread.find('\n'); end != std::string::npos; end = unread.find('\n')) {
      lines.push_back(unread.substr(0, end));
      unread.erase(0, end + 1);
    }
    if (unread.size() > kLongest) return std::nullopt;
  }
  return lines;
}

}  // namespace plimsoll
