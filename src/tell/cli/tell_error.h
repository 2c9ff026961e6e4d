// An Error as a user sees it: one line on stderr, with --json the same as a document on stdout.
#pragma once

#include "base/result.h"

namespace plimsoll {

int exit_code_of(const Error& error);

// Returns the exit code.
int tell_error(const Error& error, bool json);

}  // namespace plimsoll
