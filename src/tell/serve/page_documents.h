// The page's own documents, key by key: what can be chosen, a network that was dropped, the list of trainings.
#pragma once

#include "base/rows/reply.h"
#include "tell/serve/runs_folder.h"
#include "tell/serve/training_process.h"
#include "tell/serve/training_sets.h"

namespace plimsoll {

struct ChosenModel {
  std::string name, summary, input;
};
inline std::string_view schema_name(const ChosenModel*) { return "ChosenModel"; }

template <class V>
void describe(V& row, const ChosenModel* m) {
  row("name", "", [=] { return m->name; });
  row("summary", "", [=] { return m->summary; });
  row("input", "shape of one sample", [=] { return m->input; });
}

struct ChosenDevice {
  std::string name, title, kind;
  int64_t count = 1;
  std::optional<Bytes> memory;
  std::vector<std::string> sources;
};
inline std::string_view schema_name(const ChosenDevice*) { return "ChosenDevice"; }

template <class V>
void describe(V& row, const ChosenDevice* d) {
  row("name", "", [=] { return d->name; });
  row("title", "", [=] { return d->title; });
  row("kind", "", [=] { return d->kind; });
  row("count", "of what computes", [=] { return d->count; });
  row("memory_bytes", "of each of them", [=] { return d->memory; });
  row("sources", "of its figures, with their dates", [=] { return d->sources; });
}

// A network of transformers, known by name.
struct ChosenLanguageModel {
  std::string name, family, summary;
};
inline std::string_view schema_name(const ChosenLanguageModel*) { return "ChosenLanguageModel"; }

template <class V>
void describe(V& row, const ChosenLanguageModel* m) {
  row("name", "", [=] { return m->name; });
  row("family", "", [=] { return m->family; });
  row("summary", "", [=] { return m->summary; });
}

struct PageChoices {
  std::string version;
  std::vector<ChosenModel> models;
  std::vector<ChosenLanguageModel> language_models;
  std::vector<ChosenDevice> devices;
  std::vector<std::string> formats, optimizers, token_optimizers, frameworks, links, verbs, weights, kv;
  std::string default_optimizer;
};
inline std::string_view schema_name(const PageChoices*) { return "Choices"; }

template <class V>
void describe(V& row, const PageChoices* c) {
  row("version", "of the program", [=] { return c->version; });
  row("models", "", [=] { return c->models; });
  row("language_models", "networks of transformers", [=] { return c->language_models; });
  row("devices", "", [=] { return c->devices; });
  row("formats", "number formats", [=] { return c->formats; });
  row("optimizers", "", [=] { return c->optimizers; });
  row("default_optimizer", "", [=] { return c->default_optimizer; });
  row("token_optimizers", "of language models on GPUs", [=] { return c->token_optimizers; });
  row("frameworks", "", [=] { return c->frameworks; });
  row("links", "between workers, by name", [=] { return c->links; });
  row("weights", "formats of weights that are served", [=] { return c->weights; });
  row("kv", "formats of the cache of keys and values", [=] { return c->kv; });
  row("verbs", "that the page may ask", [=] { return c->verbs; });
}

struct DroppedNetwork {
  std::string model;
  std::vector<std::string> open_sizes;
  bool text = false;
};
inline std::string_view schema_name(const DroppedNetwork*) { return "DroppedNetwork"; }

template <class V>
void describe(V& row, const DroppedNetwork* n) {
  row("model", "the server's name for it", [=] { return n->model; });
  row("open_sizes", "before they are said nothing is known of it", [=] { return n->open_sizes; });
  row("language_model", "a config.json or .gguf: its sizes follow the sequence", [=] { return n->text; });
}

struct ListedRun {
  std::string id, name;
  bool running = false;
  Json config;  // of the run's folder, which a stranger may have written
  int64_t begun = 0;
  RunProgress progress;
};
inline std::string_view schema_name(const ListedRun*) { return "ListedRun"; }

template <class V>
void describe(V& row, const ListedRun* r) {
  const auto kept = [=](const char* field) {
    const auto found = r->config.find(field);
    return found != r->config.end() ? std::optional(*found) : std::nullopt;
  };
  row("id", "", [=] { return r->id; });
  row("name", "", [=] { return r->name; });
  row("running", "", [=] { return r->running; });
  row("model", "", [=] { return kept("model"); });
  row("batch", "", [=] { return kept("batch"); });
  row("threads", "", [=] { return kept("threads"); });
  row("planned_bytes", "", [=] { return kept("planned_bytes"); });
  row("data", "", [=] { return kept("data"); });
  row("request", "that it was begun with", [=] { return kept("request"); });
  row("begun", "seconds since 1970", [=] { return r->begun; });
  row("ended", "how: finished, interrupted …; absent while it runs, or when it was killed",
      [=] { return r->progress.ended; });
  row("accuracy", "of the test, else of the last validation", [=] { return r->progress.accuracy; });
  row("step", "the last that was logged", [=] { return r->progress.step; });
}

inline std::string_view schema_name(const TrainingSet*) { return "TrainingSet"; }

template <class V>
void describe(V& row, const TrainingSet* s) {
  row("name", "", [=] { return s->name; });
  row("summary", "", [=] { return s->summary; });
  row("classes", "0: texts without labels", [=] { return s->classes; });
}

inline std::string_view schema_name(const TrainingProcess::State*) { return "StartedTraining"; }

template <class V>
void describe(V& row, const TrainingProcess::State* s) {
  row("run", "the name of its folder", [=] { return s->run; });
  row("alive", "", [=] { return s->alive; });
  row("failed", "why it ended, where it did not train; may be empty", [=] { return s->failed; });
}

struct RunList {
  std::string folder;
  std::vector<ListedRun> runs;
  std::optional<std::vector<TrainingSet>> sets;
  std::optional<TrainingProcess::State> started;
};
inline std::string_view schema_name(const RunList*) { return "RunList"; }

template <class V>
void describe(V& row, const RunList* l) {
  row("folder", "", [=] { return l->folder; });
  row("runs", "", [=] { return l->runs; });
  row("sets", "that trainings of the page may read; absent where it may start none", [=] { return l->sets; });
  row("started", "the last training that was started from the page", [=] { return l->started; });
}

// A report as one file, to be saved.
struct ReportFileReply {
  std::string html;
};
inline std::string_view schema_name(const ReportFileReply*) { return "ReportFile"; }

template <class V>
void describe(V& row, const ReportFileReply* r) {
  row("html", "the whole file", [=] { return r->html; });
}

// A training that was begun or goes on.
struct StartedRun {
  std::string run;
};
inline std::string_view schema_name(const StartedRun*) { return "StartedRun"; }

template <class V>
void describe(V& row, const StartedRun* s) {
  row("run", "the name of its folder", [=] { return s->run; });
}

// A document that says only that something was done.
struct Done {};
inline std::string_view schema_name(const Done*) { return "Done"; }

template <class V>
void describe(V&, const Done*) {}

struct ServeReply {
  std::string address;
  int64_t port = 0;
};
inline std::string_view schema_name(const ServeReply*) { return "Serve"; }

template <class V>
void describe(V& row, const ServeReply* s) {
  row("address", "with the token", [=] { return s->address; });
  row("port", "", [=] { return s->port; });
}

}  // namespace plimsoll
