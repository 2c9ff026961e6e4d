// What a report says first: the answer, what was assumed, the command that asks it again, and who wrote it when.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tell/report/report_request.h"

namespace plimsoll {

// A large number, and how far off it has been.
struct ReportNumber {
  std::string label, value, unit, off;
};

struct ReportLead {
  std::string verdict;
  bool good = true;        // it fits
  std::string stamp = {};  // "It fits"; empty: the verdict alone
  std::string asked = {};  // of what: "Training resnet50, batch 32, on nvidia-t4"
  std::vector<ReportNumber> numbers = {};
  std::string narrow_picture = {};                                // the same for a phone
  std::string picture = {};                                       // an SVG
  std::string about_picture = {};                                 // what it shows
  std::vector<std::pair<std::string, std::string>> assumed = {};  // name and value
  std::string command = {};                                       // empty: none asks it again
};

// A word of a command, in quotes where a shell would take it apart.
std::string shell_word(const std::string& word);

// The last name of a file or folder: no reader has our paths.
std::string last_name(const std::string& path);

// The command that writes the report again; files and folders by their last names, as no reader has our paths.
std::string report_command(const ReportRequest& request);

// "typical error 5.8 % (178 measured runs)"
std::string off_text(double median_error, int64_t rows);

// "Plimsoll 0.1.0, 2026-11-18"
std::string written_by();

}  // namespace plimsoll
