// The cards of NVIDIA's aiconfigurator, whose measurements of collectives and kernels are among the facts: by the names
// that it has for them, the catalog's.
#pragma once

#include <map>
#include <string>

namespace plimsoll {

inline const std::map<std::string, std::string>& measured_cards() {
  static const std::map<std::string, std::string> cards{{"a100_sxm", "nvidia-a100-80gb"},
                                                        {"h200_sxm", "nvidia-h200"},
                                                        {"b300_sxm", "nvidia-b300"},
                                                        {"rtx_pro_6000_server", "nvidia-rtx-pro-6000-server"}};
  return cards;
}

}  // namespace plimsoll
