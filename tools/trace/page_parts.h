// The files of tools/trace/page, as they are built into the program (embed.cmake).
#pragma once

#include <string_view>

namespace mo {

extern const std::string_view kPageHtml;   // page.html, with marks where the others go
extern const std::string_view kPageStyle;  // page.css
extern const std::string_view kPageScript; // page/*.js, one after the other

} // namespace mo
