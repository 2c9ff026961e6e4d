#include "tell/page/answer_lines.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <iostream>
#include <new>

#include "base/strict_json.h"
#include "plimsoll/plimsoll.h"
#include "tell/page/page_questions.h"
#include "tell/serve/answer_process.h"

namespace plimsoll {
namespace {

constexpr unsigned kLongestAnswer = 120;  // seconds

Status limit_memory(int64_t most) {
// Sanitizers take terabytes of addresses for themselves.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const rlimit limit{rlim_t(most), rlim_t(most)};
  if (setrlimit(RLIMIT_AS, &limit) != 0) return environment_error("the memory cannot be limited");
#else
  (void)most;
#endif
  return {};
}

std::string one_line(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

std::string refusal(const Error& error) {
  return "422 " + one_line(Json::parse(error_json(error, PLIMSOLL_MISTAKE))) + "\n";
}

std::string answer_line(const std::string& line, NetworkShelf& shelf) {
  const auto asked = parse_strict_json(line);
  if (!asked.ok()) return refusal(asked.error());
  const auto answer = answer_page(*asked, shelf);
  return answer.ok() ? "200 " + one_line(*answer) + "\n" : refusal(answer.error());
}

}  // namespace

Status answer_lines(const AnswerLines& options) {
  if (options.patient) setpriority(PRIO_PROCESS, 0, 10);
  if (options.memory) PLIM_TRY(limit_memory(*options.memory));
  NetworkShelf shelf(options.network ? fmt::format("/proc/self/fd/{}", kNetworkDescriptor) : "");
  for (std::string line; std::getline(std::cin, line);) {
    alarm(kLongestAnswer);
    std::string answer;
    try {
      answer = answer_line(line, shelf);
    } catch (const std::bad_alloc&) {
      answer = refusal(user_error("the network needs more memory than an upload may have", "ask on the command line"));
    }
    alarm(0);
    std::cout << answer << std::flush;
    shelf.tidy();
  }
  return {};
}

}  // namespace plimsoll
