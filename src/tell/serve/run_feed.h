// RunFeed: the runs folder as server-sent events: "runs" when the list changes, "log" with what is new of a run.
#pragma once

#include <atomic>

#include "tell/serve/http_message.h"
#include "tell/serve/page_trainings.h"

namespace plimsoll {

// The list as the page reads it: name, running or not, configuration; and whether it may start more.
Json runs_json(const RunsFolder& folder, PageTrainings& trainings);

class RunFeed : public ReplyStream {
 public:
  // Borrows folder, trainings and `ending`, which is set when the server ends. `runs`: ids with commas, or "" for the
  // list alone.
  RunFeed(const RunsFolder& folder, PageTrainings& trainings, const std::string& runs, const std::atomic<bool>& ending);

  std::string next() override;

 private:
  std::string news();

  // One of those that are followed.
  struct Followed {
    std::string id;
    int64_t offset = 0;
  };
  std::string log_news(const std::vector<RunEntry>& runs, Followed& followed) const;

  const RunsFolder& folder_;
  PageTrainings& trainings_;
  std::vector<Followed> followed_;
  const std::atomic<bool>& ending_;
  std::string last_list_;
  int64_t quiet_ = 0;
};

}  // namespace plimsoll
