// The parser: recursive descent over the tokens, one token of lookahead. Private to ir/parse_*.cpp.
//
// A function of the parser reads one thing off the front and returns it. Where it finds something
// else it reports that and throws Abandoned, which is caught where reading can go on: at the
// statement (parse_function.cpp), the generic (parse_generic.cpp) or the file level (parse.cpp). No
// exception leaves parse().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/diagnostic.h"
#include "ir/function.h"
#include "ir/lexer.h"

namespace mo {

class Parser {
public:
  Parser(const SourceFile& source, Diagnostics& diagnostics);
  /// Reports what is wrong.
  void parse_file();
  /// The functions in which nothing was wrong.
  Module take_module() { return std::move(module_); }

private:
  /// What was being read cannot be read; it has been reported.
  struct Abandoned {};
  /// There are so many errors that reading on helps nobody.
  struct TooManyErrors {};

  // Brackets may nest this deep, in maps, lists and attributes: what bounds the recursion.
  static constexpr unsigned kMaxDepth = 100;
  // Errors found before reading stops. More than Diagnostics keeps, since they are sorted by place.
  static constexpr size_t kStopAfter = 10 * Diagnostics::kMaxErrors;

  /// Stands for every value that could not be read; fits everywhere and names no row.
  static constexpr ValueId kPoison{UINT32_MAX - 1};

  struct ResultName {
    std::string_view name;
    Loc loc;
    uint32_t count = 1; // %name:count
  };
  using Names = std::vector<ResultName>; // in front of an op; empty if there are none

  // ---- tokens (parse.cpp)
  void advance();
  Token peek() const; // the token behind the current one
  Token take();       // the current one; moves on
  bool accept(char punct);
  bool accept_word(std::string_view word);
  Token expect(TokenKind kind, std::string_view what);
  void expect(char punct);
  void expect_word(std::string_view word);
  bool at_line_start() const { return tok_.loc.line != previous_end_line_; }

  // ---- errors and recovery (parse.cpp)
  void error(DiagId id, Loc loc, std::string message, std::vector<Note> notes = {});
  [[noreturn]] void fail(DiagId id, Loc loc, std::string message, std::vector<Note> notes = {});
  [[noreturn]] void fail_expected(std::string_view what); // ... and found the current token
  bool starts_statement() const; // a line that reads like an op, a return, a block or a function
  void skip_to_statement();      // or to the } that closes what we are in, or the end
  void flush_errors();

  // ---- file level (parse.cpp)
  void parse_top_level(bool in_module);
  void parse_top_level_item(bool in_module);
  void parse_alias();
  void parse_module();
  void skip_location(); // loc(...), if there is one
  void skip_nested_module();
  void define_symbol(const Token& name); // of a function or a global

  // ---- constants of the module (parse_global.cpp)
  struct Global {
    Type type;
    DenseOp value;
    Loc loc;
    bool used = false;
  };
  void parse_global();
  void parse_get_global(const Names& names, const Token& op);

  // ---- functions (parse_function.cpp)
  void parse_function();
  void parse_signature();
  void parse_argument();
  void parse_argument_attributes(Argument& argument);
  void parse_function_body();
  void parse_statement();
  void parse_return();

  // ---- names (parse_names.cpp)
  struct Name {
    ValueId first; // of `count` values in a row; kPoison if the definition could not be read
    uint32_t count = 1;
    Loc loc;
  };
  ValueId parse_operand(); // a use: %x, %x#1
  std::vector<ValueId> parse_operands();
  ValueId use(const Token& name, std::optional<uint64_t> number);
  void define(std::string_view name, Loc loc, ValueId first, uint32_t count = 1);
  void define_poison(std::string_view name, Loc loc);
  Names parse_result_names();
  /// New values of these types, under these names. An error, and poison, where the counts differ.
  std::vector<ValueId> define_results(const Names& names, std::vector<Type> types, Loc op_loc,
                                      std::string_view op);
  void poison_results(const Names& names);
  void check_type(ValueId value, const Type& written, Loc use_loc);
  /// The values, and as many types behind a colon; checked against each other.
  std::vector<ValueId> parse_typed_operands();
  std::string display(ValueId value) const;
  size_t enter_scope() const { return scope_.size(); }
  void leave_scope(size_t mark);
  void report_unresolved(size_t first_use, bool end_of_function);

  // ---- ops (parse_op.cpp, parse_constant.cpp)
  void parse_op(const Names& names);
  void finish_op(const Names& names, const Token& op, Op::Kind kind, std::vector<Type> types);
  [[noreturn]] void fail_unknown_op(const Token& op);
  void parse_constant(const Names& names, const Token& op);
  void parse_empty(const Names& names, const Token& op);
  void parse_fill(const Names& names, const Token& op);
  void parse_to_tensor(const Names& names, const Token& op);
  void parse_materialize(const Names& names, const Token& op);
  void parse_alloc(const Names& names, const Token& op);
  void parse_dealloc(const Names& names, const Token& op);
  void parse_copy(const Names& names, const Token& op);
  void parse_generic(const Names& names, const Token& op);
  std::vector<ValueId> parse_list(std::string_view keyword); // ins(%a, %b : type, type)
  struct FunctionOp {
    std::string_view spelling;
    void (Parser::*parse)(const Names&, const Token& op);
  };
  static const FunctionOp kFunctionOps[9]; // the ops that stand between the { } of a function
  static const FunctionOp* function_op(std::string_view spelling);

  // ---- scalar ops, in a body or between the ops of a function (parse_scalar.cpp)
  ScalarInst parse_scalar(ScalarOp op, const Names& names, const Token& word);
  void parse_scalar_operands(ScalarInst& inst, std::vector<Loc>& locs);
  void parse_scalar_constant(ScalarInst& inst, Type& type);
  void parse_arith_flags();
  uint8_t parse_predicate(ScalarOp op);
  Type parse_scalar_type(std::string_view op);

  // ---- generics (parse_generic.cpp)
  void parse_generic_header(GenericOp& op, const Token& word);
  void parse_generic_attributes(GenericOp& op, const Token& word);
  std::vector<AffineMap> parse_indexing_maps();
  std::vector<IteratorType> parse_iterator_types();
  bool skip_to_body();
  void parse_body(Body& body);
  void parse_body_arguments(Body& body);
  void parse_body_statements(Body& body);
  void parse_body_statement(Body& body);
  Token op_of_statement() const; // the op of the statement that starts here

  // ---- types, maps, attributes, literals
  Type parse_type();
  /// [-> type | -> (type, ...)]. `attributes`: in the parentheses, each may have {..}, not kept.
  std::vector<Type> parse_arrow_types(bool attributes = false);
  Type parse_shaped_type(Type::Kind kind, const Token& word);
  ElementType parse_element_type();
  AffineMap parse_map();         // affine_map<...> or #alias
  AffineMap parse_map_literal(); // behind affine_map: <...>
  struct Row;                    // a linear expression while it is read
  struct MapDims;
  void parse_map_dims(MapDims& dims);
  Row parse_sum(const MapDims& dims, unsigned depth);
  Row parse_product(const MapDims& dims, unsigned depth);
  Row parse_factor(const MapDims& dims, unsigned depth);
  void skip_attribute();  // a value of any kind: to the , or the closing bracket
  void skip_dictionary(); // {...}

  struct Literal {
    bool negative = false;
    Token token;
  };
  int64_t to_int64(const Token& token, bool negative);
  Literal parse_literal();
  uint64_t magnitude(const Token& integer);
  uint64_t literal_bits(const Literal& literal, ElementType type);
  uint64_t integer_bits(const Literal& literal, ElementType type);
  uint64_t float_bits(const Literal& literal, ElementType type);
  struct DenseText;
  DenseOp parse_dense(Type& type);          // dense<...> : type
  DenseOp parse_dense_of(const Type& type); // dense<...>
  DenseOp dense_value(const DenseText& text, const Type& type);
  DenseText parse_dense_text();
  void parse_dense_list(DenseText& text, unsigned depth);
  void check_dense_shape(const DenseText& text, const Type& type);
  DenseOp dense_from_bytes(const Token& bytes, const Type& type);
  DenseOp dense_from_literals(const DenseText& text, const Type& type);

  Lexer lexer_;
  Diagnostics& diagnostics_;
  std::vector<Diagnostic> errors_; // in the order found; sorted when handed on
  Token tok_;
  uint32_t previous_end_line_ = 0; // where the token before tok_ is

  Module module_;
  std::unordered_map<std::string_view, std::pair<AffineMap, Loc>> aliases_;
  std::unordered_set<std::string_view> bad_aliases_;  // whose maps cannot be read
  std::unordered_map<std::string_view, Loc> symbols_; // functions and globals
  std::unordered_map<std::string_view, Global> globals_;
  size_t copied_elements_ = 0; // of globals that are used more than once

  // Of the function being read.
  Function function_;
  std::unordered_map<std::string_view, Name> names_; // those visible here
  std::vector<std::string_view> scope_;              // the same in order of definition
  std::vector<Token> unresolved_;                    // uses of names that are not defined so far
};

} // namespace mo
