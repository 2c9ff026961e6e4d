// A link between workers as people write it.
#pragma once

#include <string>

#include "base/rows/form.h"
#include "plan/time/link.h"

namespace plimsoll {

// NAME|RATE[:LATENCY]: "10gbe", "25Gbit/s", "1.1GB/s:30us". Without a latency one is assumed.
Result<Link> parse_link(const std::string& flag, const std::string& text);

std::string link_names();  // for help

template <>
struct Form<Link> : TextForm<Link> {
  static Result<Link> parse(const Row&, const std::string& called, const std::string& text) {
    return parse_link(called, text);
  }
  static Json write(const Link& value) { return value.name; }
};

}  // namespace plimsoll
