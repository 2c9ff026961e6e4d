// models, asked and answered: which networks are known by name?
#pragma once

#include "base/rows/fields.h"
#include "base/rows/reply.h"
#include "model/zoo/all_models.h"
#include "model/zoo/language_models.h"
#include "plan/weight/weigh.h"

namespace plimsoll {

inline constexpr std::string_view kModelsSchema = "plimsoll.models/1";

struct ModelsRequest {
  bool language = false;

  void describe(Fields& fields);
};

struct KnownModel {
  const ZooModel* model;
  Weight weight;  // of one sample
};

struct ModelsOutcome {
  std::vector<KnownModel> models;
};

struct KnownLanguageModel {
  const LanguageModel* model;
  Count params;
};

struct LanguageModelsOutcome {
  std::vector<KnownLanguageModel> models;
};

Result<ModelsOutcome> ask_models();
Result<LanguageModelsOutcome> ask_language_models();

inline std::string_view schema_name(const KnownModel*) { return "Model"; }

template <class V>
void describe(V& row, const KnownModel* m) {
  row("name", "", [=] { return m->model->name; });
  row("input", "shape of one sample", [=] { return m->model->input.dims(); });
  row("input_dtype", "", [=] { return name_of(m->model->input_type); });
  row("classes", "outputs of the last layer", [=] { return m->model->classes; });
  row("params", "learnable numbers", [=] { return m->weight.params; });
  row("buffers", "", [=] { return m->weight.buffers; });
  row("macs", "multiply-accumulates of one sample", [=] { return m->weight.macs; });
  row("flops", "arithmetic operations of one sample", [=] { return m->weight.flops; });
  row("summary", "", [=] { return m->model->summary; });
}

inline std::string_view schema_name(const KnownLanguageModel*) { return "LanguageModel"; }

template <class V>
void describe(V& row, const KnownLanguageModel* m) {
  row("name", "", [=] { return m->model->name; });
  row("family", "", [=] { return m->model->family; });
  row("params", "learnable numbers", [=] { return m->params; });
  row("summary", "", [=] { return m->model->summary; });
}

inline std::string_view schema_name(const LanguageModelsOutcome*) { return "LanguageModels"; }

template <class V>
void describe(V& row, const LanguageModelsOutcome* o) {
  row("models", "", [=] { return o->models; });
}

inline std::string_view schema_name(const ModelsOutcome*) { return "Models"; }

template <class V>
void describe(V& row, const ModelsOutcome* o) {
  row("models", "", [=] { return o->models; });
}

}  // namespace plimsoll
