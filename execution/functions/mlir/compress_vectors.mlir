      // A vector is written as a whole, where it does not reach what others write.
      %flat = memref.collapse_shape %rows [[0, 1]] : $matrix into memref<?x$t>
      %new = memref.collapse_shape %result [[0, 1]] : $matrix into memref<?x$t>
      %np = arith.addi %p, %c1 : index
      %following = memref.load %starts[%np] : memref<?xi64>
      %end = arith.index_cast %following : i64 to index
      %lanes = arith.constant $lanes : index
      %unset = arith.constant dense<0> : vector<${lanes}xi8>
      %poison = ub.poison : vector<${lanes}x$word>
      %begin, %room = scf.while (%k = %start, %at = %from) : (index, index) -> (index, index) {
        %kn = arith.addi %k, %lanes : index
        %an = arith.addi %at, %lanes : index
        %reads = arith.cmpi ule, %kn, %stop : index
        %writes = arith.cmpi ule, %an, %end : index
        %both = arith.andi %reads, %writes : i1
        scf.condition(%both) %k, %at : index, index
      } do {
      ^bb0(%k: index, %at: index):
        %flags = vector.load %mask[%k] : memref<?xi8>, vector<${lanes}xi8>
        %set = arith.cmpi ne, %flags, %unset : vector<${lanes}xi8>
        %given = vector.load %flat[%k] : memref<?x$t>, vector<${lanes}x$t>
        $widen
        %kept = llvm.call_intrinsic "llvm.experimental.vector.compress"(%words, %set, %poison)
            : (vector<${lanes}x$word>, vector<${lanes}xi1>, vector<${lanes}x$word>)
            -> vector<${lanes}x$word>
        $narrow
        vector.store %packed, %new[%at] : memref<?x$t>, vector<${lanes}x$t>
        %bits = vector.bitcast %set : vector<${lanes}xi1> to vector<1xi$lanes>
        %word = vector.extract %bits[0] : i$lanes from vector<1xi$lanes>
        %number = math.ctpop %word : i$lanes
        %count = arith.index_castui %number : i$lanes to index
        %later = arith.addi %k, %lanes : index
        %then = arith.addi %at, %count : index
        scf.yield %later, %then : index, index
      }
