// A real `plimsoll serve`, and a client that sends it whatever bytes a test likes.
#pragma once

#include <string>
#include <vector>

namespace plimsoll {

struct RawReply {
  int status = 0;          // 0: the connection ended without a reply
  std::string head, body;  // the head in lower case

  bool has(const std::string& text) const { return head.find(text) != std::string::npos; }
};

class ServedPage {
 public:
  // `flags`: beside --json, and --port 0 where they have none. In `folder`.
  explicit ServedPage(const std::vector<std::string>& flags = {}, const std::string& folder = ".");
  ~ServedPage();
  ServedPage(const ServedPage&) = delete;
  ServedPage& operator=(const ServedPage&) = delete;

  int pid() const { return pid_; }
  int port() const { return port_; }
  const std::string& token() const { return token_; }
  const std::string& cookie() const { return cookie_; }  // "plimsoll-8470=…", of a session that was opened
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }

  int connect() const;  // a socket
  // Sends them all and reads to the end; `last`: says that no more will come.
  RawReply talk(const std::string& bytes, bool last = false) const;
  RawReply get(const std::string& path) const;  // as the page does
  RawReply post(const std::string& path, const std::string& body, const std::string& type = "application/json") const;

  int stop();  // SIGTERM; the exit code

 private:
  int pid_ = -1, port_ = 0;
  std::string token_, cookie_;
};

// What is read from a socket until it ends.
RawReply read_reply(int socket);
bool send_all(int socket, const std::string& bytes);

}  // namespace plimsoll
