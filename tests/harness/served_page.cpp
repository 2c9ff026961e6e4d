#include "tests/harness/served_page.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

namespace plimsoll {
namespace {

std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const size_t begin = text.find(before);
  if (begin == std::string::npos) return "";
  const size_t from = begin + before.size();
  return text.substr(from, text.find(after, from) - from);
}

std::string first_document(int fd) {
  std::string text;
  for (char letter = 0; text.find('}') == std::string::npos && read(fd, &letter, 1) == 1;) text += letter;
  return text;
}

}  // namespace

bool send_all(int socket, const std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count = send(socket, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (count <= 0) return false;
    done += size_t(count);
  }
  return true;
}

RawReply read_reply(int socket) {
  std::string text;
  char buffer[4096];
  for (ssize_t count = 0; (count = recv(socket, buffer, sizeof buffer, 0)) > 0;) text.append(buffer, size_t(count));
  RawReply reply;
  const size_t end = text.find("\r\n\r\n");
  reply.head = text.substr(0, end);
  if (end != std::string::npos) reply.body = text.substr(end + 4);
  for (char& letter : reply.head) letter = char(std::tolower(static_cast<unsigned char>(letter)));
  if (reply.head.starts_with("http/1.")) reply.status = std::atoi(reply.head.c_str() + 9);
  return reply;
}

ServedPage::ServedPage(const std::vector<std::string>& flags, const std::string& folder) {
  std::vector<std::string> words{PLIM_PROGRAM, "serve", "--json"};
  if (std::find(flags.begin(), flags.end(), "--port") == flags.end()) words.insert(words.end(), {"--port", "0"});
  words.insert(words.end(), flags.begin(), flags.end());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) return;
  pid_ = fork();
  if (pid_ == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    if (chdir(folder.c_str()) == 0) execv(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  const std::string said = first_document(ends[0]);
  close(ends[0]);
  port_ = std::atoi(between(said, "127.0.0.1:", "/").c_str());
  token_ = between(said, "token=", "\"");
  const RawReply session = post("/api/session", R"({"token": ")" + token_ + "\"}");
  cookie_ = between(session.head, "set-cookie: ", ";");
}

ServedPage::~ServedPage() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

int ServedPage::stop() {
  int status = 0;
  kill(pid_, SIGTERM);
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int ServedPage::connect() const {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  // A server that wrongly lets somebody in may never end its reply: then a test fails instead of waiting. An answer may
  // take its time on a machine that does much else.
  const timeval patience{240, 0};
  setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(uint16_t(port_));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(made, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return made;
  close(made);
  return -1;
}

RawReply ServedPage::talk(const std::string& bytes, bool last) const {
  const int socket = connect();
  if (socket < 0) return {};
  send_all(socket, bytes);
  if (last) shutdown(socket, SHUT_WR);
  RawReply reply = read_reply(socket);
  close(socket);
  return reply;
}

RawReply ServedPage::get(const std::string& path) const {
  return talk("GET " + path + " HTTP/1.1\r\nHost: " + host() + "\r\nCookie: " + cookie_ + "\r\n\r\n");
}

RawReply ServedPage::post(const std::string& path, const std::string& body, const std::string& type) const {
  return talk("POST " + path + " HTTP/1.1\r\nHost: " + host() + "\r\nOrigin: http://" + host() +
              "\r\nX-Plimsoll: 1\r\nCookie: " + cookie_ + "\r\nContent-Type: " + type +
              "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

}  // namespace plimsoll
