#include "codegen/c_header.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/c_names.h"
#include "codegen/loop_walk.h"

namespace mo {
namespace {

struct BufferAccess {
  bool reads = false, writes = false;
};

std::string_view c_type(ElementType type) {
  switch (type) {
  case ElementType::F32: return "float";
  case ElementType::F64: return "double";
  case ElementType::I1: return "bool";
  case ElementType::I32: return "int32_t";
  default: return "int64_t";
  }
}

// By argument: what the kernel does to the buffer.
std::vector<BufferAccess> accesses(const Kernel& kernel) {
  std::vector<BufferAccess> result(kernel.num_arguments);
  const auto at = [&](const Access& access) -> BufferAccess* {
    const Buffer& buffer = kernel.buffers[access.buffer];
    return buffer.kind == Buffer::Kind::Argument ? &result[buffer.argument] : nullptr;
  };
  for_each_node(kernel.body, 0, [&](const Node& node, unsigned) {
    if (const Load* load = node.as<Load>()) {
      if (BufferAccess* access = at(load->from))
        access->reads = true;
    } else if (const Store* store = node.as<Store>()) {
      if (BufferAccess* access = at(store->to))
        access->writes = true;
    }
  });
  return result;
}

std::vector<std::string> parameter_names(const Function& function) {
  std::vector<std::string> names;
  for (const Argument& argument : function.args)
    names.push_back(function.value(argument.value).name);
  return c_parameter_names(names);
}

bool allocates(const Kernel& kernel) {
  return std::any_of(kernel.body.begin(), kernel.body.end(),
                     [](const Node& node) { return node.as<Alloc>() != nullptr; });
}

// "float[4096][32], read", or "double, by value".
std::string parameter_comment(const Type& type, const BufferAccess& access) {
  std::string text(c_type(type.element));
  if (type.is_scalar())
    return text + ", by value";
  for (int64_t extent : type.shape)
    text += fmt::format("[{}]", extent);
  if (type.shape.empty())
    text += ", one element";
  return text + (access.reads && access.writes ? ", read and written"
                 : access.writes               ? ", written"
                 : access.reads                ? ", read"
                                               : ", not used");
}

std::string_view cpu_features(Isa isa) {
  switch (isa) {
  case Isa::SSE42: return "SSE4.2";
  case Isa::AVX2: return "AVX2 and FMA";
  case Isa::AVX512: return "AVX-512 F, BW, DQ and VL";
  }
  return "";
}

// What may stand in a comment: a name may hold anything.
std::string harmless(std::string_view text) {
  std::string result;
  for (char c : text)
    result += c == '/' && result.ends_with('*') ? ' ' : c;
  std::replace(result.begin(), result.end(), '\n', ' ');
  return result;
}

} // namespace

std::string c_prototype(const Function& function, const Kernel& kernel) {
  const std::vector<std::string> names = parameter_names(function);
  const std::vector<BufferAccess> access = accesses(kernel);
  std::string parameters;
  for (size_t k = 0; k < names.size(); ++k) {
    const Type& type = function.type(function.args[k].value);
    const bool is_const = !type.is_scalar() && !access[k].writes;
    parameters += fmt::format("{}{}{} {}{}", k ? ", " : "", is_const ? "const " : "",
                              c_type(type.element), type.is_scalar() ? "" : "*", names[k]);
  }
  return fmt::format("int {}({})", c_function_name(function.name),
                     parameters.empty() ? "void" : parameters);
}

std::string c_declaration(const Function& function, const Kernel& kernel) {
  const std::vector<std::string> names = parameter_names(function);
  const std::vector<BufferAccess> access = accesses(kernel);
  size_t width = 0;
  for (const std::string& name : names)
    width = std::max(width, name.size());
  std::string text = fmt::format("/* @{}\n", harmless(function.name));
  for (size_t k = 0; k < names.size(); ++k)
    text += fmt::format(" *   {:<{}}  {}\n", names[k], width,
                        parameter_comment(function.type(function.args[k].value), access[k]));
  text +=
      allocates(kernel)
          ? " * Allocates with malloc and frees again. Returns 0; or not 0 where malloc failed:\n"
            " * then nothing has leaked, and what it writes is not complete. */\n"
          : " * Allocates nothing. Returns 0. */\n";
  return text + c_prototype(function, kernel) + ";\n";
}

std::string c_header(const std::vector<std::string>& declarations, Isa isa,
                     std::string_view source) {
  return fmt::format(
      "/* Made by mini-opt from {}.\n"
      " *\n"
      " * Code for x86-64 Linux with {}; calling it on another CPU is undefined.\n"
      " * Buffers are row-major and without gaps. Any address will do; multiples of 64 are "
      "fastest.\n"
      " * No buffer may overlap another one, except that two which are only read may. A bool in\n"
      " * memory is one byte, 0 or 1. The functions are reentrant. Code with math.sin, math.cos "
      "or\n"
      " * math.powf wants -lm when it is linked. */\n"
      "#pragma once\n"
      "\n"
      "#include <stdbool.h>\n"
      "#include <stdint.h>\n"
      "\n"
      "#ifdef __cplusplus\n"
      "extern \"C\" {{\n"
      "#endif\n"
      "\n"
      "{}"
      "\n"
      "#ifdef __cplusplus\n"
      "}}\n"
      "#endif\n",
      harmless(source), cpu_features(isa), fmt::join(declarations, "\n"));
}

} // namespace mo
