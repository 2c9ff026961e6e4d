// serve: the page on 127.0.0.1, until it is told to stop.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "tell/serve/answer_process.h"
#include "tell/serve/training_sets.h"

namespace plimsoll {

struct ServeOptions {
  int port = 0;  // 0: any that is free
  std::string runs = "runs";
  std::optional<std::vector<TrainingSet>> training;  // what the page may train on; nullopt: it may start nothing
  AnswerLimits uploads{Bytes(int64_t{3} << 30), Seconds{20}, false};  // what answering about one may take
};

// Where it is: the address with its token, the port, and whether that is the one that was asked for.
struct ServeAddress {
  std::string url;
  int port = 0;
};

// Calls `ready` once it listens; returns after SIGINT or SIGTERM.
Status serve(const ServeOptions& options, const std::function<void(const ServeAddress&)>& ready);

}  // namespace plimsoll
