// What `report --json` answers, key by key.
#pragma once

#include "tell/report/network_reply.h"
#include "tell/report/run_summary.h"

namespace plimsoll {

inline constexpr std::string_view kReportSchema = "plimsoll.report/1";

struct MistakeReply {
  Mistake mistake;
  std::string sample, label, chosen;
};
inline std::string_view schema_name(const MistakeReply*) { return "Mistake"; }

template <class V>
void describe(V& row, const MistakeReply* m) {
  row("index", "in the part", [=] { return m->mistake.index; });
  row("sample", "its file, or where it is", [=] { return m->sample; });
  row("label", "", [=] { return m->label; });
  row("chosen", "", [=] { return m->chosen; });
  row("loss", "", [=] { return or_null(m->mistake.loss); });
}

struct JudgedReply {
  const RunSummary* run;
};
inline std::string_view schema_name(const JudgedReply*) { return "JudgedRun"; }

template <class V>
void describe(V& row, const JudgedReply* j) {
  const auto judged = [=]() -> const JudgedRun& { return *j->run->judged; };
  row("part", "of the data", [=] { return judged().part; });
  row("samples", "", [=] { return judged().evaluation.all.samples; });
  row("accuracy", "", [=] { return judged().evaluation.all.accuracy(); });
  row("loss", "", [=] { return or_null(judged().evaluation.all.loss()); });
  row("confusion", "a row a label, a column a choice", [=] { return judged().evaluation.confusion; });
  row("worst", "mistakes with the highest loss", [=] {
    std::vector<MistakeReply> list;
    for (size_t i = 0; i < judged().worst.size(); ++i) {
      const Mistake& mistake = judged().evaluation.worst[i];
      list.push_back(
          {mistake, judged().worst[i].name, j->run->class_name(mistake.label), j->run->class_name(mistake.chosen)});
    }
    return list;
  });
}

inline std::string_view schema_name(const RunSummary*) { return "RunReport"; }

template <class V>
void describe(V& row, const RunSummary* r) {
  row("run_dir", "", [=] { return r->path; });
  row("config", "as the run keeps it", [=] { return r->config; });
  row("log", "its lines", [=] { return r->logged.log; });
  row("judged", "its best weights on its data; null where that is not there",
      [=] { return OrNull{r->judged ? std::optional(JudgedReply{r}) : std::nullopt}; });
  row("not_judged", "why", [=] { return OrNull{r->not_judged.empty() ? std::nullopt : std::optional(r->not_judged)}; });
}

struct ReportReply {
  std::string file;
  std::vector<Json> networks;  // each as NetworkReply; of text what fit and place answer
  const std::vector<RunSummary>* runs;
};
inline std::string_view schema_name(const ReportReply*) { return "Report"; }

template <class V>
void describe(V& row, const ReportReply* r) {
  row("file", "that was written", [=] { return r->file; });
  row("networks", "", [=] { return r->networks; });
  row("runs", "", [=] { return *r->runs; });
}

inline Json network_json(const NetworkReport& report) {
  NetworkReply reply{&report, {&report.weight, {}, std::nullopt}, *report.fit};
  reply.fit.where.reset();
  return reply_json(reply);
}

inline Json report_json(const std::string& file, std::vector<Json> networks, const std::vector<RunSummary>& runs) {
  return document_json(kReportSchema, ReportReply{file, std::move(networks), &runs});
}

}  // namespace plimsoll
