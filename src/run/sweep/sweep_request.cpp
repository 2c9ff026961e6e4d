#include "run/sweep/sweep_request.h"

#include "base/rows/named.h"

namespace plimsoll {
namespace {

// Puts a list in the place of the one value that a training has.
template <class T>
void put_list(Fields& fields, const char* name, std::vector<T>& list, const std::string& help) {
  Field* field = fields.find(name);
  Row row = field->row;
  row.help = help;
  row.value = "LIST";
  Fields made;
  made.add(list, std::move(row));
  *field = std::move(made.all().front());
}

Status empty_list(const char* name) {
  return user_error(named(name) + " is an empty list, expected at least one number");
}

}  // namespace

void SweepRequest::describe(Fields& fields) {
  train.describe(fields);
  put_list(fields, "batch", batches, "samples per step, one run for each: 32,256,2048");
  put_list(fields, "lr", rates, "learning rates, one run for each: 0.01,0.1");
  put_list(fields, "seed", seeds, "seeds of weights, order, augmentation and dropout, one run for each: 0,1,2");
  fields.row("seed").fallback = "0";
  fields.row("run_dir").help = "where the sweep is kept";
  fields.row("run_dir").fallback = "sweeps/MODEL";
  fields.row("resume").help = "not needed: a sweep that is run again continues where it stopped";
  fields.add(goal_loss, {.name = "goal_loss",
                         .subject = Subject::view,
                         .help = "count the steps until the training loss is at most this, and find the critical batch",
                         .value = "LOSS",
                         .least = 0,
                         .most = 1e9,
                         .edge = Edge::above});
}

std::string SweepRequest::folder() const {
  const std::string& model = train.model.source.name;
  return train.run_dir.value_or("sweeps/" + model.substr(model.rfind('/') + 1));
}

Status check(const SweepRequest& request) {
  const TrainRequest& train = request.train;
  if (train.model.source.empty())
    return user_error("no MODEL is given",
                      fmt::format("for example sweep lenet5 {} mnist {} 32,512", named("data"), named("batch")));
  if (train.resume)
    return user_error(named("resume") + " is not needed: a sweep that is run again continues where it stopped");
  if (request.batches.empty()) return empty_list("batch");
  if (!train.hosts.empty() && !train.np)
    return user_error(
        fmt::format("{} is given without {}, which says how many workers share a step", named("hosts"), named("np")));
  PLIM_TRY(train.step_options());
  return {};
}

}  // namespace plimsoll
