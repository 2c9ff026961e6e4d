// --link and --inside: what workers are connected by.
#pragma once

#include <string>

#include "plan/time/link.h"
#include "tell/report/json.h"

namespace plimsoll {

// NAME|RATE[:LATENCY]: "10gbe", "25Gbit/s", "1.1GB/s:30us". Without a latency one is assumed.
Result<Link> parse_link(const std::string& flag, const std::string& text);

std::string link_names();  // for --help

// All of them with their figures and sources.
std::string link_table();
Json links_json();

}  // namespace plimsoll
