#include "tell/cli/report_request.h"

namespace plimsoll {

void ReportRequest::describe(Fields& fields) {
  fields.add(subjects, {.name = "subject",
                        .subject = Subject::network,
                        .help = "networks (zoo names, .onnx files) and folders of runs",
                        .separator = 0,
                        .positional = true,
                        .required = true});
  fields.add(
      output,
      {.name = "output", .subject = Subject::output, .help = "the file to write", .value = "FILE", .aliases = {"o"}});
  fields.add(devices, {.name = "device",
                       .subject = Subject::machine,
                       .help = "the first: whose memory and roofline are shown; all: whose load lines are drawn over "
                               "the batch, and which to choose from",
                       .value = "NAME",
                       .fallback = "this machine",
                       .separator = 0});
  fields.add(batch, {.name = "batch",
                     .subject = Subject::step,
                     .help = "samples a step",
                     .value = "N",
                     .fallback = "the largest under the line",
                     .least = 1,
                     .most = double(kLargestBatch)});
  sizes.describe_sizes(fields);
  step.describe(fields);
  work.describe(fields, "samples of an epoch, for the ranking", "epochs, for the ranking",
                "USD per hour, instead of the catalog's");
  fields.add(no_judging, {.name = "no_judging",
                          .subject = Subject::view,
                          .help = "of runs: their logs alone, without a look at the data"});
}

}  // namespace plimsoll
