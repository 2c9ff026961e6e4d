// Adds to the largest number there is: UndefinedBehaviorSanitizer has to say so.
#include <limits>

int main(int argc, char**) {
  volatile int largest = std::numeric_limits<int>::max();
  return largest + argc > 0 ? 0 : 1;
}
