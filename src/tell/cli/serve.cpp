// plimsoll serve: the page, on this machine only.
#include "tell/serve/serve.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <iostream>

#include "base/strict_json.h"
#include "tell/cli/command.h"
#include "tell/cli/numbers.h"
#include "tell/cli/page_questions.h"
#include "tell/serve/answer_process.h"

namespace plimsoll {
namespace {

constexpr int kDefaultPort = 8470;
constexpr int64_t kMostUploadSeconds = 100;  // the alarm of the process that answers comes later

struct ServeFlags {
  std::string port, runs = "runs", upload_memory, upload_seconds, answer_memory;
  bool json = false, answer = false, answer_network = false, answer_patient = false;
};

Status limit_memory(const std::string& bytes) {
// Sanitizers take terabytes of addresses for themselves.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  PLIM_ASSIGN(const int64_t most, parse_integer(kAnswerMemoryFlag, bytes, 1, int64_t{1} << 50));
  const rlimit limit{rlim_t(most), rlim_t(most)};
  if (setrlimit(RLIMIT_AS, &limit) != 0) return environment_error("the memory cannot be limited");
#else
  (void)bytes;
#endif
  return {};
}

std::string one_line(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

std::string answer_line(const std::string& line, NetworkShelf& shelf) {
  Result<Json> answer = Json();
  if (const auto asked = parse_strict_json(line); asked.ok()) answer = answer_page(*asked, shelf);
  else answer = asked.error();
  if (answer.ok()) return "200 " + one_line(*answer) + "\n";
  return "422 " + one_line(Json::parse(error_json(answer.error(), kExitUser))) + "\n";
}

// The child's side of AnswerProcess. An alarm ends it when nobody is left to do so.
Result<int> answer_questions(const ServeFlags& flags) {
  constexpr unsigned kLongestAnswer = 120;  // seconds
  if (flags.answer_patient) setpriority(PRIO_PROCESS, 0, 10);
  if (!flags.answer_memory.empty()) PLIM_TRY(limit_memory(flags.answer_memory));
  NetworkShelf shelf(flags.answer_network ? fmt::format("/proc/self/fd/{}", kNetworkDescriptor) : "");
  for (std::string line; std::getline(std::cin, line);) {
    alarm(kLongestAnswer);
    std::string answer;
    try {
      answer = answer_line(line, shelf);
    } catch (const std::bad_alloc&) {
      answer = "422 " +
               one_line(Json::parse(error_json(
                   user_error("the network needs more memory than an upload may have", "ask on the command line"),
                   kExitUser))) +
               "\n";
    }
    alarm(0);
    std::cout << answer << std::flush;
    shelf.tidy();
  }
  return int(kExitDone);
}

void say(const ServeAddress& address, int wanted, bool json) {
  if (json) {
    fmt::print("{}", json_text({{"schema", "plimsoll.serve/1"}, {"address", address.url}, {"port", address.port}}));
  } else {
    if (wanted != 0 && address.port != wanted) fmt::print("Port {} is taken, so it is {}.\n", wanted, address.port);
    fmt::print("The page is at {}\nIt is for this machine only, and for those who have the address. Ctrl-C ends it.\n",
               address.url);
  }
  std::fflush(stdout);
}

Result<int> run_serve(const ServeFlags& flags) {
  if (flags.answer) return answer_questions(flags);
  ServeOptions options;
  options.port = kDefaultPort;
  if (!flags.port.empty()) {
    PLIM_ASSIGN(const int64_t port, parse_integer("--port", flags.port, 0, 65535));
    options.port = int(port);
  }
  options.runs = flags.runs;
  if (!flags.upload_memory.empty()) {
    PLIM_ASSIGN(options.uploads.memory, parse_bytes("--upload-memory", flags.upload_memory));
  }
  if (!flags.upload_seconds.empty()) {
    PLIM_ASSIGN(const int64_t seconds, parse_integer("--upload-seconds", flags.upload_seconds, 1, kMostUploadSeconds));
    options.uploads.answer = Seconds{double(seconds)};
  }
  PLIM_TRY(serve(options, [&](const ServeAddress& address) { say(address, options.port, flags.json); }));
  return int(kExitDone);
}

}  // namespace

Action declare_serve(CLI::App& app) {
  const auto flags = std::make_shared<ServeFlags>();
  app.description(
      "The page: choose a network, devices, a batch, and see memory, time and money as they change; compare; watch\n"
      "trainings as they run and stop them. On 127.0.0.1 only; it prints the address and opens nothing by itself.");
  app.footer(
      "Examples:\n"
      "  plimsoll serve\n"
      "  plimsoll serve --port 0 --runs experiments\n"
      "Exit codes: 0 ended by Ctrl-C or SIGTERM, 2 a mistake in the flags, 4 no port can be had.");
  app.add_option("--port", flags->port,
                 fmt::format("where (default {}); one that is taken gives the next free one, 0 any", kDefaultPort))
      ->type_name("N");
  app.add_option("--runs", flags->runs, "the folder whose trainings are shown")->capture_default_str();
  app.add_option("--upload-memory", flags->upload_memory,
                 "what answering about a dropped .onnx file may take of memory (default 3GiB)")
      ->type_name("SIZE");
  app.add_option("--upload-seconds", flags->upload_seconds, "… and of time, for each answer (default 20)")
      ->type_name("N");
  app.add_flag("--json", flags->json, "the address as one JSON document");
  app.add_flag(kAnswerFlag, flags->answer, "")->group("");
  app.add_option(kAnswerMemoryFlag, flags->answer_memory, "")->group("");
  app.add_flag(kAnswerNetworkFlag, flags->answer_network, "")->group("");
  app.add_flag(kAnswerPatientFlag, flags->answer_patient, "")->group("");
  return [flags] { return run_serve(*flags); };
}

}  // namespace plimsoll
