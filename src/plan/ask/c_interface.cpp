// The C interface (include/plimsoll/plimsoll.h): JSON in and out, by the same rows as everybody else. Nothing is thrown
// over this line and nothing is kept behind it.
#include <cstdlib>

#include "plan/ask/c_answer.h"
#include "plan/ask/model_bytes.h"

struct plimsoll_model {
  plimsoll::ModelSource source;
};

extern "C" {

const char* plimsoll_version(void) { return PLIM_VERSION; }

int plimsoll_ask(const char* verb, const char* request, char** answer) {
  using namespace plimsoll;
  return guarded(answer, [&] { return c_answer(verb, request, {}, answer); });
}

int plimsoll_load_model(const void* bytes, size_t size, plimsoll_model** model, char** error) {
  using namespace plimsoll;
  if (model) *model = nullptr;
  return guarded(error, [&]() -> int {
    if (!bytes || !model) return c_refuse(user_error("bytes or model is null"), error);
    auto loaded = read_model(std::string_view(static_cast<const char*>(bytes), size));
    if (!loaded.ok()) return c_refuse(loaded.error(), error);
    *model = new plimsoll_model{*std::move(loaded)};
    return PLIMSOLL_YES;
  });
}

int plimsoll_ask_model(const char* verb, const plimsoll_model* model, const char* request, char** answer) {
  using namespace plimsoll;
  return guarded(answer, [&]() -> int {
    if (!model) return c_refuse(user_error("model is null"), answer);
    AskContext context;
    context.loaded = &model->source;
    return c_answer(verb, request, context, answer);
  });
}

void plimsoll_free(char* text) { std::free(text); }

void plimsoll_free_model(plimsoll_model* model) { delete model; }

}  // extern "C"
