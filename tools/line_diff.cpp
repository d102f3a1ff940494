#include "tools/line_diff.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace mo {
namespace {

// Lines as numbers: equal lines have equal numbers, counted from 0.
struct Numbered {
  std::vector<uint32_t> before, after;
  uint32_t num_lines = 0;
};

Numbered numbered(const std::vector<std::string_view>& before,
                  const std::vector<std::string_view>& after) {
  Numbered result;
  std::unordered_map<std::string_view, uint32_t> number_of;
  const auto number = [&](std::string_view line) {
    return number_of.try_emplace(line, static_cast<uint32_t>(number_of.size())).first->second;
  };
  for (std::string_view line : before)
    result.before.push_back(number(line));
  for (std::string_view line : after)
    result.after.push_back(number(line));
  result.num_lines = static_cast<uint32_t>(number_of.size());
  return result;
}

// Lines [a, a_end) of the text before against [b, b_end) of the text after.
struct Stretch {
  uint32_t a, a_end, b, b_end;
};
using Match = std::pair<uint32_t, uint32_t>; // a line before, the line after that it is

// Myers' walk over the edit graph of a stretch: from (0, 0) to (n, m), right where a line goes,
// down where one comes, and along a diagonal for nothing where lines are equal. After d
// differences, rounds_[d][k + d] is the farthest x on diagonal k = x - y, or -1 where the walk
// cannot be.
class GreedyWalk {
public:
  GreedyWalk(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b, const Stretch& s)
      : a_(a), b_(b), s_(s), n_(static_cast<int32_t>(s.a_end - s.a)),
        m_(static_cast<int32_t>(s.b_end - s.b)) {}

  /// The lines that stay; none where there are too many differences.
  std::vector<Match> run() {
    for (int32_t d = 0; d <= std::min(n_ + m_, kMostDifferences); ++d) {
      rounds_.emplace_back(2 * static_cast<size_t>(d) + 1, -1);
      for (int32_t k = -d; k <= d; k += 2) {
        int32_t x = entry(d, k).x;
        if (x < 0)
          continue;
        while (x < n_ && x - k < m_ && a_[s_.a + x] == b_[s_.b + x - k])
          ++x;
        rounds_[d][k + d] = x;
        if (x == n_ && x - k == m_)
          return walk_back();
      }
    }
    return {};
  }

private:
  static constexpr int32_t kMostDifferences = 1000; // memory grows by its square

  struct Entry {
    int32_t x = -1;
    bool from_above = false; // diagonal k + 1, else k - 1
  };
  // Where the walk arrives on diagonal k by its d-th difference.
  Entry entry(int32_t d, int32_t k) const {
    if (d == 0)
      return {0, false};
    const int32_t above = reach(d - 1, k + 1), left = reach(d - 1, k - 1);
    const int32_t down = above >= 0 && above - k <= m_ ? above : -1;
    const int32_t right = left >= 0 && left < n_ ? left + 1 : -1;
    return down >= right ? Entry{down, true} : Entry{right, false};
  }
  int32_t reach(int32_t d, int32_t k) const { return k < -d || k > d ? -1 : rounds_[d][k + d]; }

  std::vector<Match> walk_back() const {
    std::vector<Match> found;
    int32_t x = n_, k = n_ - m_;
    for (auto d = static_cast<int32_t>(rounds_.size()) - 1; d >= 0; --d) {
      const Entry start = entry(d, k);
      for (; x > start.x; --x)
        found.push_back({s_.a + x - 1, s_.b + x - 1 - k});
      x -= start.from_above ? 0 : 1;
      k += start.from_above ? 1 : -1;
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

  const std::vector<uint32_t>&a_, &b_;
  Stretch s_;
  int32_t n_, m_;
  std::vector<std::vector<int32_t>> rounds_;
};

// Finds the lines that stay, in order.
class Matcher {
public:
  explicit Matcher(const Numbered& n)
      : a_(n.before), b_(n.after), seen_a_(n.num_lines), seen_b_(n.num_lines) {}

  std::vector<Match> run() {
    match({0, size(a_), 0, size(b_)}, 0);
    return std::move(matches_);
  }

private:
  static constexpr unsigned kDeepest = 32; // nested stretches with unique lines

  static uint32_t size(const std::vector<uint32_t>& v) { return static_cast<uint32_t>(v.size()); }

  void match(Stretch s, unsigned depth) {
    for (; s.a < s.a_end && s.b < s.b_end && a_[s.a] == b_[s.b]; ++s.a, ++s.b)
      matches_.push_back({s.a, s.b});
    const Stretch with_tail = s;
    while (s.a < s.a_end && s.b < s.b_end && a_[s.a_end - 1] == b_[s.b_end - 1])
      --s.a_end, --s.b_end;
    if (s.a < s.a_end && s.b < s.b_end)
      match_middle(s, depth);
    for (uint32_t k = 0; k < with_tail.a_end - s.a_end; ++k)
      matches_.push_back({s.a_end + k, s.b_end + k});
  }

  // First and last lines differ.
  void match_middle(const Stretch& s, unsigned depth) {
    const std::vector<Match> anchors =
        depth < kDeepest ? longest_ascending(unique_lines(s)) : std::vector<Match>();
    if (anchors.empty())
      return match_greedily(s);
    uint32_t a = s.a, b = s.b;
    for (const auto& [next_a, next_b] : anchors) {
      match({a, next_a, b, next_b}, depth + 1);
      matches_.push_back({next_a, next_b});
      a = next_a + 1;
      b = next_b + 1;
    }
    match({a, s.a_end, b, s.b_end}, depth + 1);
  }

  // Lines that occur once on each side of the stretch, in the order before.
  std::vector<Match> unique_lines(const Stretch& s) {
    struct Forget { // leaves the tables as they were, at the cost of the stretch only
      Matcher& m;
      const Stretch& s;
      ~Forget() {
        for (uint32_t i = s.a; i < s.a_end; ++i)
          m.seen_a_[m.a_[i]] = m.seen_b_[m.a_[i]] = {};
        for (uint32_t j = s.b; j < s.b_end; ++j)
          m.seen_a_[m.b_[j]] = m.seen_b_[m.b_[j]] = {};
      }
    } forget{*this, s};
    for (uint32_t i = s.a; i < s.a_end; ++i)
      seen_a_[a_[i]].add(i);
    for (uint32_t j = s.b; j < s.b_end; ++j)
      seen_b_[b_[j]].add(j);
    std::vector<Match> unique;
    for (uint32_t i = s.a; i < s.a_end; ++i)
      if (seen_a_[a_[i]].times == 1 && seen_b_[a_[i]].times == 1)
        unique.push_back({i, seen_b_[a_[i]].last});
    return unique;
  }

  // The longest part of `pairs` (ascending in the first) that ascends in the second, by patience
  // sorting: piles[k] ends the best chain of length k + 1.
  static std::vector<Match> longest_ascending(const std::vector<Match>& pairs) {
    constexpr uint32_t kNone = UINT32_MAX;
    std::vector<uint32_t> piles, previous(pairs.size(), kNone);
    for (uint32_t i = 0; i < pairs.size(); ++i) {
      const auto pile =
          std::lower_bound(piles.begin(), piles.end(), pairs[i].second,
                           [&](uint32_t p, uint32_t line) { return pairs[p].second < line; });
      if (pile != piles.begin())
        previous[i] = *(pile - 1);
      if (pile == piles.end())
        piles.push_back(i);
      else
        *pile = i;
    }
    std::vector<Match> chain;
    for (uint32_t i = piles.empty() ? kNone : piles.back(); i != kNone; i = previous[i])
      chain.push_back(pairs[i]);
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  void match_greedily(const Stretch& s) {
    const std::vector<Match> found = GreedyWalk(a_, b_, s).run();
    matches_.insert(matches_.end(), found.begin(), found.end());
  }

  struct Seen {
    uint32_t times = 0, last = 0;
    void add(uint32_t where) { ++times, last = where; }
  };

  const std::vector<uint32_t>&a_, &b_;
  std::vector<Seen> seen_a_, seen_b_; // by the number of the line
  std::vector<Match> matches_;
};

std::vector<DiffPiece> pieces_between(const std::vector<Match>& matches, uint32_t size_before,
                                      uint32_t size_after) {
  std::vector<DiffPiece> pieces;
  uint32_t a = 0, b = 0;
  const auto change_until = [&](uint32_t a_end, uint32_t b_end) {
    if (a < a_end || b < b_end)
      pieces.push_back({DiffPiece::Kind::Changed, a, a_end - a, b, b_end - b});
    a = a_end;
    b = b_end;
  };
  for (const auto& [line, new_line] : matches) {
    change_until(line, new_line);
    if (pieces.empty() || pieces.back().kind != DiffPiece::Kind::Same)
      pieces.push_back({DiffPiece::Kind::Same, a, 0, b, 0});
    ++pieces.back().count;
    ++pieces.back().new_count;
    ++a;
    ++b;
  }
  change_until(size_before, size_after);
  return pieces;
}

} // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<DiffPiece> diff_lines(const std::vector<std::string_view>& before,
                                  const std::vector<std::string_view>& after) {
  return pieces_between(Matcher(numbered(before, after)).run(),
                        static_cast<uint32_t>(before.size()), static_cast<uint32_t>(after.size()));
}

namespace {

// The pieces that stand together in a diff: changes no more than two contexts apart, and the
// context on either side.
struct Hunk {
  uint32_t first, count, new_first, new_count;
  std::vector<DiffPiece> pieces;
};

// A hunk's first or last piece of unchanged lines: only the context is shown.
DiffPiece last_lines(DiffPiece p, uint32_t n) {
  const uint32_t skip = p.count - std::min(p.count, n);
  return {p.kind, p.first + skip, p.count - skip, p.new_first + skip, p.new_count - skip};
}
DiffPiece first_lines(DiffPiece p, uint32_t n) {
  p.count = p.new_count = std::min(p.count, n);
  return p;
}

Hunk hunk_of(std::vector<DiffPiece> pieces) {
  const DiffPiece &first = pieces.front(), &last = pieces.back();
  return {first.first, last.first + last.count - first.first, first.new_first,
          last.new_first + last.new_count - first.new_first, std::move(pieces)};
}

std::vector<Hunk> hunks_of(const std::vector<DiffPiece>& all, unsigned context) {
  std::vector<Hunk> hunks;
  std::vector<DiffPiece> pieces; // of the hunk that is being filled
  for (size_t i = 0; i < all.size(); ++i) {
    const DiffPiece& piece = all[i];
    if (piece.kind == DiffPiece::Kind::Changed) {
      pieces.push_back(piece);
    } else if (!pieces.empty() && i + 1 < all.size() && piece.count <= 2 * uint64_t{context}) {
      pieces.push_back(piece);
    } else {
      if (!pieces.empty()) {
        pieces.push_back(first_lines(piece, context));
        hunks.push_back(hunk_of(std::move(pieces)));
        pieces.clear();
      }
      if (i + 1 < all.size())
        pieces.push_back(last_lines(piece, context));
    }
  }
  if (!pieces.empty())
    hunks.push_back(hunk_of(std::move(pieces)));
  return hunks;
}

// "12,3": three lines from line 12 on; an empty range names the line before it.
std::string range(uint32_t first, uint32_t count) {
  const std::string start = std::to_string(count == 0 ? first : first + 1);
  return count == 1 ? start : start + "," + std::to_string(count);
}

class UnifiedWriter {
public:
  explicit UnifiedWriter(bool color) : color_(color) {}

  void line(std::string_view text, std::string_view color) {
    if (color_)
      text_.append(color);
    text_.append(text);
    text_.append(color_ && !color.empty() ? "\x1b[0m\n" : "\n");
  }
  void lines(char sign, const std::vector<std::string_view>& all, uint32_t first, uint32_t count,
             std::string_view color) {
    for (uint32_t i = first; i < first + count; ++i)
      line(sign + std::string(all[i]), color);
  }
  std::string take() { return std::move(text_); }

private:
  bool color_;
  std::string text_;
};

} // namespace

std::string unified_diff(std::string_view before, std::string_view after, const DiffStyle& style) {
  constexpr std::string_view kBold = "\x1b[1m", kCyan = "\x1b[36m", kRed = "\x1b[31m",
                             kGreen = "\x1b[32m";
  const std::vector<std::string_view> old_lines = lines_of(before), new_lines = lines_of(after);
  const std::vector<Hunk> hunks = hunks_of(diff_lines(old_lines, new_lines), style.context);
  if (hunks.empty())
    return "";
  UnifiedWriter out(style.color);
  out.line("--- " + style.before_name, kBold);
  out.line("+++ " + style.after_name, kBold);
  for (const Hunk& hunk : hunks) {
    out.line("@@ -" + range(hunk.first, hunk.count) + " +" + range(hunk.new_first, hunk.new_count) +
                 " @@",
             kCyan);
    for (const DiffPiece& piece : hunk.pieces) {
      if (piece.kind == DiffPiece::Kind::Same) {
        out.lines(' ', old_lines, piece.first, piece.count, "");
        continue;
      }
      out.lines('-', old_lines, piece.first, piece.count, kRed);
      out.lines('+', new_lines, piece.new_first, piece.new_count, kGreen);
    }
  }
  return out.take();
}

} // namespace mo
