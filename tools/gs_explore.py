"""`gs-explore`: IR, passes and runs as a page in the browser."""

import sys

from mlir_gs.tools.common.console import tool

main = tool("gs-explore")

if __name__ == "__main__":
    sys.exit(main())
