"""gs-opt with StableHLO's dialects in its context."""

import sys
from typing import Any

from mlir_gs.frontend.stablehlo_common import register_dialects
from mlir_gs.tools import gs_opt, opt_session

new_context = opt_session.new_context


def context(**options: Any) -> Any:
    made = new_context(**options)
    register_dialects(made)
    return made


opt_session.new_context = context
sys.exit(gs_opt.main())
