#include "tell/schema/all_schemas.h"

#include "base/rows/schema.h"
#include "plan/ask/verb.h"
#include "run/ask/bench_reply.h"
#include "run/ask/data_reply.h"
#include "run/ask/eval_reply.h"
#include "run/ask/export_reply.h"
#include "run/ask/predict_reply.h"
#include "run/ask/probe_reply.h"
#include "run/ask/sharpness_reply.h"
#include "run/ask/sweep_reply.h"
#include "run/ask/train_reply.h"
#include "run/bench/bench_request.h"
#include "run/data/data_request.h"
#include "run/measure/probe_request.h"
#include "run/surface/sharpness_request.h"
#include "run/sweep/sweep_request.h"
#include "run/train/eval_request.h"
#include "run/train/export_request.h"
#include "run/train/predict_request.h"
#include "tell/page/token_step_reply.h"
#include "tell/report/report_reply.h"
#include "tell/report/report_request.h"
#include "tell/schema/joined_replies.h"
#include "tell/serve/page_documents.h"

namespace plimsoll {
namespace {

// A verb that runs something: its request, and the forms of its answer.
template <class Request, class... Forms>
void add_verb(std::vector<SchemaFile>& files, const std::string& verb) {
  files.push_back({verb + ".request", request_schema(verb, rows_of<Request>())});
  files.push_back({verb, answer_schema<Forms...>("plimsoll." + verb + "/1")});
}

template <class Form>
void add_document(std::vector<SchemaFile>& files, const std::string& name) {
  files.push_back({name, answer_schema<Form>("plimsoll." + name + "/1")});
}

void add_plan_verbs(std::vector<SchemaFile>& files) {
  for (const auto& verb : all_plan_verbs()) {
    const std::string name(verb.name);
    detail::Definitions definitions;
    auto forms = verb.forms(definitions);
    files.push_back({name + ".request", request_schema(name, verb.rows())});
    files.push_back({name, answer_schema(verb.schema, std::move(forms), definitions)});
  }
}

}  // namespace

std::vector<SchemaFile> all_schemas() {
  std::vector<SchemaFile> files;
  add_plan_verbs(files);
  add_verb<ProbeRequest, ProbeOutcome, DeviceProbeOutcome>(files, "probe");
  add_verb<BenchRequest, BenchOutcome>(files, "bench");
  add_verb<DatasetRequest, DataSummary, GetOutcome, LoadOutcome>(files, "data");
  add_verb<TrainRequest, TrainReply, RefusalReply>(files, "train");
  add_verb<EvalRequest, EvalOutcome>(files, "eval");
  add_verb<ExportRequest, ExportOutcome>(files, "export");
  add_verb<PredictRequest, PredictOutcome>(files, "predict");
  add_verb<SweepRequest, SweepOutcome>(files, "sweep");
  add_verb<SharpnessRequest, SharpnessOutcome>(files, "sharpness");
  add_verb<ReportRequest, ReportReply>(files, "report");
  add_document<ServeReply>(files, "serve");
  add_document<PageChoices>(files, "choices");
  add_document<DroppedNetwork>(files, "network");
  files.push_back({"step", answer_schema<StepReply, TokenStepReply>(std::string(kStepSchema))});
  add_document<ReportFileReply>(files, "report-file");
  add_document<PageAnswersReply>(files, "plan");
  add_document<RunList>(files, "runs");
  add_document<Done>(files, "session");
  add_document<StartedRun>(files, "start");
  add_document<Done>(files, "stop");
  add_document<ErrorReply>(files, "error");
  return files;
}

}  // namespace plimsoll
