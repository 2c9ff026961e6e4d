// Two threads that count without a lock: ThreadSanitizer has to say so.
#include <thread>

int main() {
  int count = 0;
  const auto add = [&] {
    for (int i = 0; i < 1000; ++i) ++count;
  };
  std::thread one(add), other(add);
  one.join();
  other.join();
  return count == 2000 ? 0 : 1;
}
