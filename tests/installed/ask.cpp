// A network from the bytes of a file, weighed and fitted from C++: plimsoll.hpp alone.
#include <fstream>
#include <iostream>
#include <iterator>
#include <plimsoll/plimsoll.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1], std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  const plimsoll::Model model = plimsoll::Model::read(bytes);
  if (!model) {
    std::cerr << model.error() << "\n";
    return 1;
  }
  const plimsoll::Answer weight = model.ask("weigh", R"({"top": 1})");
  const plimsoll::Answer load = model.ask("fit", R"({"memory": "8GiB", "batch": 1, "brief": true})");
  if (!weight.answered() || weight.json().find("\"params\": 11689512") == std::string::npos || !load.yes()) {
    std::cerr << weight.json() << load.json();
    return 1;
  }
  const plimsoll::Answer none = plimsoll::ask("place", R"({"model": "no-such-network"})");
  if (none.answered() || none.json().find("plimsoll.error/1") == std::string::npos) return 1;
  std::cout << "plimsoll " << plimsoll::version() << " answers C++\n";
}
