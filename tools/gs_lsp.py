"""`gs-lsp`: a language server for editors."""

import sys

from mlir_gs.tools.common.console import tool

main = tool("gs-lsp")

if __name__ == "__main__":
    sys.exit(main())
