// Affine maps: affine_map<(d0, d1) -> (d1, d0 * 2 + 1)>, and #aliases of them.
#include <algorithm>

#include <fmt/format.h>

#include "ir/parser.h"

namespace mo {

struct Parser::MapDims {
  std::vector<Token> names;
};

/// c0*d0 + ... + constant.
struct Parser::Row {
  std::vector<int64_t> coefficients; // one per dim
  int64_t constant = 0;
  bool overflowed = false; // some number did not fit in 64 bits

  bool is_constant() const {
    return std::all_of(coefficients.begin(), coefficients.end(), [](int64_t c) { return c == 0; });
  }
  void add(const Row& other, int64_t factor) {
    overflowed |= other.overflowed;
    for (size_t d = 0; d < coefficients.size(); ++d)
      add_product(coefficients[d], other.coefficients[d], factor);
    add_product(constant, other.constant, factor);
  }
  void scale(int64_t factor) {
    for (int64_t& c : coefficients)
      overflowed |= __builtin_mul_overflow(c, factor, &c);
    overflowed |= __builtin_mul_overflow(constant, factor, &constant);
  }

private:
  void add_product(int64_t& sum, int64_t number, int64_t factor) {
    int64_t product = 0;
    overflowed |= __builtin_mul_overflow(number, factor, &product);
    overflowed |= __builtin_add_overflow(sum, product, &sum);
  }
};

AffineMap Parser::parse_map() {
  if (tok_.is(TokenKind::Hash)) {
    const Token name = take();
    const auto found = aliases_.find(name.text);
    if (bad_aliases_.contains(name.text))
      throw Abandoned(); // it has been reported where it is defined
    if (found == aliases_.end())
      fail(DiagId::UnknownAlias, name.loc,
           fmt::format("{} is not defined above this line", describe(name)));
    return found->second.first;
  }
  if (!accept_word("affine_map"))
    fail_expected("affine_map<...> or a #name of one");
  return parse_map_literal();
}

AffineMap Parser::parse_map_literal() {
  expect('<');
  MapDims dims;
  parse_map_dims(dims);
  if (tok_.is('['))
    fail(DiagId::MapSymbol, tok_.loc, "a map with symbols: only dims, (d0, d1, ...), are known");
  if (!tok_.is(TokenKind::Arrow))
    fail_expected("'->'");
  advance();
  const Loc results_loc = tok_.loc;
  expect('(');
  std::vector<Row> rows;
  while (!tok_.is(')')) {
    const Loc row_loc = tok_.loc;
    rows.push_back(parse_sum(dims, 0));
    if (rows.back().overflowed)
      fail(DiagId::IntegerTooLarge, row_loc, "a number of this row does not fit in 64 bits");
    if (rows.size() > AffineMap::kMaxDims)
      fail(DiagId::MapTooLarge, results_loc,
           fmt::format("a map has at most {} results", AffineMap::kMaxDims));
    if (!accept(','))
      break;
  }
  expect(')');
  expect('>');

  const auto num_dims = static_cast<unsigned>(dims.names.size());
  AffineMap map(num_dims, static_cast<unsigned>(rows.size()));
  for (unsigned r = 0; r < rows.size(); ++r) {
    for (unsigned d = 0; d < num_dims; ++d)
      map.set_coefficient(r, d, rows[r].coefficients[d]);
    map.set_constant(r, rows[r].constant);
  }
  return map;
}

void Parser::parse_map_dims(MapDims& dims) {
  expect('(');
  while (!tok_.is(')')) {
    const Token name = expect(TokenKind::Word, "the name of a dim, like d0");
    for (const Token& earlier : dims.names)
      if (earlier.text == name.text)
        fail(DiagId::MapDimRedefined, name.loc,
             fmt::format("the dim {} is listed twice", cut(name.text)),
             {{earlier.loc, "the first one is here"}});
    dims.names.push_back(name);
    if (dims.names.size() > AffineMap::kMaxDims)
      fail(DiagId::MapTooLarge, name.loc,
           fmt::format("a map has at most {} dims", AffineMap::kMaxDims));
    if (!accept(','))
      break;
  }
  expect(')');
}

Parser::Row Parser::parse_sum(const MapDims& dims, unsigned depth) {
  Row sum = parse_product(dims, depth);
  while (tok_.is('+') || tok_.is('-')) {
    const bool minus = take().is('-');
    sum.add(parse_product(dims, depth), minus ? -1 : 1);
  }
  return sum;
}

Parser::Row Parser::parse_product(const MapDims& dims, unsigned depth) {
  Row product = parse_factor(dims, depth);
  for (;;) {
    if (tok_.is_word("floordiv") || tok_.is_word("ceildiv") || tok_.is_word("mod"))
      fail(DiagId::MapNotAffine, tok_.loc,
           fmt::format("{} in a map: a row is a sum of dims times constants", describe(tok_)));
    if (!tok_.is('*'))
      return product;
    const Token star = take();
    Row factor = parse_factor(dims, depth);
    if (!product.is_constant() && !factor.is_constant())
      fail(DiagId::MapNotAffine, star.loc,
           "a dim times a dim in a map: a row is a sum of dims times constants");
    if (product.is_constant())
      std::swap(product, factor);
    product.overflowed |= factor.overflowed;
    product.scale(factor.constant);
  }
}

Parser::Row Parser::parse_factor(const MapDims& dims, unsigned depth) {
  bool minus = false;
  while (accept('-'))
    minus = !minus;
  Row row;
  row.coefficients.resize(dims.names.size());
  if (tok_.is(TokenKind::Integer)) {
    row.constant = to_int64(take(), /*negative=*/false);
  } else if (tok_.is('(')) {
    if (depth >= kMaxDepth)
      fail(DiagId::TooDeep, tok_.loc, fmt::format("more than {} nested parentheses", kMaxDepth));
    advance();
    row = parse_sum(dims, depth + 1);
    expect(')');
  } else {
    const Token name = expect(TokenKind::Word, "a dim or a number");
    size_t d = 0;
    while (d < dims.names.size() && dims.names[d].text != name.text)
      ++d;
    if (d == dims.names.size())
      fail(DiagId::MapUnknownDim, name.loc,
           fmt::format("{} is not one of the {} dim{} of this map", describe(name), d,
                       d == 1 ? "" : "s"));
    row.coefficients[d] = 1;
  }
  if (minus)
    row.scale(-1);
  return row;
}

} // namespace mo
