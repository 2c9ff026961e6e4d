// Network: what the questions of fit and place are asked about: one network whose step can be had at any batch, in
// any number format, with any optimizer. Steps are made when they are first asked for and kept.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/units.h"
#include "model/passes/batch_family.h"
#include "model/passes/pipeline.h"
#include "plan/memory/framework_form.h"
#include "plan/weight/uncounted.h"

namespace plimsoll {

// How numbers are stored, as the user names it.
struct NumberFormat {
  std::string name = "f32";                      // "f32", "f16", "amp"
  std::optional<DType> parameters, activations;  // nullopt: as the network has them

  bool operator<(const NumberFormat& other) const { return name < other.name; }
};

// f32, f16, …, or amp: f32 parameters, f16 activations. An Error lists what there is.
Result<NumberFormat> number_format(const std::string& name);

// Those that people choose among, the usual one first.
std::vector<std::string> number_format_names();

class Network {
 public:
  // Without a batch: 1, or the one that a file was exported with.
  using Bind = std::function<Result<Program>(std::optional<int64_t> batch, const NumberFormat& format)>;

  // `open_sizes`: what must be said before it can be bound, as open_sizes.h finds it.
  // `list`: the same for a list of operations (listed()), where it differs.
  Network(std::string name, Bind bind, std::set<std::string> open_sizes = {}, Bind list = nullptr)
      : name_(std::move(name)), bind_(std::move(bind)), list_(std::move(list)), open_sizes_(std::move(open_sizes)) {}

  const std::string& name() const { return name_; }
  const std::set<std::string>& open_sizes() const { return open_sizes_; }

  Result<Program> forward(std::optional<int64_t> batch, const NumberFormat& format) const {
    return bind_(batch, format);
  }

  // What no answer about it counts: the same at every batch and in every format.
  Result<Uncounted> uncounted() const;

  // For people to read: a loop is its body with a number of rounds, also where a run needs it round by round.
  Result<Program> listed(std::optional<int64_t> batch, const NumberFormat& format) const {
    return list_ ? list_(batch, format) : bind_(batch, format);
  }

  // The steps at all batches. Owned by the network; valid as long as it is. Several threads may ask.
  Result<const BatchFamily*> steps(const NumberFormat& format, const StepOptions& options,
                                   const FrameworkForm& form = {}) const;

  // Peaks of our own engine's plans of these steps, by batch, as far as somebody has asked: a plan asks for every
  // kernel, and a search for the largest batch asks for the same plans each time. `of`: a lowering, by its name, or
  // what is alive before any.
  using Peaks = std::map<int64_t, Bytes>;
  std::shared_ptr<Peaks> peaks(const NumberFormat& format, const StepOptions& options, const std::string& of) const;

 private:
  std::optional<int64_t> fixed_batch(const NumberFormat& format) const;
  Result<BatchFamily> family(const NumberFormat& format, const StepOptions& options, const FrameworkForm& form) const;

  // Steps at the small batches that families are made of, as far as several have them in common: forward passes,
  // differentiated steps, complete ones (pipeline.h). Families ask from several threads.
  struct Beginnings {
    std::mutex mutex;
    std::map<std::pair<std::string, int64_t>, std::shared_ptr<const UnfinishedStep>> kept;  // by what it is, and batch
  };
  using Begin = std::function<Result<UnfinishedStep>(int64_t batch)>;
  static Result<UnfinishedStep> kept_or_made(Beginnings& beginnings, const std::string& what, int64_t batch,
                                             const Begin& make);

  std::string name_;
  Bind bind_, list_;
  std::set<std::string> open_sizes_;
  mutable std::optional<Uncounted> uncounted_;
  std::shared_ptr<Beginnings> beginnings_ = std::make_shared<Beginnings>();
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();    // of what is below
  mutable std::map<std::string, std::unique_ptr<BatchFamily>> families_;  // by format and options
  mutable std::map<std::string, std::shared_ptr<Peaks>> peaks_;           // … and whose they are
};

}  // namespace plimsoll
