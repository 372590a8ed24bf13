"""The commands: a file for each, such as `gs_opt.py`, and a folder for what it does."""
