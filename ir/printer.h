// The printer: appends to one string. Private to ir/print_*.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/function.h"
#include "ir/located_text.h"

namespace mo {

/// #map, #map1, ... for the maps of a module, by their text.
class MapAliases {
public:
  void add(const Module& module); // in order of appearance
  void add(const Function& function);
  /// "#map1", or the map itself, affine_map<...>, if it has no alias.
  std::string name(const AffineMap& map) const;
  std::string definitions() const; // "#map = affine_map<(d0) -> (d0)>\\n..."
  std::string definitions(const Function& function) const; // of those that it uses

private:
  std::string definition(size_t number) const;
  std::unordered_map<std::string, size_t> number_of_;
  std::vector<std::string> texts_;
};

/// @__constant_4xf32, ... for the constant buffers of a module, by type and value.
class ConstantNames {
public:
  void reserve(const Module& module);                          // names that are taken by functions
  void add(const Function& function);                          // in order of appearance
  std::string name(const DenseOp& op, const Type& type) const; // with the @
  /// "memref.global "private" constant @__constant_4xf32 : memref<4xf32> = dense<...>\n..."
  std::string definitions(unsigned indent) const;

private:
  static std::string key(const DenseOp& op, const Type& type);
  std::unordered_map<std::string, std::string> name_of_; // by type and value, as text
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, size_t> next_suffix_;
  std::vector<std::string> definitions_;
};

class Printer {
public:
  Printer(const Function& function, const MapAliases& aliases, const ConstantNames& constants,
          unsigned indent);
  void print_function();
  void print_op(const Op& op);
  std::string take() { return std::move(out_); }
  /// The text so far and where its parts are from, behind `before`, which is from nowhere.
  LocatedText take_located(std::string before);

private:
  void line();             // starts one
  void from(Loc loc);      // what follows is there for it
  void put(ValueId value); // its name
  void print_signature();
  void print_results(const Op& op);
  void print_names(const std::vector<ValueId>& values);  // "%a, %b"
  void print_types(const std::vector<ValueId>& values);  // "f32, f32"
  void print_typed(const std::vector<ValueId>& values);  // "%a, %b : f32, f32"
  void print_arrow(const std::vector<ValueId>& results); // " -> T", " -> (T, T)", or nothing
  std::string name(ValueId value) const;                 // "%r#1"
  std::string type(ValueId value) const;

  void print_kind(const Op&, const GenericOp&);
  void print_kind(const Op&, const FillOp&);
  void print_kind(const Op&, const DenseOp&);
  void print_kind(const Op&, const EmptyOp&);
  void print_kind(const Op&, const ToTensorOp&);
  void print_kind(const Op&, const MaterializeOp&);
  void print_kind(const Op&, const AllocOp&);
  void print_kind(const Op&, const DeallocOp&);
  void print_kind(const Op&, const CopyOp&);
  void print_kind(const Op&, const ScalarInst&);
  void print_kind(const Op&, const ReturnOp&);
  void print_kind(const Op&, const ErasedOp&);

  void print_inst(const ScalarInst& inst);
  void print_body(const Op& op, const Body& body);

  const Function& function_;
  const MapAliases& aliases_;
  const ConstantNames& constants_;
  std::vector<std::string> names_; // by ValueId::index, value_names.h
  unsigned indent_;
  std::string out_;
  std::vector<LocatedText::Place> places_;
  struct Put {
    size_t at, size;
    ValueId value;
  };
  std::vector<Put> puts_;
};

/// "dense<...>" of a tensor of that type.
std::string dense_text(const DenseOp& op, const Type& type);

} // namespace mo
