"""What tools/gdb adds to gdb; see README.md one folder up."""
