// Reads one element past the end of a block: AddressSanitizer has to say so.
#include <cstdlib>

int main(int argc, char**) {
  auto* numbers = static_cast<volatile int*>(std::calloc(size_t(3 + argc), sizeof(int)));
  const int past = numbers[3 + argc];
  std::free(const_cast<int*>(numbers));
  return past;
}
