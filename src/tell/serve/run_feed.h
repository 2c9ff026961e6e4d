// RunFeed: the runs folder as server-sent events: "runs" when the list changes, "log" with what is new of one run.
#pragma once

#include <atomic>

#include "tell/serve/http_message.h"
#include "tell/serve/runs_folder.h"

namespace plimsoll {

// The list as the page reads it: name, running or not, configuration.
Json runs_json(const RunsFolder& folder);

class RunFeed : public ReplyStream {
 public:
  // Borrows folder and `ending`, which is set when the server ends. `run`: an id, or "" for the list alone.
  RunFeed(const RunsFolder& folder, std::string run, const std::atomic<bool>& ending)
      : folder_(folder), run_(std::move(run)), ending_(ending) {}

  std::string next() override;

 private:
  std::string news();
  std::string log_news(const std::vector<RunEntry>& runs);

  const RunsFolder& folder_;
  const std::string run_;
  const std::atomic<bool>& ending_;
  std::string last_list_;
  int64_t offset_ = 0, quiet_ = 0;
};

}  // namespace plimsoll
