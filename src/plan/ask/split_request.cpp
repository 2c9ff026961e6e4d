#include "plan/ask/split_request.h"
#include "base/field_mark.h"

namespace plimsoll {

constexpr double kMostDegree = 65'536;

Row degree_row(const char* name, const char* help) {
  return {.name = name,
          .subject = Subject::workers,
          .help = help,
          .value = "N",
          .fallback = "1",
          .least = 1,
          .most = kMostDegree,
          .page = true};
}

void SplitRequest::describe(Fields& fields, bool with_workers) {
  fields.add(offload, {.name = "offload",
                       .subject = Subject::workers,
                       .help = "what the host keeps: in training none, optimizer, or all (parameters too); with " +
                               named("mode") + " generate the layers that the CPU keeps and computes, a number or all",
                       .value = "WHAT",
                       .fallback = "none",
                       .page = true});
  if (with_workers) {
    Row row = degree_row("workers", "devices that share a language model, trained or served");
    row.fallback = "those of the device";
    row.most = double(kMostTokenWorkers);
    fields.add(workers, row);
  }
  Row row = degree_row("tensor_parallel", "devices that each matrix is split across");
  row.fallback = "1 in training; those of the node in serving";
  fields.add(tensor_parallel, row);
}

}  // namespace plimsoll
