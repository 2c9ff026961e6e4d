// A request as it came and a reply as it goes: what handlers see of HTTP. Nothing in a request is trusted.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_source.h"

namespace plimsoll {

struct HttpRequest {
  std::string method, path;  // the path as it was sent: nothing in it is decoded, so no spelling hides another
  std::vector<std::pair<std::string, std::string>> headers, arguments;  // headers' names in lower case
  std::string body;                                                     // of a route that takes it into memory
  FileHandle file;                                                      // of a route that takes it to disk
  int64_t size = 0;                                                     // of either

  // The value of a header that came once; nullopt when it did not come, or came twice with two meanings.
  std::optional<std::string_view> header(std::string_view name) const;
  bool repeats(std::string_view name) const;
  std::string_view argument(std::string_view name) const;  // "" when there is none
};

// A reply that goes on: server-sent events.
class ReplyStream {
 public:
  virtual ~ReplyStream() = default;
  // Waits until there is something to send; "" ends the reply.
  virtual std::string next() = 0;
};

struct HttpReply {
  int status = 200;
  std::string type = "application/json; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  std::shared_ptr<ReplyStream> stream;  // instead of the body
  std::string_view borrowed;            // instead of the body: text that is always there
};

}  // namespace plimsoll
