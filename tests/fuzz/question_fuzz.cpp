// The page's questions under arbitrary bytes: JSON as a browser may send it, answered as the server does. The network
// is always the smallest one: the question is the stranger's.
#include <cstddef>
#include <cstdint>

#include "base/strict_json.h"
#include "one_line.h"
#include "tell/page/page_questions.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plimsoll;
  auto asked = parse_strict_json({reinterpret_cast<const char*>(data), size});
  if (!accepted(asked) || !asked->is_object()) return 0;
  if (const auto request = asked->find("request"); request != asked->end() && request->is_object()) {
    const auto model = request->find("model");
    if (model != request->end() && model->is_string()) *model = "logistic";
  }
  static NetworkShelf shelf("");
  shelf.tidy();
  accepted(answer_page(*asked, shelf));
  return 0;
}
