#include "tell/report/report_request.h"

#include "plan/ask/batch_row.h"

namespace plimsoll {

void ReportRequest::describe(Fields& fields) {
  fields.add(subjects, {.name = "subject",
                        .subject = Subject::network,
                        .help = "networks (zoo names, model files) and folders of runs",
                        .separator = 0,
                        .positional = true,
                        .required = true});
  fields.add(
      output,
      {.name = "output", .subject = Subject::output, .help = "the file to write", .value = "FILE", .aliases = {"o"}});
  fields.add(devices, {.name = "device",
                       .subject = Subject::machine,
                       .help = "devices to choose from, whose load lines are drawn over the batch; memory and roofline "
                               "are those of the first",
                       .value = "NAME",
                       .fallback = "this machine",
                       .separator = 0});
  fields.add(batch, batch_row("samples per step", "the largest under the line"));
  sizes.describe_sizes(fields);
  step.describe(fields);
  training.describe(fields, true);
  serving.describe(fields);
  work.describe(fields, "samples per epoch, for the ranking", "epochs, for the ranking", "price in USD per hour");
  fields.add(framework, framework_row());
  run.describe(fields);
  fields.add(load_line, load_line_row());
  fields.add(no_judging, {.name = "no_judging",
                          .subject = Subject::view,
                          .help = "for runs: use their logs only, without evaluating them on their data"});
}

FitRequest ReportRequest::fit(const ModelRequest& model) const {
  FitRequest fit;
  fit.model = model;
  fit.batch = batch;
  fit.step = step;
  fit.training = training;
  fit.serving = serving;
  fit.device = devices.empty() ? "this" : devices.front();
  fit.framework = framework;
  fit.run = run;
  fit.load_line = load_line;
  return fit;
}

PlaceRequest ReportRequest::place(const ModelRequest& model, bool all_devices) const {
  PlaceRequest place;
  place.model = model;
  place.batch = batch;
  place.step = step;
  place.training = training;
  place.serving = serving;
  place.work = work;
  place.run = run;
  place.load_line = load_line;
  if (all_devices) return place;
  place.framework = framework;
  place.devices = devices;
  return place;
}

}  // namespace plimsoll
