// Attributes that mean nothing here: read over.
#include <fmt/format.h>

#include "ir/parser.h"

namespace mo {

namespace {

char closing(char open) {
  switch (open) {
  case '(': return ')';
  case '[': return ']';
  case '{': return '}';
  default: return '>';
  }
}

} // namespace

void Parser::skip_attribute() {
  std::string open; // the brackets that are still to be closed, as their closing ones
  do {
    if (tok_.is(TokenKind::End))
      fail_expected(open.empty() ? "an attribute" : fmt::format("'{}'", open.back()));
    if (tok_.is(TokenKind::Punct)) {
      const char c = tok_.text[0];
      if (open.empty() && (c == ',' || c == '}' || c == ')' || c == ']' || c == '>'))
        return;
      if (c == '(' || c == '[' || c == '{' || c == '<') {
        if (open.size() >= kMaxDepth)
          fail(DiagId::TooDeep, tok_.loc, fmt::format("more than {} nested brackets", kMaxDepth));
        open.push_back(closing(c));
      } else if (c == '}' || c == ')' || c == ']' || c == '>') {
        if (c != open.back())
          fail_expected(fmt::format("'{}'", open.back()));
        open.pop_back();
      }
    }
    advance();
  } while (true);
}

void Parser::skip_dictionary() {
  expect('{');
  while (!tok_.is('}')) {
    if (!tok_.is(TokenKind::String))
      expect(TokenKind::Word, "the name of an attribute");
    else
      advance();
    if (accept('='))
      skip_attribute();
    if (!accept(','))
      break;
  }
  expect('}');
}

} // namespace mo
