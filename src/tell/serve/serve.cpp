#include "tell/serve/serve.h"

#include <fmt/format.h>

#include <csignal>

#include "tell/serve/page_server.h"

namespace plimsoll {

Status serve(const ServeOptions& options, const std::function<void(const ServeAddress&)>& ready) {
  // All threads are started with the signals held back, so that only this one hears them.
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGINT);
  sigaddset(&stop, SIGTERM);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &stop, &before);
  std::signal(SIGPIPE, SIG_IGN);  // a browser that went away is an error of a write, not an end
  PLIM_ASSIGN(Listening listening, listen_on_loopback(options.port));
  PLIM_ASSIGN(const Session session, Session::make(listening.port));
  PageServer page(session, listening.port, options);
  PLIM_ASSIGN(auto server, HttpServer::start(std::move(listening.socket), page));
  ready({fmt::format("http://127.0.0.1:{}/#token={}", listening.port, session.token()), listening.port});
  int signal = 0;
  sigwait(&stop, &signal);
  page.end();
  server.reset();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return {};
}

}  // namespace plimsoll
