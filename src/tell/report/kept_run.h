// What a run's configuration says of how it was started, for people who do not have our folders.
#pragma once

#include <string>

#include "base/rows/json.h"

namespace plimsoll {

// A field of the request that the run was started with; `usual` where it was not given.
std::string kept_text(const Json& config, const char* field, const char* usual);

// The last name of a path in such a field.
std::string kept_name(const Json& config, const char* field, const char* usual);

// "this machine", or the device that was asked for.
std::string kept_device(const Json& config);

// What its samples are called: images, or sequences of tokens.
std::string kept_samples(const Json& config);

// "Images/s", for the head of a column.
std::string speed_heading(std::string samples);

// The command that trains such a run again, files and folders by their last names; "" where it is not known.
std::string train_command(const Json& config);

}  // namespace plimsoll
