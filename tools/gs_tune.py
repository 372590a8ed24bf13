"""`gs-tune`: measure this machine, for loops that are made for it."""

import sys

from mlir_gs.tools.common.console import tool

main = tool("gs-tune")

if __name__ == "__main__":
    sys.exit(main())
