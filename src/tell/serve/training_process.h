// TrainingProcess: this program once more, as a training that was started from the page. It has a session of its own,
// so that it goes on when the server or its terminal ends; what it says last is kept for whoever started it.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_source.h"

namespace plimsoll {

class TrainingProcess {
 public:
  // How the last one that was started is.
  struct State {
    std::string run;  // the name of its folder
    bool alive = false;
    std::string failed;  // why it ended, where it did not train
  };

  // `words`: of the command line, without the program. `folder` is removed if it ends and leaves it empty.
  Status start(const std::vector<std::string>& words, const std::string& folder, const std::string& run);

  std::optional<State> state();  // nullopt: none was started

 private:
  void look();  // whether it has ended
  std::string last_words() const;

  std::mutex mutex_;
  std::optional<State> state_;
  std::string folder_;
  FileHandle said_;
  int pid_ = -1;
};

}  // namespace plimsoll
