// What the C interfaces of both libraries are made of: an answer as text that C can own, and a line that no exception
// crosses.
#pragma once

#include <new>

#include "plan/ask/verb.h"
#include "plimsoll/plimsoll.h"

namespace plimsoll {

// Answers as plimsoll_ask promises it.
int c_answer(const char* verb, const char* request, const AskContext& context, char** answer);

// Writes the error where the answer would be and gives its code.
int c_refuse(const Error& error, char** answer);
int c_refuse(const Error& error, int code, char** answer);

// Runs it so that nothing leaves by another way than the return value.
template <class Work>
int guarded(char** answer, Work work) {
  if (answer) *answer = nullptr;
  try {
    return work();
  } catch (const std::bad_alloc&) {
    try {
      return c_refuse(environment_error("there is not enough memory for the answer"), answer);
    } catch (...) {
      return PLIMSOLL_ENVIRONMENT;
    }
  } catch (...) {
    try {
      return c_refuse(user_error("a bug of ours", "please report it with the request"), PLIMSOLL_BUG, answer);
    } catch (...) {
      return PLIMSOLL_BUG;
    }
  }
}

}  // namespace plimsoll
