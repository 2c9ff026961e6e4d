// PageServer: what is behind each route. The gate has let the request in by then.
#pragma once

#include <atomic>

#include "tell/serve/answers.h"
#include "tell/serve/gate.h"
#include "tell/serve/page_trainings.h"
#include "tell/serve/serve.h"

namespace plimsoll {

class PageServer : public RequestHandler {
 public:
  // Borrows the session.
  PageServer(const Session& session, int port, const ServeOptions& options)
      : session_(session),
        gate_(session, port),
        runs_(options.runs),
        trainings_(runs_, options.training),
        answers_(options.uploads) {}

  Admission admit(const HttpRequest& head) override;
  HttpReply answer(HttpRequest& request) override;

  void end() { ending_ = true; }  // feeds end

 private:
  HttpReply open_session(const HttpRequest& request) const;
  HttpReply ask(const Route& route, const HttpRequest& request);
  HttpReply plan(const HttpRequest& request);
  HttpReply upload(HttpRequest& request);
  HttpReply feed(const HttpRequest& request);
  HttpReply start_run(const HttpRequest& request);
  HttpReply resume_run(const HttpRequest& request);
  HttpReply stop_run(const HttpRequest& request) const;
  HttpReply run_report(const HttpRequest& request) const;

  const Session& session_;
  const Gate gate_;
  const RunsFolder runs_;
  PageTrainings trainings_;
  Answers answers_;
  std::atomic<bool> ending_{false};
  std::shared_ptr<std::atomic<int>> feeds_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace plimsoll
