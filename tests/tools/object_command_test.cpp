// --emit=obj, --emit=header and --emit=asm as a person uses them, and what the tools of the trade
// say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "tests/support/elf_image.h"
#include "tests/support/process.h"
#include "tools/driver.h"

namespace mo::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kIsas[] = {"--isa=sse4.2", "--isa=avx2", "--isa=avx512"};

std::string example(const std::string& name) {
  return repository_file("examples/" + name + ".tir");
}

std::vector<std::string> all_examples() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(repository_file("examples")))
    if (entry.path().extension() == ".tir")
      files.push_back(entry.path().string());
  return files;
}

// A function of one generic that computes through a temp.
std::string function_text(const std::string& name) {
  return R"(func.func @)" + name + R"((%x: memref<5xf32>, %out: memref<5xf32>) {
  %e = memref.alloc() : memref<5xf32>
  memref.copy %x, %e : memref<5xf32> to memref<5xf32>
  memref.copy %e, %out : memref<5xf32> to memref<5xf32>
  memref.dealloc %e : memref<5xf32>
  return
}
)";
}

struct Object {
  TemporaryDirectory dir;
  std::string path = dir / "k.o";
};

// Emits into object.path; the test fails where that does.
void emit(const Object& object, std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), {"--emit=obj", "-o", object.path});
  const Ended ended = mini_opt(arguments, input);
  ASSERT_EQ(ended.status, 0) << ended.err;
}

TEST(EmitObj, IsWhatReadelfAndObjdumpExpect) {
  for (const char* isa : kIsas) {
    const Object object;
    emit(object, {"--bufferize", isa, example("fusion")});
    const Ended readelf = run_process({"readelf", "--all", "--wide", object.path});
    EXPECT_EQ(readelf.status, 0);
    EXPECT_EQ(readelf.err, "");
    EXPECT_THAT(readelf.out, HasSubstr("FUNC    GLOBAL DEFAULT    1 fusion\n"));
    EXPECT_THAT(readelf.out, Not(HasSubstr("readelf: ")));
    const Ended objdump = run_process({"objdump", "-dr", object.path});
    EXPECT_EQ(objdump.err, "");
    EXPECT_THAT(objdump.out, HasSubstr("<fusion.entry>:"));
    EXPECT_THAT(objdump.out, Not(HasSubstr("(bad)")));
    EXPECT_EQ(ElfImage::read(object.path).undefined_symbols(),
              (std::vector<std::string>{"free", "malloc"}));
  }
}

TEST(EmitObj, LinksIntoASharedLibraryWithoutTextRelocations) {
  for (const std::string& file : all_examples()) {
    const Object object;
    emit(object, {"--fuse", "--elim", file});
    const Ended ld = run_process({"ld", "-shared", "-z", "text", "--fatal-warnings", "-o",
                                  object.dir / "k.so", object.path});
    EXPECT_EQ(ld.status, 0) << file << ld.err;
  }
}

TEST(EmitObj, NamesNothingUndefinedWhereNoTempIsLeft) {
  for (const char* name : {"fusion", "relu_sum", "residual_add", "col_sumsq", "silu"}) {
    const Object object;
    emit(object, {"--fuse", "--elim", example(name)});
    EXPECT_TRUE(ElfImage::read(object.path).undefined_symbols().empty()) << name;
  }
}

TEST(EmitObj, HasDebugInformationThatVerifies) {
  const std::string dwarfdump = find_dwarfdump();
  if (dwarfdump.empty())
    GTEST_SKIP() << "no llvm-dwarfdump on the PATH (Debian package llvm-22)";
  for (const std::string& file : all_examples()) {
    const Object object;
    emit(object, {"--fuse", "--elim", file});
    const Ended ended = run_process({dwarfdump, "--verify", "--error-display=full", object.path});
    EXPECT_EQ(ended.status, 0) << file << ended.out;
    EXPECT_THAT(ended.out, Not(HasSubstr("warning"))) << file;
    const Ended frames = run_process({dwarfdump, "--eh-frame", object.path});
    EXPECT_EQ(frames.err, "");
    EXPECT_THAT(frames.out, HasSubstr("CFA=RBP+16")) << file;
  }
}

// The addresses that objdump gives for a line of the source.
std::set<std::string> addresses_of_line(const Object& object, unsigned line) {
  const Ended lines = run_process({"objdump", "--dwarf=decodedline", object.path});
  std::set<std::string> addresses;
  std::istringstream rows(lines.out);
  const std::regex row(R"(\S+\s+(\d+)\s+(0x[0-9a-f]+|0)(\s.*)?)");
  std::smatch match;
  for (std::string text; std::getline(rows, text);)
    if (std::regex_match(text, match, row) && match[1] == std::to_string(line))
      addresses.insert(match[2]);
  return addresses;
}

TEST(EmitObj, MapsTheVectorLoopAndItsTailToTheLinesOfTheSource) {
  const std::string source = read_file(example("fusion"));
  const auto line_of = [&](const std::string& text) {
    const auto end = source.begin() + static_cast<long>(source.find(text));
    return static_cast<unsigned>(std::count(source.begin(), end, '\n')) + 1;
  };
  for (const char* isa : kIsas) {
    const Object object;
    emit(object, {"--fuse", "--elim", "--nt-stores=never", isa, "-"},
         std::regex_replace(source, std::regex("16777216"), "1001"));
    for (const char* op : {"arith.mulf", "arith.addf", "arith.maximumf"})
      // Four vectors in turns, then single ones, then what is left.
      EXPECT_GE(addresses_of_line(object, line_of(op)).size(), 3u) << op << " " << isa;
    EXPECT_TRUE(addresses_of_line(object, line_of("func.func")).count("0") == 1)
        << "a row at the start of the code";
  }
}

TEST(EmitObj, NamesTheSourceAsItWasGiven) {
  const Object object;
  write_file(object.dir / "my kernel.tir", function_text("f"));
  const Ended ended = run_process(
      {"sh", "-c",
       "cd " + object.dir / "" + " && " + MO_MINI_OPT + " --emit=obj -o k.o 'my kernel.tir'"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  const std::string info = run_process({"readelf", "--debug-dump=info", object.path}).out;
  EXPECT_TRUE(std::regex_search(info, std::regex("DW_AT_name +: my kernel.tir")));
  EXPECT_TRUE(std::regex_search(info, std::regex("DW_AT_comp_dir +: /")));
}

TEST(EmitObj, ADebuggerFindsTheLineAndTheCaller) {
  if (!is_installed("gdb") || !is_installed("cc"))
    GTEST_SKIP() << "no gdb or no C compiler on the PATH";
  const Object object;
  write_file(object.dir / "f.tir", function_text("f"));
  write_file(object.dir / "main.c", "int f(const float *, float *);\n"
                                    "int main(void) {\n"
                                    "  float x[5] = {1}, y[5];\n"
                                    "  return f(x, y);\n"
                                    "}\n");
  const Ended ended = run_process(
      {"sh", "-c",
       "cd " + object.dir / "" + " && " + MO_MINI_OPT +
           " --emit=obj -o k.o f.tir && cc -g main.c k.o -o main &&"
           " gdb -batch -nx -ex 'break f.tir:4' -ex run -ex bt -ex finish -ex finish main"});
  EXPECT_THAT(ended.out, HasSubstr("f.entry () at f.tir:4")) << ended.err;
  EXPECT_TRUE(std::regex_search(ended.out, std::regex("#1 .* in f \\(\\) at f.tir:1")))
      << ended.out;
  EXPECT_TRUE(std::regex_search(ended.out, std::regex("#2 .* in main \\(\\) at main.c:4")))
      << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("main () at main.c:5"));
}

TEST(EmitObj, GivesFunctionsNamesThatCTakes) {
  const Object object;
  emit(object, {"-"}, function_text("a.b$c") + function_text("free") + function_text("class"));
  std::vector<std::string> names;
  for (const ElfImage::Symbol& symbol : ElfImage::read(object.path).symbols())
    if (symbol.global && symbol.defined)
      names.push_back(symbol.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a_b_c", "free_", "class_"}));
  const Ended clash = mini_opt({"--emit=obj", "-"}, function_text("a.b") + function_text("a_b"));
  EXPECT_EQ(clash.status, 1);
  EXPECT_THAT(clash.err, HasSubstr("@a.b and @a_b would both be called a_b in C"));
}

TEST(EmitObj, TakesOneFunctionWhereOneIsNamed) {
  const Object object;
  emit(object, {"--entry=g", "-"}, function_text("f") + function_text("g"));
  for (const ElfImage::Symbol& symbol : ElfImage::read(object.path).symbols())
    EXPECT_NE(symbol.name, "f");
}

TEST(EmitObj, RefusesATerminal) {
  if (!is_installed("script"))
    GTEST_SKIP() << "no script(1) to make a terminal with";
  const Ended ended = run_process(
      {"script", "-qec", std::string(MO_MINI_OPT) + " --elim --emit=obj " + example("fusion"),
       "/dev/null"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.out, HasSubstr("this is a terminal; add -o FILE"));
}

TEST(EmitObj, IsTheSameThroughAPipe) {
  const Object object;
  emit(object, {"--elim", example("fusion")});
  EXPECT_EQ(mini_opt({"--elim", "--emit=obj", example("fusion")}).out, read_file(object.path));
}

TEST(EmitHeader, IsCAndCxx) {
  const TemporaryDirectory dir;
  for (const std::string& file : all_examples()) {
    const Ended header = mini_opt({"--fuse", "--elim", "--emit=header", "-o", dir / "k.h", file});
    ASSERT_EQ(header.status, 0) << header.err;
    write_file(dir / "twice.c", "#include \"k.h\"\n#include \"k.h\"\n");
    for (const std::vector<std::string>& compiler : {std::vector<std::string>{"gcc", "-std=c99"},
                                                     {"gcc", "-std=c17", "-pedantic"},
                                                     {"g++", "-xc++", "-std=c++11", "-pedantic"}}) {
      std::vector<std::string> command = compiler;
      command.insert(command.end(),
                     {"-Wall", "-Wextra", "-Werror", "-fsyntax-only", dir / "twice.c"});
      const Ended ended = run_process(command);
      EXPECT_EQ(ended.status, 0) << compiler[0] << ended.err << read_file(dir / "k.h");
    }
  }
}

TEST(EmitHeader, SaysWhatTheFunctionAsksForAndGives) {
  const std::string fusion =
      mini_opt({"--fuse", "--elim", "--emit=header", "--isa=avx2", example("fusion")}).out;
  EXPECT_THAT(fusion, HasSubstr("int fusion(const float *x, float *out, float s, float b);"));
  EXPECT_THAT(fusion, HasSubstr(" *   x    float[16777216], read\n"));
  EXPECT_THAT(fusion, HasSubstr(" *   out  float[16777216], written\n"));
  EXPECT_THAT(fusion, HasSubstr(" *   s    float, by value\n"));
  EXPECT_THAT(fusion, HasSubstr("AVX2 and FMA"));
  EXPECT_THAT(fusion, HasSubstr("Allocates nothing. Returns 0."));
  const std::string unfused = mini_opt({"--bufferize", "--emit=header", example("fusion")}).out;
  EXPECT_THAT(unfused, HasSubstr("or not 0 where malloc failed"));
}

TEST(EmitHeader, NamesTypesAndParametersAsCDoes) {
  const std::string header = mini_opt({"--emit=header", "-"}, R"(
func.func @f(%0: memref<2x3xi1>, %int: memref<f64>, %a.b: i1, %a_b: i32, %n: index) {
  return
})")
                                 .out;
  EXPECT_THAT(header, HasSubstr("int f(const bool *arg0, const double *int_, bool a_b, int32_t "
                                "a_b_2, int64_t n);"));
  EXPECT_THAT(header, HasSubstr(" *   arg0   bool[2][3], not used\n"));
  EXPECT_THAT(header, HasSubstr(" *   int_   double, one element, not used\n"));
}

TEST(EmitAsm, GivesTheBytesOfTheObjectForEveryExample) {
  if (!is_installed("as"))
    GTEST_SKIP() << "no assembler on the PATH (Debian package binutils)";
  for (const std::string& file : all_examples())
    for (const char* isa : kIsas)
      for (const char* pass : {"--bufferize", "--elim"}) {
        const Object object;
        const std::vector<std::string> flags = {"--fuse", pass, isa, file};
        emit(object, flags);
        std::vector<std::string> command = {"--emit=asm", "-o", object.dir / "k.s"};
        command.insert(command.end(), flags.begin(), flags.end());
        ASSERT_EQ(mini_opt(command).status, 0);
        const std::string assembled = object.dir / "as.o";
        ASSERT_EQ(run_process({"as", object.dir / "k.s", "-o", assembled}).err, "");
        const ElfImage ours = ElfImage::read(object.path), theirs = ElfImage::read(assembled);
        EXPECT_TRUE(ours.section(".text") == theirs.section(".text")) << file << isa << pass;
        EXPECT_TRUE(ours.section(".rodata") == theirs.section(".rodata")) << file << isa << pass;
        EXPECT_EQ(ours.relocations(".text"), theirs.relocations(".text"));
        EXPECT_EQ(ours.undefined_symbols(), theirs.undefined_symbols());
      }
}

bool only_sse(Isa isa) {
  return isa == Isa::SSE42;
}
bool nothing(Isa) {
  return false;
}

TEST(ChosenIsa, MayBeOneThatTheCpuLacksUnlessTheCodeIsToRun) {
  Options options;
  options.isa = Isa::AVX512;
  EXPECT_EQ(std::get<Isa>(chosen_isa(options, false, only_sse)), Isa::AVX512);
  EXPECT_EQ(std::get<std::string>(chosen_isa(options, true, only_sse)),
            "this CPU cannot run avx512 code; the best it has is sse4.2");
  EXPECT_EQ(std::get<std::string>(chosen_isa(options, true, nothing)),
            "this CPU cannot run avx512 code; the best it has is none of the three");
}

TEST(ChosenIsa, IsTheBestOfTheCpuByDefault) {
  EXPECT_EQ(std::get<Isa>(chosen_isa({}, true, only_sse)), Isa::SSE42);
  EXPECT_EQ(std::get<Isa>(chosen_isa({}, false, nothing)), Isa::SSE42);
  EXPECT_THAT(std::get<std::string>(chosen_isa({}, true, nothing)), HasSubstr("lacks SSE4.2"));
}

} // namespace
} // namespace mo::testing
