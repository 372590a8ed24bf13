"""Texts that stand in files beside the Python that completes them."""

import os
from functools import cache
from string import Template


@cache
def template(source: str, name: str) -> Template:
    """The file `name` beside the file `source`; `$x` stands for a part that differs."""
    with open(os.path.join(os.path.dirname(source), name), encoding="utf-8") as file:
        return Template(file.read())
