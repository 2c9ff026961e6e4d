// NetworkShelf: networks that were asked about, with the steps that were made of them, so that the next question about
// one is answered at once. Not for several threads.
#pragma once

#include <map>
#include <string>

#include "plan/ask/model_request.h"

namespace plimsoll {

class NetworkShelf {
 public:
  // `uploaded`: the path of a model file that stands for every name that is not known; "" when there is none.
  explicit NetworkShelf(std::string uploaded) : uploaded_(std::move(uploaded)) {}

  Result<std::shared_ptr<const Network>> find(const ModelRequest& request);

  // A name of the zoo or of a language model as it is, else the uploaded file. Never a path of the page's choosing.
  Result<std::string> source_of(const std::string& model) const;

  // The error as whoever sent the file may read it: they know no path of it.
  Error without_path(Error error) const;
  Json without_path(Json document, const std::string& name) const;  // `name`: what the page calls the file

  // Forgets all when this process has grown large.
  void tidy();

 private:
  std::string uploaded_;
  std::map<std::string, std::shared_ptr<const Network>> networks_;
};

}  // namespace plimsoll
