"""gdb for mini-opt: printers for its data, and the commands `mo ...`.

Loaded by mini-opt-gdb, or in a gdb that runs already by `source tools/gdb/load.py`.
"""

import os
import sys

import gdb

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import mo.commands  # noqa: E402
import mo.printers  # noqa: E402

mo.printers.install()
mo.commands.install()

# `step` at a call goes into what is called, not into std::vector nor an accessor of one line: those are in headers.
for skipped in ("-rfunction ^std::", "-rfunction ^__gnu_cxx::", "-gfile ir/*.h", "-gfile passes/*.h"):
    gdb.execute(f"skip {skipped}", to_string=True)
gdb.execute("set filename-display basename")
# Kernels come with the run: a breakpoint on one waits for it.
gdb.execute("set breakpoint pending on")

if sys.__stdout__.isatty():
    gdb.write("`mo next` goes to the first rewrite, `mo help` lists the commands.\n")
