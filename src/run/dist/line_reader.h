// Lines from a connection that does not block.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

// The lines that have come whole since; what has begun stays in `unread`. nullopt: the connection is closed, or what
// comes is no text of ours.
std::optional<std::vector<std::string>> read_lines(int connection, std::string& unread);

}  // namespace plimsoll
