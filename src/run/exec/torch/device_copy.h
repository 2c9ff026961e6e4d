// Bytes between the host and the device that torch was opened for; over when the call returns.
#pragma once

#include <span>

namespace plimsoll {

void copy_to_device(std::byte* to, std::span<const std::byte> from);
void copy_to_host(std::span<std::byte> to, std::byte* from);
void copy_on_device(std::byte* to, std::byte* from, size_t bytes);
void clear_on_device(std::byte* data, size_t bytes);

}  // namespace plimsoll
