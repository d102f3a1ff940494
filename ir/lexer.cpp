#include "ir/lexer.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

namespace mo {

namespace {

bool is_digit(unsigned char c) {
  return c >= '0' && c <= '9';
}
bool is_hex_digit(unsigned char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_letter(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_word_start(unsigned char c) {
  return is_letter(c) || c == '_';
}
bool is_word_char(unsigned char c) {
  return is_word_start(c) || is_digit(c) || c == '$' || c == '.';
}
bool is_name_char(unsigned char c) {
  return is_word_char(c) || c == '-';
}
bool is_punct(unsigned char c) {
  return c != 0 && std::strchr("(){}[]<>,:=+-*/?!|", c) != nullptr;
}
bool is_token_start(unsigned char c) {
  return is_word_start(c) || is_digit(c) || is_punct(c) || std::strchr("%@#^\"", c) != nullptr;
}
bool is_blank(unsigned char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

} // namespace

unsigned utf8_length(std::string_view s) {
  const auto byte = [&](size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
  const auto continues = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  if (s.empty())
    return 0;
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80)
    return 1;
  if (first >= 0xC2 && first <= 0xDF)
    return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool overlong = first == 0xE0 && second < 0xA0;
    const bool surrogate = first == 0xED && second >= 0xA0;
    return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && second < 0x90;
    const bool too_large = first == 0xF4 && second >= 0x90;
    return continues(1) && continues(2) && continues(3) && !overlong && !too_large ? 4 : 0;
  }
  return 0;
}

Lexer::Lexer(std::string_view source)
    : cursor_(source.data()), end_(source.data() + source.size()), line_begin_(source.data()) {}

bool Lexer::at(std::string_view s) const {
  return std::string_view(cursor_, static_cast<size_t>(end_ - cursor_)).starts_with(s);
}

void Lexer::skip_blanks() {
  while (cursor_ != end_ && is_blank(*cursor_)) {
    if (*cursor_++ == '\n') {
      line_begin_ = cursor_;
      ++line_;
    }
  }
}

bool Lexer::skip_comment() {
  in_comment_ = true;
  while (cursor_ != end_ && *cursor_ != '\n') {
    const auto c = static_cast<unsigned char>(*cursor_);
    const unsigned length =
        c == 0 ? 0 : utf8_length({cursor_, static_cast<size_t>(end_ - cursor_)});
    if (length == 0)
      return false;
    cursor_ += length;
  }
  in_comment_ = false;
  return true;
}

Token Lexer::take(TokenKind kind, const char* from, const char* to) {
  Token token;
  token.kind = kind;
  token.loc = {line_, static_cast<uint32_t>(cursor_ - line_begin_ + 1)};
  token.text = {from, static_cast<size_t>(to - from)};
  cursor_ = to;
  return token;
}

Token Lexer::next() {
  do {
    skip_blanks();
  } while ((in_comment_ || at("//")) && skip_comment());
  if (in_comment_)
    return take_bad_bytes();
  if (cursor_ == end_)
    return take(TokenKind::End, end_, end_);

  const auto c = static_cast<unsigned char>(*cursor_);
  if (is_word_start(c)) {
    const char* to = cursor_ + 1;
    while (to != end_ && is_word_char(*to))
      ++to;
    return take(TokenKind::Word, cursor_, to);
  }
  if (is_digit(c))
    return take_number();
  switch (c) {
  case '%': return take_name(TokenKind::Percent);
  case '#': return take_name(TokenKind::Hash);
  case '^': return take_name(TokenKind::Caret);
  case '@':
    if (cursor_ + 1 != end_ && cursor_[1] == '"')
      return take_string(TokenKind::At, cursor_ + 1);
    return take_name(TokenKind::At);
  case '"': return take_string(TokenKind::String, cursor_);
  case '/':
    if (at("/*"))
      return take_block_comment();
    break;
  case '-':
    if (at("->"))
      return take(TokenKind::Arrow, cursor_, cursor_ + 2);
    break;
  default: break;
  }
  if (is_punct(c))
    return take(TokenKind::Punct, cursor_, cursor_ + 1);
  return take_bad_bytes();
}

// The names behind % @ # ^: all digits, or an identifier. As in MLIR an @name is a plain word.
Token Lexer::take_name(TokenKind kind) {
  const char* from = cursor_ + 1;
  const char* to = from;
  const bool digits = to != end_ && is_digit(*to);
  const auto allowed = [&](unsigned char c) {
    if (kind == TokenKind::At)
      return is_word_char(c) && !digits;
    return digits ? is_digit(c) : is_name_char(c);
  };
  while (to != end_ && allowed(*to))
    ++to;
  if (to == from) // the sign alone
    return take_bad(DiagId::StrayCharacter, from);
  Token token = take(kind, cursor_, to);
  token.text.remove_prefix(1);
  return token;
}

// 42, 0x2A, 1.0, 1., 1.5e-3. As in MLIR a float has digits before its dot, and `1e5` is no number.
Token Lexer::take_number() {
  const char* to = cursor_;
  const auto skip_digits = [&] {
    while (to != end_ && is_digit(*to))
      ++to;
  };
  if (at("0x") && cursor_ + 2 != end_ && is_hex_digit(cursor_[2])) {
    to += 2;
    while (to != end_ && is_hex_digit(*to))
      ++to;
    return take(TokenKind::Integer, cursor_, to);
  }
  skip_digits();
  if (to == end_ || *to != '.')
    return take(TokenKind::Integer, cursor_, to);
  ++to;
  skip_digits();
  if (to != end_ && (*to == 'e' || *to == 'E')) {
    const char* digits = to + 1;
    if (digits != end_ && (*digits == '+' || *digits == '-'))
      ++digits;
    if (digits != end_ && is_digit(*digits)) {
      to = digits;
      skip_digits();
    }
  }
  return take(TokenKind::Float, cursor_, to);
}

Token Lexer::take_string(TokenKind kind, const char* quote) {
  const char* from = quote + 1;
  const char* to = from;
  bool bad = false;
  DiagId problem{};
  while (to != end_ && *to != '"' && *to != '\n') {
    const bool escape = *to == '\\' && to + 1 != end_ && to[1] != '\n' && to[1] != 0;
    const unsigned length = utf8_length({to, static_cast<size_t>(end_ - to)});
    if (*to == 0 || length == 0) {
      bad = true;
      problem = *to == 0 ? DiagId::NulByte : DiagId::NotUtf8;
      ++to;
    } else {
      to += escape && static_cast<unsigned char>(to[1]) < 0x80 ? 2 : length;
    }
  }
  const bool closed = to != end_ && *to == '"';
  Token token = take(kind, cursor_, closed ? to + 1 : to);
  token.text = {from, static_cast<size_t>(to - from)};
  token.bad = bad || !closed;
  token.problem = closed ? problem : DiagId::UnterminatedString;
  return token;
}

Token Lexer::take_bad(DiagId problem, const char* to) {
  Token token = take(TokenKind::Error, cursor_, to);
  token.bad = true;
  token.problem = problem;
  return token;
}

Token Lexer::take_block_comment() {
  const std::string_view rest(cursor_, static_cast<size_t>(end_ - cursor_));
  const size_t close = rest.find("*/", 2);
  const char* to = close == rest.npos ? end_ : cursor_ + close + 2;
  Token token = take_bad(DiagId::BlockComment, to);
  for (const char c : token.text) // the lines inside
    line_ += c == '\n';
  if (const size_t newline = token.text.rfind('\n'); newline != token.text.npos)
    line_begin_ = token.text.data() + newline + 1;
  return token;
}

// A run of NUL bytes, or of bytes that are not UTF-8, or of characters that are but start no token.
Token Lexer::take_bad_bytes() {
  const auto problem_at = [&](const char* p) -> std::optional<DiagId> {
    if (*p == 0)
      return DiagId::NulByte;
    if (utf8_length({p, static_cast<size_t>(end_ - p)}) == 0)
      return DiagId::NotUtf8;
    if (in_comment_ || is_token_start(*p) || is_blank(*p))
      return std::nullopt;
    return DiagId::StrayCharacter;
  };
  const DiagId problem = problem_at(cursor_).value_or(DiagId::StrayCharacter);
  const char* to = cursor_;
  do
    to += std::max(1u, utf8_length({to, static_cast<size_t>(end_ - to)}));
  while (to != end_ && problem_at(to) == problem);
  return take_bad(problem, to);
}

bool Lexer::next_extent(Token& digits) {
  const Lexer before = *this;
  skip_blanks();
  const char* to = cursor_;
  while (to != end_ && is_digit(*to))
    ++to;
  const bool some = to != cursor_;
  digits = take(TokenKind::Integer, cursor_, to);
  skip_blanks();
  if (some && cursor_ != end_ && *cursor_ == 'x') {
    ++cursor_;
    return true;
  }
  *this = before;
  return false;
}

constexpr size_t kMaxBytes = 60; // of the source in a message

std::string cut(std::string_view text) {
  if (text.size() <= kMaxBytes)
    return std::string(text);
  return std::string(text.substr(0, kMaxBytes)) + "...";
}

std::string quoted(std::string_view text) {
  std::string shown = "'";
  for (size_t i = 0; i < text.size();) {
    if (i >= kMaxBytes) {
      shown += "...";
      break;
    }
    const unsigned length = utf8_length(text.substr(i));
    const auto c = static_cast<unsigned char>(text[i]);
    if (length == 0 || c < 0x20 || c == 0x7F)
      shown += fmt::format("\\{:02X}", c);
    else
      shown += text.substr(i, length);
    i += std::max(1u, length);
  }
  return shown + "'";
}

std::string describe(const Token& token) {
  switch (token.kind) {
  case TokenKind::End: return "the end of the file";
  case TokenKind::Percent: return quoted(fmt::format("%{}", token.text.substr(0, 100)));
  case TokenKind::At: return quoted(fmt::format("@{}", token.text.substr(0, 100)));
  case TokenKind::Hash: return quoted(fmt::format("#{}", token.text.substr(0, 100)));
  case TokenKind::Caret: return quoted(fmt::format("^{}", token.text.substr(0, 100)));
  case TokenKind::String: return fmt::format("the string {}", quoted(token.text));
  default: return quoted(token.text);
  }
}

std::string lexical_error(const Token& token) {
  const auto first = token.text.empty() ? 0u : static_cast<unsigned char>(token.text[0]);
  switch (token.problem) {
  case DiagId::NulByte: return "a NUL byte; the text must be UTF-8 without NUL";
  case DiagId::NotUtf8:
    return token.is(TokenKind::Error)
               ? fmt::format("the byte 0x{:02X} is not UTF-8 here", first)
               : fmt::format("the string {} is not UTF-8", quoted(token.text));
  case DiagId::BlockComment: return "a /* comment: only // comments are known";
  case DiagId::UnterminatedString: return "the string that starts here is not closed on its line";
  default:
    return fmt::format("the character {} (0x{:02X}) starts nothing that is known here",
                       quoted(token.text.substr(0, std::max(1u, utf8_length(token.text)))), first);
  }
}

} // namespace mo
