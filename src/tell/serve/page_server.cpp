#include "tell/serve/page_server.h"

#include <fmt/format.h>

#include <future>

#include "base/rows/named.h"
#include "base/strict_json.h"
#include "tell/serve/page_documents.h"
#include "tell/serve/page_files.h"
#include "tell/serve/run_feed.h"

namespace plimsoll {
namespace {

constexpr int kMostFeeds = 64;  // half of all connections, so that the other half can ask

HttpReply file_reply(std::string_view name) {
  for (const auto& file : all_page_files()) {
    if (file.name != name) continue;
    HttpReply reply;
    reply.type = file.type;
    reply.borrowed = file.text;
    return reply;
  }
  return refusal(404, user_error("there is nothing here"));
}

HttpReply json_reply(std::string json) {
  HttpReply reply;
  reply.body = std::move(json);
  return reply;
}

HttpReply reply_of(Result<PageAnswer> answer) {
  if (!answer.ok()) return refusal(answer.error().kind == ErrorKind::environment ? 503 : 422, answer.error());
  HttpReply reply = json_reply(std::move(answer->json));
  reply.status = answer->status;
  return reply;
}

Result<Json> object_of(const std::string& body) {
  PLIM_ASSIGN(Json json, parse_strict_json(body));
  if (!json.is_object()) return user_error("the body is not a JSON object");
  return json;
}

std::string text_field(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

// `run`: the name of its folder.
HttpReply started_reply(Result<std::string> run) {
  if (!run.ok())
    return refusal(run.error().kind == ErrorKind::environment ? 503 : 422,
                   spoken_error(std::move(run).error(), Door::json));
  return json_reply(json_text(document_json("plimsoll.start/1", StartedRun{*std::move(run)})));
}

// A feed that gives its place back.
class CountedFeed : public RunFeed {
 public:
  CountedFeed(const RunsFolder& folder, PageTrainings& trainings, const std::string& runs,
              const std::atomic<bool>& ending, std::shared_ptr<std::atomic<int>> count)
      : RunFeed(folder, trainings, runs, ending), count_(std::move(count)) {}
  ~CountedFeed() override { --*count_; }

 private:
  std::shared_ptr<std::atomic<int>> count_;
};

}  // namespace

Admission PageServer::admit(const HttpRequest& head) {
  Gate::Decision decision = gate_.decide(head);
  Admission admission;
  if (decision.refusal) {
    admission.refusal = std::move(decision.refusal);
    return admission;
  }
  admission.longest_body = decision.route->longest_body;
  admission.body_to_file = decision.route->kind == RouteKind::upload;
  return admission;
}

HttpReply PageServer::answer(HttpRequest& request) {
  const Gate::Decision decision = gate_.decide(request);
  if (decision.refusal) return *decision.refusal;
  switch (decision.route->kind) {
    case RouteKind::file: return file_reply(decision.route->name);
    case RouteKind::session: return open_session(request);
    case RouteKind::choices:
    case RouteKind::verb: return ask(*decision.route, request);
    case RouteKind::plan: return plan(request);
    case RouteKind::upload: return upload(request);
    case RouteKind::runs: return json_reply(json_text(runs_json(runs_, trainings_)));
    case RouteKind::run_feed: return feed(request);
    case RouteKind::run_start: return start_run(request);
    case RouteKind::run_resume: return resume_run(request);
    case RouteKind::run_stop: return stop_run(request);
    case RouteKind::run_report: return run_report(request);
  }
  return refusal(404, user_error("there is nothing here"));
}

HttpReply PageServer::open_session(const HttpRequest& request) const {
  const auto body = object_of(request.body);
  if (!body.ok()) return refusal(400, body.error());
  if (!session_.is_token(text_field(*body, "token")))
    return refusal(401,
                   user_error("the token is wrong or out of date", "open the address that plimsoll serve printed"));
  HttpReply reply = json_reply(json_text(document_json("plimsoll.session/1", Done{})));
  reply.headers.emplace_back("Set-Cookie", session_.set_cookie());
  return reply;
}

HttpReply PageServer::ask(const Route& route, const HttpRequest& request) {
  if (route.kind == RouteKind::choices) return reply_of(answers_.ask(route.name, Json::object()));
  const auto asked = object_of(request.body);
  if (!asked.ok()) return refusal(400, asked.error());
  return reply_of(answers_.ask(route.name, *asked));
}

// What the first screen shows, in one reply: a request for each would cost the browser more than the answers take.
// Those that are not asked for are left out.
HttpReply PageServer::plan(const HttpRequest& request) {
  constexpr const char* kVerbs[] = {"fit", "place", "weigh"};
  const auto body = object_of(request.body);
  if (!body.ok()) return refusal(400, body.error());
  std::vector<std::pair<const char*, std::future<Result<PageAnswer>>>> answers;
  for (const char* verb : kVerbs) {
    const auto asked = body->find(verb);
    if (asked == body->end()) continue;
    if (!asked->is_object()) return refusal(422, user_error(fmt::format("the request for {} is not an object", verb)));
    answers.emplace_back(
        verb, std::async(std::launch::async, [this, verb, &asked = *asked] { return answers_.ask(verb, asked); }));
  }
  if (answers.empty()) return refusal(422, user_error("nothing is asked", "fit, place or weigh"));
  std::string json = R"({"schema": "plimsoll.plan/1")";
  for (auto& [verb, waited] : answers) {
    auto answer = waited.get();
    if (!answer.ok() || answer->status != 200) return reply_of(std::move(answer));  // once the others are there too
    json += fmt::format(", \"{}\": {}", verb, answer->json);
  }
  return json_reply(json + "}");
}

HttpReply PageServer::upload(HttpRequest& request) {
  if (request.size == 0) return refusal(422, user_error("the file is empty, expected an .onnx file"));
  return reply_of(answers_.add(std::move(request.file)));
}

HttpReply PageServer::feed(const HttpRequest& request) {
  if (++*feeds_ > kMostFeeds) {
    --*feeds_;
    return refusal(503, user_error("too many pages are open", "close some"));
  }
  HttpReply reply;
  reply.type = "text/event-stream";
  reply.stream =
      std::make_shared<CountedFeed>(runs_, trainings_, std::string(request.argument("run")), ending_, feeds_);
  return reply;
}

HttpReply PageServer::start_run(const HttpRequest& request) {
  const auto body = object_of(request.body);
  if (!body.ok()) return refusal(400, body.error());
  return started_reply(trainings_.start(*body));
}

HttpReply PageServer::resume_run(const HttpRequest& request) {
  const auto body = object_of(request.body);
  if (!body.ok()) return refusal(400, body.error());
  return started_reply(trainings_.resume(text_field(*body, "run")));
}

HttpReply PageServer::stop_run(const HttpRequest& request) const {
  const auto body = object_of(request.body);
  if (!body.ok()) return refusal(400, body.error());
  const auto stopped = runs_.stop(text_field(*body, "run"));
  if (!stopped.ok()) return refusal(422, stopped.error());
  return json_reply(json_text(document_json("plimsoll.stop/1", Done{})));
}

HttpReply PageServer::run_report(const HttpRequest& request) const {
  const auto body = object_of(request.body);
  if (!body.ok()) return refusal(400, body.error());
  auto html = runs_.report(text_field(*body, "run"));
  if (!html.ok()) return refusal(422, html.error());
  return json_reply(json_text(document_json("plimsoll.report-file/1", ReportFileReply{*std::move(html)})));
}

}  // namespace plimsoll
