# Writes the files of the page into a C++ source:
#   cmake -DOUT=page_parts.cpp -DHTML=page.html -DSTYLE=page.css "-DSCRIPTS=a.js,b.js" -P embed.cmake
# The raw strings end where no file of the page can end them.
function(append_constant name)
  set(text "")
  foreach(file IN LISTS ARGN)
    file(READ "${file}" content)
    string(FIND "${content}" ")page\"" end)
    if(NOT end EQUAL -1)
      message(FATAL_ERROR "${file} holds the mark that ends a raw string")
    endif()
    string(APPEND text "${content}")
  endforeach()
  file(APPEND "${OUT}" "extern const std::string_view ${name};\nconst std::string_view ${name} = R\"page(${text})page\";\n\n")
endfunction()

string(REPLACE "," ";" SCRIPTS "${SCRIPTS}")
file(WRITE "${OUT}" "#include <string_view>\n\nnamespace mo {\n\n")
append_constant(kPageHtml "${HTML}")
append_constant(kPageStyle "${STYLE}")
append_constant(kPageScript ${SCRIPTS})
file(APPEND "${OUT}" "} // namespace mo\n")
