// Plimsoll from C++ (17 and later): plimsoll.h with owners. Questions and answers are JSON, read with whatever JSON
// library the caller has; schema/ says what is in them. Nothing here throws but std::bad_alloc.
#ifndef PLIMSOLL_HPP
#define PLIMSOLL_HPP

#include <memory>
#include <string>
#include <string_view>

#include "plimsoll/plimsoll.h"

namespace plimsoll {

// What came of a question: its document, which is an error where the question was not answered.
class Answer {
 public:
  Answer(int code, char* text) : code_(code), json_(text ? text : "") { plimsoll_free(text); }

  int code() const { return code_; }                           // PLIMSOLL_YES, PLIMSOLL_NO, …
  bool answered() const { return code_ <= PLIMSOLL_NO; }       // else json() is an error
  bool yes() const { return code_ == PLIMSOLL_YES; }           // it fits, it can be placed
  const std::string& json() const { return json_; }

 private:
  int code_;
  std::string json_;
};

inline Answer ask(const std::string& verb, const std::string& request) {
  char* text = nullptr;
  const int code = plimsoll_ask(verb.c_str(), request.c_str(), &text);
  return {code, text};
}

// A network that was read from the bytes of an .onnx file. Several threads may ask about one.
class Model {
 public:
  static Model read(std::string_view bytes) {
    plimsoll_model* model = nullptr;
    char* error = nullptr;
    const int code = plimsoll_load_model(bytes.data(), bytes.size(), &model, &error);
    return Model(model, Answer(code, error).json());
  }

  explicit operator bool() const { return model_ != nullptr; }
  const std::string& error() const { return error_; }  // why there is none

  Answer ask(const std::string& verb, const std::string& request) const {
    char* text = nullptr;
    const int code = plimsoll_ask_model(verb.c_str(), model_.get(), request.c_str(), &text);
    return {code, text};
  }

 private:
  Model(plimsoll_model* model, std::string error) : model_(model, plimsoll_free_model), error_(std::move(error)) {}

  std::shared_ptr<plimsoll_model> model_;
  std::string error_;
};

inline std::string version() { return plimsoll_version(); }

}  // namespace plimsoll

#endif
