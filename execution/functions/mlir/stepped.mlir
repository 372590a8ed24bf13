func.func @f(%rows: $source, %result: memref<?x?x$element>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant $step : index
  %lanes = arith.constant $lanes : index
  %spread = arith.constant $spread : index
  %count = memref.dim %result, %c0 : memref<?x?x$element>
  %width = memref.dim %result, %c1 : memref<?x?x$element>
  %length = memref.dim %rows, %c1 : $source
  %end = arith.subi %length, %c1 : index
  %last = arith.subi %width, %lanes : index
  %edge = arith.subi %length, %spread : index
  %long = arith.cmpi sge, %edge, %c0 : index
  scf.parallel (%i) = (%c0) to (%count) step (%c1) {
    scf.if %long {
      scf.for %j = %c0 to %last step %lanes {
        %moved = arith.muli %j, %step : index
        $first
        %many = vector.load %rows[%i, %first] : $source, vector<${spread}x$element>
        %chosen = vector.shuffle %many, %many $order
          : vector<${spread}x$element>, vector<${spread}x$element>
        vector.store %chosen, %result[%i, %j] : memref<?x?x$element>, vector<${lanes}x$element>
      }
      // The last vector ends where the row does.
      %many = vector.load %rows[%i, $ending] : $source, vector<${spread}x$element>
      %chosen = vector.shuffle %many, %many $final
        : vector<${spread}x$element>, vector<${spread}x$element>
      vector.store %chosen, %result[%i, %last] : memref<?x?x$element>, vector<${lanes}x$element>
    } else {
      scf.for %j = %c0 to %width step %c1 {
        %moved = arith.muli %j, %step : index
        $place
        %one = memref.load %rows[%i, %place] : $source
        memref.store %one, %result[%i, %j] : memref<?x?x$element>
      }
    }
    scf.reduce
  }
  return
}
