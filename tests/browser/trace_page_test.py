"""The page of --trace-html, as a person uses it: in a Chromium without a window.

    trace_page_test.py MINI_OPT SOURCE_DIR [TEST...]

Exit status 77 where there is no chromium or no chromedriver: nothing was tested then.
"""

import contextlib
import pathlib
import subprocess
import sys
import tempfile
import unittest

import png
import webdriver
from programs import HOSTILE, function

MINI_OPT = SOURCE = BROWSER = None  # see main


class TracePage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.lab = cls.page_of("lab", ["--fuse", "--elim", f"{SOURCE}/examples/fusion.tir"])

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    @classmethod
    def page_of(cls, name, arguments, text=None):
        """The page's path, made by mini-opt."""
        path = pathlib.Path(cls.directory.name) / f"{name}.html"
        done = subprocess.run([MINI_OPT, f"--trace-html={path}", *arguments], input=text, text=True,
                              capture_output=True, check=False, encoding="utf-8", errors="surrogateescape")
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return path

    def setUp(self):
        BROWSER.devtools("Emulation.clearDeviceMetricsOverride")
        BROWSER.resize(1280, 800)
        BROWSER.prefer("light")
        self.open(self.lab)

    def tearDown(self):
        self.assertEqual(BROWSER.console(), [])

    def open(self, path, hash_=""):
        BROWSER.open("about:blank")
        BROWSER.console()
        BROWSER.requests()
        BROWSER.open(f"file://{path}{hash_}")
        BROWSER.wait_for("return document.querySelector('#detail h2') !== null")

    def text(self, selector):
        return BROWSER.run("return document.querySelector(arguments[0]).textContent", selector)

    def texts(self, selector):
        return BROWSER.run("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)

    def count(self, selector):
        return BROWSER.run("return document.querySelectorAll(arguments[0]).length", selector)

    def heading(self):
        return self.text("#detail h2")

    # ---- loading

    def test_the_page_of_the_lab_is_small_and_asks_for_nothing(self):
        self.assertLess(self.lab.stat().st_size, 300_000)
        asked = [url for url in BROWSER.requests() if not url.startswith(("file:", "about:"))]
        self.assertEqual(asked, [])

    def test_it_starts_at_the_first_rewrite(self):
        self.assertEqual(self.heading(), "fuse %0 into %1 at operand 0")
        self.assertIn("written through (d0) -> (d0)", self.text("#detail .message"))
        self.assertIn("%1 = linalg.generic", self.text("#detail .source"))

    def test_a_screenshot_shows_something(self):
        BROWSER.resize(640, 480)
        rows = png.pixels(BROWSER.screenshot())
        self.assertEqual((len(rows[0]), len(rows)), (640, 480))
        colours = {pixel for row in rows for pixel in row}
        self.assertGreater(len(colours), 50)

    # ---- rewrites

    def test_the_keys_step_through_the_rewrites_and_back(self):
        BROWSER.press("j")
        self.assertEqual(self.heading(), "fuse %1 into %2 at operand 0")
        BROWSER.press(webdriver.DOWN)
        self.assertEqual(self.heading(), "elim")
        BROWSER.press("k", webdriver.UP)
        self.assertEqual(self.heading(), "fuse %0 into %1 at operand 0")

    def test_the_current_step_is_selected_and_focusable(self):
        BROWSER.press("j")
        self.assertEqual(self.count("#steps [aria-selected=true]"), 1)
        self.assertIn("fuse %1 into %2", self.text("#steps [aria-selected=true]"))
        self.assertEqual(self.count("#steps [tabindex='0']"), 1)

    def test_a_rewrite_is_shown_as_a_diff(self):
        removed = "\n".join(self.texts("#detail .line.removed"))
        added = "\n".join(self.texts("#detail .line.added"))
        self.assertIn("ins(%0 : tensor<16777216xf32>)", removed)
        self.assertIn("ins(%xt : tensor<16777216xf32>)", added)
        self.assertGreater(self.count("#detail .changed"), 0)

    def test_what_a_pass_starts_with_is_what_the_one_before_left(self):
        def side(which):
            return BROWSER.run("return [...document.querySelectorAll('#detail .row:not(.heads)')].flatMap(row => "
                               "[...row.children].at(arguments[0]).matches('.line') ? [row.children[arguments[0]]] : "
                               "[...row.children[arguments[0]].children]).map(line => line.querySelector('code').textContent)", which)
        left = side(1)
        BROWSER.press("j")
        self.assertEqual(side(0), left)

    def test_the_search_filters_and_says_how_many_are_left(self):
        BROWSER.press("/")
        BROWSER.press(*"destination")
        shown = self.texts("#steps .item:not([hidden]) .title")
        self.assertEqual(shown, ["elim", "compute %2 in %out"])  # the rewrite under its pass
        self.assertRegex(self.text("#found"), r"^1 of \d+ rewrites and remarks$")
        BROWSER.press(webdriver.ENTER)
        self.assertIn("destination-passed", self.text("#detail .reason"))
        BROWSER.press(webdriver.ESCAPE)
        self.assertEqual(self.count("#steps .item[hidden]"), 0)

    def test_a_search_for_what_is_nowhere_shows_nothing(self):
        BROWSER.press("/")
        BROWSER.press(*"xyzzy")
        self.assertEqual(self.texts("#steps .item:not([hidden]) .title"), [])
        self.assertRegex(self.text("#found"), "^0 of ")

    def test_a_refusal_names_both_maps_and_points_at_the_producer(self):
        self.open(self.page_of("transposed", ["--fuse", f"{SOURCE}/examples/transposed.tir"]))
        BROWSER.press("/")
        BROWSER.press(*"transposed-read", webdriver.ENTER)
        self.assertIn("(d0, d1) -> (d1, d0)", self.text("#detail .message"))
        self.assertIn("the producer is here", self.text("#detail .note"))
        self.assertEqual(self.count("#detail .source"), 2)

    # ---- values

    def test_a_click_on_a_value_highlights_it_everywhere_and_again_lets_go(self):
        BROWSER.click("#detail .line.removed [data-value]")
        name = BROWSER.run("return document.querySelector('#detail .lit').textContent")
        lit = self.texts("#detail .diff .lit")
        self.assertGreater(len(lit), 1)
        self.assertEqual(set(lit), {name})
        self.assertGreater(self.count("#view-code .lit"), 0 if name == "%xt" else -1)
        BROWSER.press(webdriver.ESCAPE)
        self.assertEqual(self.count(".lit"), 0)

    def test_two_values_of_one_name_are_told_apart(self):
        ins = BROWSER.run("return [...document.querySelectorAll('#detail .diff .row > :first-child [data-value]')]"
                          ".filter(e => e.textContent === '%in').map(e => e.dataset.value)")
        self.assertEqual(len(set(ins)), 3)  # each body has its own

    def test_a_value_of_the_ir_is_lit_in_loops_and_assembly_too(self):
        BROWSER.press("2")
        BROWSER.run("[...document.querySelectorAll('.column.ir [data-value]')].find(e => e.textContent === '%m').click()")
        for column in ("ir", "loops", "asm"):
            self.assertEqual(set(self.texts(f".column.{column} .lit")), {"%m"}, column)

    # ---- code

    def line_with(self, column, text):
        """Marks the first line of a column that holds the text, and gives a selector for it."""
        BROWSER.run("document.querySelector('[data-found]')?.removeAttribute('data-found');"
                    "[...document.querySelectorAll(arguments[0])].find(e => e.textContent.includes(arguments[1])).dataset.found = ''",
                    f".column.{column} .line", text)
        return "[data-found]"

    def test_a_line_of_ir_leads_to_its_loops_and_instructions(self):
        BROWSER.press("2")
        BROWSER.click(self.line_with("ir", "arith.mulf") + " .number")
        self.assertEqual(self.texts(".column.loops .held code"), ["    %m = arith.mulf %in, %s : f32"])
        held = self.texts(".column.asm .held")
        self.assertGreater(len(held), 0)
        for line in held:
            self.assertIn("mulps", line)
        self.assertIn("1 line of IR, 1 line of loops", self.text("#linked"))

    def test_an_instruction_leads_back_to_its_loop_and_ir(self):
        BROWSER.press("2")
        BROWSER.click(self.line_with("asm", "store %r") + " .instruction")
        self.assertTrue(any("store.stream %r" in line or "store %r" in line for line in self.texts(".column.loops .held")))
        self.assertTrue(any("linalg.generic" in line for line in self.texts(".column.ir .held")))

    def test_a_loop_leads_both_ways(self):
        BROWSER.press("2")
        BROWSER.click(self.line_with("loops", "arith.maximumf") + " .number")
        self.assertEqual(len(self.texts(".column.ir .held")), 1)
        self.assertGreater(self.count(".column.asm .held"), 0)

    def test_pointing_at_a_line_shows_its_links_without_holding_them(self):
        BROWSER.press("2")
        BROWSER.hover(self.line_with("ir", "arith.addf"))
        self.assertEqual(len(self.texts(".column.loops .hovered")), 1)
        self.assertGreater(self.count(".column.asm .hovered"), 0)
        self.assertEqual(self.count(".held"), 0)

    def test_linked_lines_are_brought_into_sight(self):
        BROWSER.press("2")
        BROWSER.resize(1280, 500)
        BROWSER.click(self.line_with("ir", "arith.maximumf") + " .number")
        in_sight = BROWSER.run("const line = document.querySelector('.column.asm .held').getBoundingClientRect();"
                               "const box = document.querySelector('.column.asm .scroll').getBoundingClientRect();"
                               "return line.top >= box.top && line.bottom <= box.bottom")
        self.assertTrue(in_sight)

    def test_a_column_is_read_with_the_keyboard_alone(self):
        BROWSER.press("2")
        BROWSER.run("document.querySelector('.column.ir .scroll').focus()")
        BROWSER.press("j", "j", "j", "k")
        current = self.text(".column.ir .line.current code")
        self.assertEqual(current, self.texts(".column.ir .line code")[1])
        BROWSER.press("v")
        self.assertGreater(self.count(".column.ir .lit"), 0)
        BROWSER.press("j", "j", "j", "j", webdriver.ENTER)
        self.assertGreater(self.count(".column.ir .held"), 0)
        self.assertGreater(self.count(".column.asm .held"), 0)
        BROWSER.press(webdriver.ESCAPE)
        self.assertEqual(self.count(".held") + self.count(".lit"), 0)

    def test_a_diff_is_read_with_the_keyboard_too(self):
        BROWSER.run("document.querySelector('#detail .diff').focus()")
        BROWSER.press(*"jjjjjj")
        self.assertEqual(self.count("#detail .line.current.removed"), 1)
        BROWSER.press("v")
        self.assertGreater(self.count("#detail .lit"), 0)
        self.assertEqual(self.heading(), "fuse %0 into %1 at operand 0")  # the keys did not step on

    # ---- memory

    def test_the_walks_of_each_variant_are_bars(self):
        BROWSER.press("3")
        self.assertEqual(self.texts("#view-memory .variant strong"), ["A_unfused", "B_fused", "C_unfused_elim", "D_fused_elim"])
        self.assertEqual([int(n) for n in self.texts("#view-memory .total .figure")], [8, 4, 6, 2])
        self.assertEqual(self.count("#view-memory .variant.traced .walk"), 2)

    def test_a_bar_leads_to_its_loop(self):
        BROWSER.press("3")
        BROWSER.click(".variant.traced .walk.writes")
        self.assertTrue(BROWSER.run("return !document.getElementById('view-code').hidden"))
        self.assertTrue(any("for d0" in line for line in self.texts(".column.loops .held")))

    def test_with_ablate_the_square_shows_what_was_measured(self):
        text = pathlib.Path(SOURCE, "examples/fusion.tir").read_text(encoding="utf-8").replace("16777216", "65536")
        path = self.page_of("ablate", ["--ablate=3", f"--json={self.directory.name}/ablate.json", "-"], text)
        self.open(path, "#memory/0/0")
        self.assertEqual(self.texts(".corner h4"), ["A_unfused", "C_unfused_elim", "B_fused", "D_fused_elim"])
        for figure in self.texts(".corner .figure"):
            self.assertRegex(figure, r"^\d+\.\d+ ms$")
        self.assertEqual(self.count(".edge .factor"), 5)
        self.assertEqual(self.texts("#pipelines button"), ["A_unfused", "B_fused", "C_unfused_elim", "D_fused_elim"])
        BROWSER.press("1")
        BROWSER.click("#pipelines button:nth-child(4)")
        self.assertEqual(self.heading(), "fuse %0 into %1 at operand 0")
        self.assertLess(path.stat().st_size, 300_000)

    # ---- looks

    def overflow(self):
        return BROWSER.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def test_at_phone_width_nothing_has_to_be_scrolled_sideways(self):
        BROWSER.resize(390, 844)
        for view in "123":
            BROWSER.press(view)
            self.assertLessEqual(self.overflow(), 0, f"view {view}")
        BROWSER.press("1")
        left = BROWSER.run("const lefts = [...document.querySelectorAll('#detail .differs .line')].map(e => Math.round(e.getBoundingClientRect().left));"
                           "return [...new Set(lefts)].length")
        self.assertEqual(left, 1)  # the diff stacks

    def ground(self):
        return BROWSER.run("return getComputedStyle(document.documentElement).backgroundColor")

    def test_the_dark_page_is_dark_by_preference_and_by_the_button(self):
        light = self.ground()
        BROWSER.prefer("dark")
        dark = self.ground()
        self.assertNotEqual(light, dark)
        BROWSER.press("t")
        self.assertEqual(self.ground(), light)
        BROWSER.click("#theme")
        self.assertEqual(self.ground(), dark)
        BROWSER.press("t")

    def test_text_stands_out_from_its_ground_in_both_themes(self):
        for scheme in ("light", "dark"):
            BROWSER.prefer(scheme)
            for view in "123":
                BROWSER.press(view)
                faint = BROWSER.run(pathlib.Path(__file__).with_name("contrast.js").read_text())
                self.assertEqual(faint, [], f"{scheme}, view {view}")

    def test_what_has_the_focus_is_seen_to_have_it(self):
        seen = set()
        for _ in range(6):
            BROWSER.press(webdriver.TAB)
            outline = BROWSER.run("const s = getComputedStyle(document.activeElement); return [s.outlineStyle, s.outlineWidth]")
            self.assertEqual(outline, ["solid", "3px"])
            seen.add(BROWSER.run("return document.activeElement.id"))
        self.assertGreater(len(seen), 4)  # it moves on

    def test_every_control_has_a_name(self):
        nameless = BROWSER.run("return [...document.querySelectorAll('button, input, select, [role=listbox], [role=tabpanel], [role=radiogroup]')]"
                               ".filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.labels?.length))"
                               ".map(e => e.outerHTML)")
        self.assertEqual(nameless, [])

    def test_on_paper_all_views_are_there(self):
        BROWSER.devtools("Emulation.setEmulatedMedia", media="print")
        try:
            shown = BROWSER.run("return [...document.querySelectorAll('.view')].map(e => getComputedStyle(e).display !== 'none')")
            self.assertEqual(shown, [True, True, True])
        finally:
            BROWSER.devtools("Emulation.setEmulatedMedia", media="")

    # ---- other programs

    def test_no_byte_of_the_input_becomes_markup(self):
        self.open(self.page_of("hostile", ["--fuse", "--elim", "-"], HOSTILE))
        self.assertEqual(self.count("#broken, img"), 0)
        self.assertNotIn("broken", BROWSER.run("return document.title"))
        self.assertIn("</script><img src=x", self.text("#detail .source"))
        self.assertIn("⟨U+202E⟩", self.text("#detail .source"))
        BROWSER.press("2")
        self.assertIn("a</script><b id=broken>%x@", self.text("#view-code h2"))

    def test_bytes_that_are_no_text_do_not_stop_the_page(self):
        name = self.directory.name + "/\udcff\udcfe\x01<b id=broken>.tir"
        with open(name, "w", encoding="utf-8") as file:
            file.write(function("f", 2))
        self.open(self.page_of("bytes", ["--fuse", "--elim", name]))
        self.assertIn("\ufffd\ufffd⟨U+0001⟩<b id=broken>", self.text("#file"))
        self.assertEqual(self.count("#broken"), 0)

    def test_without_passes_it_says_so_and_shows_the_input(self):
        self.open(self.page_of("nothing", [f"{SOURCE}/examples/fusion.tir"]))
        self.assertEqual(self.heading(), "The input")
        self.assertIn("No pass was asked for", self.text("#detail .explanation"))
        BROWSER.press("2")
        self.assertIn("add --bufferize or --elim", self.text(".column.asm .empty"))

    def test_a_pass_that_finds_nothing_says_so(self):
        self.open(self.page_of("one", ["--fuse", "-"], function("one", 1)))
        BROWSER.press("j")
        self.assertIn("left everything as it was", self.text("#detail .explanation"))

    def test_a_function_of_buffers_has_code_and_no_corners(self):
        buffers = subprocess.run([MINI_OPT, "--elim", "-"], input=function("b", 2), text=True, capture_output=True, check=True).stdout
        self.open(self.page_of("buffers", ["-"], buffers), "#memory/0/0")
        self.assertEqual(self.texts(".variant strong"), ["as written"])
        BROWSER.press("2")
        self.assertGreater(self.count(".column.asm .line"), 10)

    def test_an_empty_module_is_a_page_too(self):
        self.open(self.page_of("empty", ["--fuse", "-"], ""))
        BROWSER.press("2")
        self.assertIn("no function", self.text("#view-code .empty"))
        BROWSER.press("3")
        self.assertIn("no function", self.text("#view-memory .empty"))

    def test_each_of_several_functions_has_its_code(self):
        self.open(self.page_of("several", ["--fuse", "--elim", "-"], function("first", 2) + function("second", 3)), "#code/0/0")
        self.assertIn("@first", self.text(".column.loops .line"))
        BROWSER.run("const s = document.getElementById('function'); s.value = 1; s.dispatchEvent(new Event('change'))")
        self.assertIn("@second", self.text(".column.loops .line"))
        BROWSER.press("1")
        self.assertTrue(any("in @second" in text for text in self.texts("#steps .sub")))

    def test_thousands_of_rewrites_are_cut_short_and_the_page_says_so(self):
        path = self.page_of("long", ["--fuse", "--elim", "-"], function("long", 4000))
        self.assertLess(path.stat().st_size, 16_000_000)
        self.open(path)
        self.assertIn("left out", self.text("#found"))
        self.assertEqual(self.heading(), "fuse %v0 into %v1 at operand 0")


def main():
    global MINI_OPT, SOURCE, BROWSER
    MINI_OPT, SOURCE = sys.argv[1:3]
    programs = webdriver.find_programs()
    if programs is None:
        print("SKIPPED: no chromium with chromedriver here, so the trace page was opened in no browser", file=sys.stderr)
        return 77
    with contextlib.closing(webdriver.Browser(*programs)) as BROWSER:
        ended = unittest.main(argv=[sys.argv[0], *sys.argv[3:]], exit=False, verbosity=2)
    return 0 if ended.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
