// Many clients of one server at once: routes, uploads and feeds share what the server keeps. Each gets the answer that
// a client alone gets; under ThreadSanitizer this is where the server's races are found.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "tests/harness/run_program.h"
#include "tests/harness/served_page.h"
#include "tests/onnx_model.h"

namespace plimsoll {
namespace {

using nlohmann::json;

constexpr int kClients = 4, kRounds = 3;

// What a client saw that it should not have seen, a line each. Threads of a test leave EXPECT to the main one.
using Complaints = std::vector<std::string>;

std::string tiny_network() {
  OnnxModel model;
  model.input("x", {"batch", 8});
  model.weight("w", {8, 4});
  model.node("MatMul", {"x", "w"}, {"y"}, "project");
  model.output("y");
  return model.bytes();
}

void expect_reply(const RawReply& reply, const std::string& expected, const char* what, Complaints& complaints) {
  if (reply.status != 200) complaints.push_back(fmt::format("{}: {} {}", what, reply.status, reply.body));
  else if (!expected.empty() && reply.body != expected) complaints.push_back(fmt::format("{}: {}", what, reply.body));
}

// Only the last four uploads are kept: the others' may have pushed this one out before it is asked about.
void upload_and_ask(const ServedPage& page, Complaints& complaints) {
  const RawReply sent = page.post("/api/upload", tiny_network(), "application/octet-stream");
  expect_reply(sent, "", "upload", complaints);
  if (sent.status != 200) return;
  const std::string name = json::parse(sent.body)["model"];
  const RawReply reply = page.post("/api/weigh", json{{"model", name}, {"top", 1}}.dump());
  const bool pushed_out = reply.body.find("is not here any more") != std::string::npos;
  if (reply.status != 200 && !pushed_out) complaints.push_back("an upload is not weighed: " + reply.body);
}

// A tab that is opened and closed again.
void look_at_feed(const ServedPage& page, Complaints& complaints) {
  const int socket = page.connect();
  send_all(socket,
           fmt::format("GET /api/runs/feed HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n", page.host(), page.cookie()));
  char letter = 0;
  if (read(socket, &letter, 1) != 1) complaints.emplace_back("a feed does not begin");
  close(socket);
}

TEST(ServeThreads, EachClientGetsTheAnswersThatOneGetsAlone) {
  const TemporaryFolder folder;
  ServedPage page({"--runs", folder.path()});
  const std::string weigh = R"({"model":"lenet5","top":3})", fit = R"({"model":"lenet5","device":"nvidia-t4"})";
  const std::string weighed = page.post("/api/weigh", weigh).body, fitted = page.post("/api/fit", fit).body;
  const std::string runs = page.get("/api/runs").body;
  std::vector<Complaints> complaints(kClients);
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i)
    clients.emplace_back([&, mine = &complaints[size_t(i)]] {
      for (int round = 0; round < kRounds; ++round) {
        expect_reply(page.post("/api/weigh", weigh), weighed, "weigh", *mine);
        expect_reply(page.post("/api/fit", fit), fitted, "fit", *mine);
        expect_reply(page.get("/api/runs"), runs, "runs", *mine);
        upload_and_ask(page, *mine);
        look_at_feed(page, *mine);
      }
    });
  for (auto& client : clients) client.join();
  for (const auto& mine : complaints)
    for (const auto& line : mine) ADD_FAILURE() << line;
  EXPECT_EQ(page.stop(), 0);
}

}  // namespace
}  // namespace plimsoll
