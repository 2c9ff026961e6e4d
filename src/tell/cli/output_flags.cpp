#include "tell/cli/output_flags.h"

#include "base/write_file.h"

namespace plimsoll {

void OutputFlags::describe(Fields& fields, const OutputRows& rows) {
  fields.add(json, {.name = "json", .subject = Subject::output, .help = rows.json});
  if (rows.tables) {
    fields.add(csv, {.name = "csv", .subject = Subject::output, .help = "comma-separated values"});
    fields.add(markdown, {.name = "markdown", .subject = Subject::output, .help = "Markdown tables"});
  }
  if (!rows.plot.empty())
    fields.add(plot, {.name = "plot", .subject = Subject::output, .help = rows.plot, .value = "FILE"});
  if (rows.quiet) fields.add(quiet, {.name = "quiet", .subject = Subject::output, .help = rows.quiet_help});
}

Status OutputFlags::check() const {
  if (json + csv + markdown > 1)
    return user_error("--json, --csv and --markdown are forms of one answer, expected at most one of them");
  if (!plot) return {};
  if (!plot->ends_with(".svg"))
    return user_error(fmt::format("--plot is {}, expected a name that ends in .svg", in_quotes(*plot)));
  return check_can_replace(*plot);
}

}  // namespace plimsoll
