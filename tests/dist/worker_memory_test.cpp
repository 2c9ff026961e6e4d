// What each worker takes is what was planned for it: within 2 % or 16 MiB, whichever is more.
#include "tests/dist/workers.h"

namespace plimsoll {
namespace {

using WorkerMemory = Workers;

TEST_F(WorkerMemory, IsThePlannedOneOnEveryRank) {
  for (const char* wire : {"f32", "f16"}) {
    const Ran ran = train(wire, 2, 32, {"--max-steps", "4", "--wire", wire});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const auto json = nlohmann::json::parse(ran.out);
    const auto planned = json["planned_bytes"].get<int64_t>();
    ASSERT_EQ(json["worker_peak_bytes"].size(), 2u);
    for (const auto& peak : json["worker_peak_bytes"])
      EXPECT_LE(std::abs(peak.get<int64_t>() - planned), std::max<int64_t>(planned / 50, 16 << 20)) << ran.out;
    EXPECT_EQ(json["peak_bytes"],
              *std::max_element(json["worker_peak_bytes"].begin(), json["worker_peak_bytes"].end()));
  }
}

}  // namespace
}  // namespace plimsoll
