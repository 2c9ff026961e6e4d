#include "tell/report/report_lead.h"

#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "base/size_text.h"
#include "base/text.h"

namespace plimsoll {
namespace {

std::string word_of(const Json& value) {
  return shell_word(value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace

std::string shell_word(const std::string& word) {
  std::string text = printable(word, 200);
  const bool plain = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-=:,+") ==
                     std::string::npos;
  if (plain && !text.empty()) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string last_name(const std::string& path) {
  const std::filesystem::path named = std::filesystem::path(path).lexically_normal();
  return named.has_filename() ? named.filename().string() : named.parent_path().filename().string();
}

std::string report_command(const ReportRequest& request) {
  ReportRequest asked = request;
  std::string command = "plimsoll report";
  for (const auto& subject : request.subjects) command += " " + shell_word(last_name(subject));
  const auto wanted = [](const Row& row) { return row.name != "subject" && row.name != "output"; };
  const Json fields = write_request(asked, wanted);
  for (const auto& [name, value] : fields.items()) {
    const std::string flag = flag_named(name);
    const auto told = [is_device = name == "device"](const Json& one) {
      return is_device && one.is_string() ? shell_word(last_name(one.get<std::string>())) : word_of(one);
    };
    if (value == true) command += " " + flag;
    else if (!value.is_array() || name == "input") command += fmt::format(" {} {}", flag, told(value));
    else
      for (const auto& one : value) command += fmt::format(" {} {}", flag, told(one));
  }
  return command;
}

std::string off_text(double median_error, int64_t rows) {
  return fmt::format("typical error {} ({} measured runs)", percent(median_error), with_commas(rows));
}

std::string written_by() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char date[16];
  std::strftime(date, sizeof date, "%Y-%m-%d", &utc);
  return fmt::format("Plimsoll {}, {}", PLIM_VERSION, date);
}

}  // namespace plimsoll
