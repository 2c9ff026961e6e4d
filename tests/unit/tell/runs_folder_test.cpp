// The runs folder as the page's server sees it: what is a run, who runs it, what is new; nothing outside it.
#include "tell/serve/runs_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "tell/serve/run_feed.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

class RunsFolderTest : public testing::Test {
 protected:
  std::string make_run(const std::string& name) const {
    fs::create_directories(folder_.path() + "/runs/" + name);
    folder_.write("runs/" + name + "/config.json", R"({"model": "mlp", "batch": 32})");
    folder_.write("runs/" + name + "/log.jsonl", R"({"event":"step","step":1,"loss":2.5})"
                                                 "\n");
    return folder_.path() + "/runs/" + name;
  }

  TemporaryFolder folder_;
  RunsFolder runs_{folder_.path() + "/runs"};
  PageTrainings trainings_{runs_, std::nullopt};
};

TEST_F(RunsFolderTest, ThereMayBeNone) { EXPECT_TRUE(runs_.list().empty()); }

TEST_F(RunsFolderTest, ListsRunsAndNothingElse) {
  make_run("one");
  make_run("two");
  fs::create_directories(folder_.path() + "/runs/empty");
  folder_.write("runs/file", "x");
  fs::create_directories(folder_.path() + "/outside");
  folder_.write("outside/config.json", R"({"model": "secret"})");
  fs::create_symlink(folder_.path() + "/outside", folder_.path() + "/runs/link");
  fs::create_directories(folder_.path() + "/runs/inner-link");
  fs::create_symlink(folder_.path() + "/outside/config.json", folder_.path() + "/runs/inner-link/config.json");
  fs::create_directories(folder_.path() + "/runs/pipe");
  ASSERT_EQ(mkfifo((folder_.path() + "/runs/pipe/config.json").c_str(), 0600), 0);
  const Json json = runs_json(runs_, trainings_);
  EXPECT_EQ(json["runs"].size(), 2u);
  EXPECT_EQ(json.dump().find("secret"), std::string::npos);
  EXPECT_EQ(json["runs"][0]["model"], "mlp");
  EXPECT_EQ(json["runs"][0]["running"], false);
}

TEST_F(RunsFolderTest, ALogThatIsALinkIsNotRead) {
  const std::string run = make_run("one");
  fs::remove(run + "/log.jsonl");
  folder_.write("secret", "{\"event\":\"step\"}\n");
  fs::create_symlink(folder_.path() + "/secret", run + "/log.jsonl");
  int64_t offset = 0;
  EXPECT_TRUE(runs_.log_from(runs_.list()[0], offset).empty());
}

TEST_F(RunsFolderTest, ReadsWhatIsNewOfALog) {
  const std::string run = make_run("one");
  int64_t offset = 0;
  EXPECT_EQ(runs_.log_from(runs_.list()[0], offset).size(), 1u);
  EXPECT_TRUE(runs_.log_from(runs_.list()[0], offset).empty());
  std::ofstream(run + "/log.jsonl", std::ios::app) << "{\"event\":\"epoch\"}\nnonsense\n{\"event\":";
  const auto news = runs_.log_from(runs_.list()[0], offset);
  ASSERT_EQ(news.size(), 1u);  // the line that is not whole waits, the one that is none is left out
  EXPECT_EQ(news[0]["event"], "epoch");
  std::ofstream(run + "/log.jsonl", std::ios::app) << "\"end\"}\n";
  EXPECT_EQ(runs_.log_from(runs_.list()[0], offset).at(0)["event"], "end");
}

// Only who holds the lock runs. A lock file that names a process which does not hold it is stale, or a trap.
TEST_F(RunsFolderTest, AStaleLockIsNobody) {
  folder_.write("idle", "");
  const std::string run = make_run("one");
  StartedProgram bystander({"/bin/sleep", "60"});
  folder_.write("runs/one/lock", std::to_string(bystander.pid()) + "\n");
  EXPECT_EQ(runs_.list()[0].pid, 0);
  EXPECT_FALSE(runs_.stop(runs_.list()[0].id).ok());
  EXPECT_EQ(kill(bystander.pid(), 0), 0);
  folder_.write("runs/one/lock", "1\n");
  EXPECT_EQ(runs_.list()[0].pid, 0);
  // Held by us, with another's number in it.
  const FileHandle lock(open((run + "/lock").c_str(), O_RDWR));
  ASSERT_EQ(flock(lock.fd(), LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(runs_.list()[0].pid, 0);
  folder_.write("runs/one/lock", std::to_string(getpid()) + "\n");
  EXPECT_EQ(runs_.list()[0].pid, getpid());
}

TEST_F(RunsFolderTest, AnUnknownRunIsNotStopped) {
  make_run("one");
  for (const char* id : {"", "0", "../one", "one", "1 OR 1"}) EXPECT_FALSE(runs_.stop(id).ok()) << id;
}

TEST_F(RunsFolderTest, AFeedTellsTheListAndThenTheLog) {
  make_run("one");
  const std::atomic<bool> going{false}, ended{true};
  const std::string id = runs_.list()[0].id;
  RunFeed feed(runs_, trainings_, id, going);
  const std::string first = feed.next();
  EXPECT_TRUE(first.starts_with("event: runs\ndata: {")) << first;
  EXPECT_NE(first.find("\"lines\":[{\"event\":\"step\""), std::string::npos) << first;
  folder_.write("runs/one/log.jsonl", R"({"event":"step","step":1,"loss":2.5})"
                                      "\n{\"event\":\"end\",\"how\":\"finished\"}\n");
  const std::string second = feed.next();
  EXPECT_NE(second.find(R"("ended":"finished")"), std::string::npos) << second;  // the list says so too
  EXPECT_NE(second.find("event: log\ndata: {\"run\":\"" + id + "\",\"lines\":[{\"event\":\"end\""), std::string::npos)
      << second;
  EXPECT_EQ(RunFeed(runs_, trainings_, id, ended).next(), "");
}

TEST_F(RunsFolderTest, AFeedFollowsSeveralRuns) {
  make_run("one");
  make_run("two");
  const std::atomic<bool> going{false};
  const auto runs = runs_.list();
  const std::string first = RunFeed(runs_, trainings_, runs[0].id + "," + runs[1].id + ",", going).next();
  for (const auto& run : runs) EXPECT_NE(first.find("\"run\":\"" + run.id + "\""), std::string::npos) << first;
}

TEST_F(RunsFolderTest, HowARunEndedIsReadFromItsLog) {
  make_run("one");
  EXPECT_FALSE(runs_.progress(runs_.list()[0]).ended);
  folder_.write("runs/one/log.jsonl", R"({"event":"epoch","step":9,"val_accuracy":0.5})"
                                      "\n"
                                      R"({"event":"test","step":9,"accuracy":0.75})"
                                      "\n"
                                      R"({"event":"end","step":9,"how":"interrupted"})"
                                      "\n");
  const RunProgress progress = runs_.progress(runs_.list()[0]);
  EXPECT_EQ(progress.ended, "interrupted");
  EXPECT_EQ(progress.accuracy, 0.75);
  EXPECT_EQ(progress.step, 9);
}

}  // namespace
}  // namespace plimsoll
