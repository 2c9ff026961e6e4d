// plimsoll serve: the page, on this machine only.
#include "tell/serve/serve.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/rows/named.h"
#include "tell/cli/typed_verb.h"
#include "tell/page/answer_lines.h"
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
  bool train = false;
  std::vector<std::string> data;
  bool answer = false, answer_network = false, answer_patient = false;

  void describe(Fields& fields);
};

void ServeRequest::describe(Fields& fields) {
  fields.add(port, {.name = "port",
                    .subject = Subject::machine,
                    .help = "port to listen on; if it is taken, the next free one; 0: any free one",
                    .value = "N",
                    .fallback = std::to_string(kDefaultPort),  // a name rather than a count: without a comma
                    .least = 0,
                    .most = 65535});
  fields.add(
      runs, {.name = "runs", .subject = Subject::view, .help = "folder whose training runs are shown", .value = "DIR"});
  fields.add(train, {.name = "train",
                     .subject = Subject::training,
                     .help = "let the page start and resume training runs, one at a time: networks of the zoo, into " +
                             named("runs")});
  fields.add(data,
             {.name = "data",
              .subject = Subject::training,
              .help = "with " + named("train") + ": a dataset that these runs may use, by name or path; repeatable",
              .value = "NAME",
              .fallback = "those known by name",
              .separator = 0});
  fields.add(upload_memory, {.name = "upload_memory",
                             .subject = Subject::machine,
                             .help = "memory limit for answers about an uploaded .onnx file",
                             .value = "SIZE",
                             .fallback = "3GiB",
                             .unit = "bytes"});
  fields.add(upload_seconds, {.name = "upload_seconds",
                              .subject = Subject::machine,
                              .help = "time limit for each of those answers",
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

void say(const ServeAddress& address, int wanted, bool json) {
  if (json) {
    print_document(document_json("plimsoll.serve/1", ServeReply{address.url, address.port}));
  } else {
    if (wanted != 0 && address.port != wanted)
      fmt::print("Port {} is taken; using {} instead.\n", wanted, address.port);
    fmt::print("The page is at {}\nOnly programs on this machine that know the address can use it. Ctrl-C ends it.\n",
               address.url);
  }
  std::fflush(stdout);
}

Result<int> run_serve(TypedVerb<ServeRequest>& verb) {
  const ServeRequest& request = verb.request;
  if (request.answer) {
    PLIM_TRY(answer_lines({request.answer_memory, request.answer_network, request.answer_patient}));
    return int(kExitDone);
  }
  ServeOptions options;
  options.port = int(request.port);
  options.runs = request.runs;
  if (!request.train && !request.data.empty())
    return user_error(named("data") + " is for training runs that the page starts", "add " + named("train"));
  if (request.train) {
    PLIM_ASSIGN(options.training, training_sets(request.data));
  }
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
           "Serves the page: choose a network, devices and a batch, and see memory, time and money as they change; "
           "compare\nthem; watch training runs and stop them; with --train, start and resume them. On 127.0.0.1 only; "
           "it prints\nthe address and does not open a browser.",
       .footer = "Examples:\n"
                 "  plimsoll serve\n"
                 "  plimsoll serve --port 0 --runs experiments\n"
                 "  plimsoll serve --train --data cifar10 --data ./pictures\n"
                 "Exit codes: 0 ended by Ctrl-C or SIGTERM, 2 a mistake in the flags, 4 no port is free.",
       .output = {.quiet = false, .json = "the address as one JSON document"}},
      run_serve);
}

}  // namespace plimsoll
