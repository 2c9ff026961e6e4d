// What a report says first: the answer, what was assumed, the command that asks it again, and who wrote it when.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tell/report/report_request.h"

namespace plimsoll {

struct ReportLead {
  std::string verdict;
  bool good = true;                                          // it fits
  std::vector<std::pair<std::string, std::string>> assumed;  // name and value
  std::string command;                                       // empty: none asks it again
};

// The command that writes the report again; files and folders by their last names, as no reader has our paths.
std::string report_command(const ReportRequest& request);

// "Plimsoll 0.1.0, 2026-11-18"
std::string written_by();

}  // namespace plimsoll
