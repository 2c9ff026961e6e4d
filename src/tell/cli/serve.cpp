// plimsoll serve: the page, on this machine only.
#include "tell/serve/serve.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "base/strict_json.h"
#include "tell/cli/page_questions.h"
#include "tell/cli/typed_verb.h"
#include "tell/serve/answer_process.h"
#include "tell/serve/page_documents.h"

namespace plimsoll {
namespace {

constexpr int kDefaultPort = 8470;
constexpr int64_t kMostUploadSeconds = 100;  // the alarm of the process that answers comes later

// A flag that a process of ours is started with.
Row own_row(std::string_view flag) {
  std::string name(flag.substr(2));
  std::replace(name.begin(), name.end(), '-', '_');
  return {.name = std::move(name), .subject = Subject::output, .hidden = true};
}

struct ServeRequest {
  int64_t port = kDefaultPort;
  std::string runs = "runs";
  std::optional<Bytes> upload_memory;
  std::optional<int64_t> upload_seconds, answer_memory;
  bool answer = false, answer_network = false, answer_patient = false;

  void describe(Fields& fields);
};

void ServeRequest::describe(Fields& fields) {
  fields.add(port, {.name = "port",
                    .subject = Subject::machine,
                    .help = "where; one that is taken gives the next free one, 0 any",
                    .value = "N",
                    .least = 0,
                    .most = 65535});
  fields.add(
      runs, {.name = "runs", .subject = Subject::view, .help = "the folder whose trainings are shown", .value = "DIR"});
  fields.add(upload_memory, {.name = "upload_memory",
                             .subject = Subject::machine,
                             .help = "memory that answering about a dropped .onnx file may take",
                             .value = "SIZE",
                             .fallback = "3GiB",
                             .unit = "bytes"});
  fields.add(upload_seconds, {.name = "upload_seconds",
                              .subject = Subject::machine,
                              .help = "time that each answer about one may take",
                              .value = "N",
                              .fallback = "20",
                              .unit = "seconds",
                              .least = 1,
                              .most = double(kMostUploadSeconds)});
  fields.add(answer, own_row(kAnswerFlag));
  Row memory = own_row(kAnswerMemoryFlag);
  memory.least = 1;
  memory.most = 0x1p50;
  fields.add(answer_memory, memory);
  fields.add(answer_network, own_row(kAnswerNetworkFlag));
  fields.add(answer_patient, own_row(kAnswerPatientFlag));
}

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

std::string answer_line(const std::string& line, NetworkShelf& shelf) {
  Result<Json> answer = Json();
  if (const auto asked = parse_strict_json(line); asked.ok()) answer = answer_page(*asked, shelf);
  else answer = asked.error();
  if (answer.ok()) return "200 " + one_line(*answer) + "\n";
  return "422 " + one_line(Json::parse(error_json(answer.error(), kExitUser))) + "\n";
}

// The child's side of AnswerProcess. An alarm ends it when nobody is left to do so.
Result<int> answer_questions(const ServeRequest& request) {
  constexpr unsigned kLongestAnswer = 120;  // seconds
  if (request.answer_patient) setpriority(PRIO_PROCESS, 0, 10);
  if (request.answer_memory) PLIM_TRY(limit_memory(*request.answer_memory));
  NetworkShelf shelf(request.answer_network ? fmt::format("/proc/self/fd/{}", kNetworkDescriptor) : "");
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
    print_document(document_json("plimsoll.serve/1", ServeReply{address.url, address.port}));
  } else {
    if (wanted != 0 && address.port != wanted) fmt::print("Port {} is taken, so it is {}.\n", wanted, address.port);
    fmt::print("The page is at {}\nIt is for this machine only, and for those who have the address. Ctrl-C ends it.\n",
               address.url);
  }
  std::fflush(stdout);
}

Result<int> run_serve(TypedVerb<ServeRequest>& verb) {
  const ServeRequest& request = verb.request;
  if (request.answer) return answer_questions(request);
  ServeOptions options;
  options.port = int(request.port);
  options.runs = request.runs;
  if (request.upload_memory) options.uploads.memory = *request.upload_memory;
  if (request.upload_seconds) options.uploads.answer = Seconds{double(*request.upload_seconds)};
  PLIM_TRY(serve(options, [&](const ServeAddress& address) { say(address, options.port, verb.output.json); }));
  return int(kExitDone);
}

}  // namespace

Action declare_serve(CLI::App& app) {
  return typed_verb<ServeRequest>(
      app,
      {.description =
           "The page: choose a network, devices, a batch, and see memory, time and money as they change; compare; "
           "watch\ntrainings as they run and stop them. On 127.0.0.1 only; it prints the address and opens nothing by "
           "itself.",
       .footer = "Examples:\n"
                 "  plimsoll serve\n"
                 "  plimsoll serve --port 0 --runs experiments\n"
                 "Exit codes: 0 ended by Ctrl-C or SIGTERM, 2 a mistake in the flags, 4 no port can be had.",
       .output = {.quiet = false, .json = "the address as one JSON document"}},
      run_serve);
}

}  // namespace plimsoll
