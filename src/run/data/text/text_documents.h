// TextDocuments: the texts of a corpus, in order: a .txt file is one text, a .jsonl file has one in the "text" of each
// line, a folder has both kinds of files, in the order of their names, also in folders below it.
//
// Files are read in pieces, never whole. A piece ends before a space that follows another character, where no word is
// cut (words.h). What is no UTF-8 text is an error with its place.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "run/data/source_file.h"

namespace plimsoll {

class TextDocuments {
 public:
  // A file or a folder. Errors have the path.
  static Result<TextDocuments> open(const std::string& path);

  // `use` is told of each piece, and whether it is the last one of its text.
  using Use = std::function<Status(std::string_view piece, bool last)>;
  Status each_piece(const Use& use) const;

  const std::shared_ptr<const std::vector<SourceFile>>& files() const { return files_; }
  Bytes size() const;  // of all files
  // Of what the files hold, whatever they are called.
  Result<uint64_t> identity() const;

 private:
  std::shared_ptr<const std::vector<SourceFile>> files_;
};

// Whether the name is that of a file of texts: .txt or .jsonl.
bool is_text_file(const std::string& path);

}  // namespace plimsoll
