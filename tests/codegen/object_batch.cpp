#include "tests/codegen/object_batch.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "codegen/object_file.h"
#include "runtime/compiled_math.h"
#include "tests/codegen/c_call.h"
#include "tests/codegen/guarded_call.h"
#include "tests/support/elf_image.h"

namespace mo::testing {
namespace {

std::string symbol(size_t number) {
  return fmt::format("kernel{}", number);
}

// Pointers and scalars by value. The bits of a register above a narrow scalar hold nothing useful.
std::vector<CArgument> by_value(const Kernel& kernel, const std::vector<void*>& pointers) {
  constexpr uint64_t kNoise = 0xabcdef0123456780u;
  std::vector<CArgument> arguments;
  for (void* pointer : pointers)
    arguments.push_back({false, reinterpret_cast<uint64_t>(pointer)});
  for (const ScalarParam& scalar : kernel.scalars) {
    const ElementType type = kernel.regs[scalar.reg.index].type;
    CArgument& argument = arguments[scalar.argument];
    argument = {is_float(type), kNoise};
    std::memcpy(&argument.bits, pointers[scalar.argument], byte_size(type));
  }
  return arguments;
}

} // namespace

ObjectBatch::~ObjectBatch() {
  if (library_)
    dlclose(library_);
}

size_t ObjectBatch::add(Kernel kernel, Isa isa, std::string& complaint) {
  const size_t number = kernels_.size();
  kernel.name = symbol(number);
  CodeForm form;
  form.c_function = form.text = true;
  form.number = static_cast<unsigned>(number);
  Diagnostics diagnostics;
  std::optional<MachineCode> code = assemble(kernel, isa, form, diagnostics);
  if (code)
    codes_.push_back(std::move(*code));
  else
    complaint = diagnostics.all().at(0).message;
  kernels_.push_back(std::move(kernel));
  isas_.push_back(isa);
  return number;
}

std::string ObjectBatch::build() {
  const std::vector<std::byte> bytes = object_file(codes_, {"batch.tir", "/nowhere"});
  write_file(object_path(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  std::string text;
  for (const MachineCode& code : codes_)
    text += code.assembly;
  write_file(directory_ / "batch.s", text);
  // No text relocations, and every symbol found: position independent, and only the C library.
  return run_process({"g++", "-shared", "-Wl,-z,text", "-Wl,-z,defs", "-o", directory_ / "batch.so",
                      object_path()})
      .err;
}

std::string ObjectBatch::difference_from_the_assembler() const {
  const std::string path = directory_ / "assembled.o";
  const Ended as = run_process({"as", directory_ / "batch.s", "-o", path});
  if (as.status != 0)
    return as.err;
  const ElfImage ours = ElfImage::read(object_path()), theirs = ElfImage::read(path);
  const std::string text = ours.section(".text"), other = theirs.section(".text");
  const auto at = std::mismatch(text.begin(), text.end(), other.begin(), other.end()).first;
  if (text != other) {
    const auto offset = at - text.begin();
    const auto disassembly = [&](const std::string& object) {
      return run_process({"objdump", "-dr", "-Mintel",
                          fmt::format("--start-address={}", std::max<long>(0, offset - 16)),
                          fmt::format("--stop-address={}", offset + 32), object})
          .out;
    };
    return disassembly(object_path()) + disassembly(path);
  }
  if (ours.section(".rodata") != theirs.section(".rodata"))
    return "the constants differ";
  return ours.relocations(".text") == theirs.relocations(".text") ? "" : "the relocations differ";
}

void* ObjectBatch::function(size_t number) {
  if (!library_)
    library_ = dlopen((directory_ / "batch.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  return library_ ? dlsym(library_, symbol(number).c_str()) : nullptr;
}

std::string ObjectBatch::mismatch(size_t number, const LoopArguments& arguments, size_t misalign,
                                  bool spread) {
  void* target = function(number);
  if (!target)
    return dlerror();
  const Kernel& kernel = kernels_[number];
  const GuardedCall call(kernel, arguments, misalign, spread);
  if (const int status = call_c_function(target, by_value(kernel, call.pointers)))
    return fmt::format("returned {}", status);
  LoopArguments expected = arguments;
  CompiledMath math(isas_[number]);
  evaluate(kernel, expected, VectorLoops::InOrder, &math);
  return call.mismatch(kernel, expected);
}

} // namespace mo::testing
