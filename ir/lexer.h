// Text to tokens. Private to the parser.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/diagnostic.h"
#include "ir/location.h"

namespace mo {

enum class TokenKind : uint8_t {
  End,     // of the text; `text` is empty
  Word,    // arith.addf, tensor, x: a letter or _, then letters, digits, _ $ .
  Percent, // %name, %0: `text` is without the %
  At,      // @name, @"any text": without the @ and the quotes
  Hash,    // #map, #0: without the #
  Caret,   // ^bb0: without the ^
  Integer, // 42, 0x2A
  Float,   // 1.0, 1.e-3
  String,  // "...": without the quotes, escapes as they stand
  Punct,   // one of ( ) { } [ ] < > , : = + - * / ? ! |
  Arrow,   // ->
  Error,   // no token
};

struct Token {
  TokenKind kind = TokenKind::End;
  bool bad =
      false; // `problem` is to be reported; a bad token that is no Error still stands for itself
  DiagId problem{};
  Loc loc;
  std::string_view text; // points into the source

  bool is(char punct) const { return kind == TokenKind::Punct && text[0] == punct; }
  bool is(TokenKind k) const { return kind == k; }
  bool is_word(std::string_view word) const { return kind == TokenKind::Word && text == word; }
};

/// Reads tokens from the front of a text that outlives it. Copying a lexer marks a place to come
/// back to.
class Lexer {
public:
  explicit Lexer(std::string_view source);

  /// The next token. Text that starts no token comes as a bad Error, a run of it as one. A string
  /// that is not closed ends with its line, and is bad.
  Token next();

  /// One component of a shape, `4x8xf32`, where a plain token would run together: digits and the x
  /// behind them. Leaves everything where it is if there are no digits followed by an x.
  bool next_extent(Token& digits);

private:
  void skip_blanks();
  bool skip_comment(); // false where the rest of it has to be read later: a bad byte is in the way
  bool at(std::string_view s) const;
  Token take(TokenKind kind, const char* from, const char* to);
  Token take_name(TokenKind kind);
  Token take_number();
  Token take_string(TokenKind kind, const char* quote);
  Token take_bad(DiagId problem, const char* to);
  Token take_block_comment();
  Token take_bad_bytes();

  const char* cursor_ = nullptr;
  const char* end_ = nullptr;
  const char* line_begin_ = nullptr;
  uint32_t line_ = 1;
  bool in_comment_ = false; // the cursor stands inside a // comment
};

/// What is wrong with a bad token.
std::string lexical_error(const Token& token);

/// The token as a message shows it: in quotes, cut if long; "the end of the file" for End.
std::string describe(const Token& token);

/// The text, or the front of it and "..." if it is long.
std::string cut(std::string_view text);

/// Text from the source, in quotes, safe to show in a message: cut if long, no control bytes.
std::string quoted(std::string_view text);

/// Length of the UTF-8 sequence at the front of `text`; 0 if there is none (RFC 3629).
unsigned utf8_length(std::string_view text);

} // namespace mo
