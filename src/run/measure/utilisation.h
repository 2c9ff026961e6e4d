// Utilisation: what the process uses of the machine, sampled once a second by a small thread: processor time and
// resident memory, as the system counts them.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/units.h"
#include "plan/devices/cgroup_limits.h"

namespace plimsoll {

struct UtilisationSample {
  Seconds at;          // since the start
  double cores = 0;    // busy with us, on average since the sample before
  double machine = 0;  // share of all processors that are busy, with whomever
  double others = 0;   // share of the processors that we may use that other programs had
  Bytes resident;
};

class Utilisation {
 public:
  explicit Utilisation(Seconds interval = {1});
  ~Utilisation();
  Utilisation(const Utilisation&) = delete;
  Utilisation& operator=(const Utilisation&) = delete;

  // What came together since the last call.
  std::vector<UtilisationSample> take();

  // The same, with a last sample of now: what is shorter than an interval has one too.
  std::vector<UtilisationSample> end();

 private:
  void stop();
  void run(Seconds interval);

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::vector<UtilisationSample> samples_;
  std::thread thread_;  // last: it uses all of the above
};

Bytes resident_now();      // VmRSS
Bytes resident_peak();     // VmHWM: the largest so far
Seconds processor_time();  // of all threads of the process

// Processors' time since the machine began, all of them added up that this process may use, and what of it went to this
// process. Time that a virtual machine's host took away counts as busy.
struct ProcessorsTime {
  Seconds all, busy, own;
};
ProcessorsTime processors_time();
// The same of what /proc/stat says (`stat`), of these processors; of all where none of them is named.
ProcessorsTime processors_time(const std::string& stat, const CpuSet& processors);
CpuSet usable_processors();

// Which share of all processors' time others had between two moments, 0 to 1.
double share_of_others(const ProcessorsTime& from, const ProcessorsTime& to);

}  // namespace plimsoll
