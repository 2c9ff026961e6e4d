// validate: whether a Program is one that may be planned and run. What it finds is a bug of ours, never a user's: every
// pass must leave a Program of which all of this is true.
//
//   ids        every id is that of a value, and a value is written by one operation at most
//   order      what an operation reads is stored, known or written before it
//   types      outputs are what the operation's own shape rule says; constants are what their values say
//   storage    a value lies in memory that exists, is large enough, and is not overwritten before its last read
//   stored     only updates write parameters; what an operation keeps up to date is in the memory of the old
//   ends       outputs and loss are there when the step ends
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// The first thing that is wrong, with the operation where it is.
Status validate(const Program& program);

}  // namespace plimsoll
