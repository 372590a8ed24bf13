  // Vectors are written out: LLVM does not know that the edges are no part of the result.
  %value = vector.load %values[%k] : memref<?x$value>, vector<${n}x$value>
  %firsts = vector.broadcast %first : $edge to vector<${n}x$edge>
  %finals = vector.broadcast %final : $edge to vector<${n}x$edge>
  %scaling = vector.broadcast %scale : $edge to vector<${n}x$edge>
  %counts = vector.broadcast %count : i32 to vector<${n}xi32>
  %greatest = vector.broadcast %most : i32 to vector<${n}xi32>
  %zero = arith.constant dense<0.0> : vector<${n}x$edge>
  %i0 = arith.constant dense<0> : vector<${n}xi32>
  %ones = arith.constant dense<1> : vector<${n}xi32>
  %all = arith.constant dense<true> : vector<${n}xi1>
  %x = $converted
  %above = arith.cmpf oge, %x, %firsts : vector<${n}x$edge>
  %below = arith.cmpf ole, %x, %finals : vector<${n}x$edge>
  %inside = arith.andi %above, %below : vector<${n}xi1>
  %moved = arith.subf %x, %firsts : vector<${n}x$edge>
  %scaled = arith.mulf %moved, %scaling : vector<${n}x$edge>
  %guess = arith.select %inside, %scaled, %zero : vector<${n}xi1>, vector<${n}x$edge>
  %truncated = arith.fptosi %guess : vector<${n}x$edge> to vector<${n}xi32>
  %low = arith.maxsi %truncated, %i0 : vector<${n}xi32>
  %bin = arith.minsi %low, %greatest : vector<${n}xi32>
  %floor = arith.sitofp %bin : vector<${n}xi32> to vector<${n}x$edge>
  %part = arith.subf %guess, %floor : vector<${n}x$edge>
  %nears = vector.broadcast %near : $edge to vector<${n}x$edge>
  %fars = vector.broadcast %far : $edge to vector<${n}x$edge>
  %at_start = arith.cmpf ole, %part, %nears : vector<${n}x$edge>
  %at_end = arith.cmpf oge, %part, %fars : vector<${n}x$edge>
  %at_edge = arith.ori %at_start, %at_end : vector<${n}xi1>
  %unsure = arith.andi %at_edge, %inside : vector<${n}xi1>
  %checked = vector.reduction <or>, %unsure : vector<${n}xi1> into i1
  %compared = scf.if %checked -> vector<${n}xi32> {
    %start = vector.gather %edges[%c0] [%bin], %all, %zero : memref<?x$edge>, vector<${n}xi32>,
        vector<${n}xi1>, vector<${n}x$edge> into vector<${n}x$edge>
    %after = vector.gather %edges[%c1] [%bin], %all, %zero : memref<?x$edge>, vector<${n}xi32>,
        vector<${n}xi1>, vector<${n}x$edge> into vector<${n}x$edge>
    %early = arith.cmpf olt, %x, %start : vector<${n}x$edge>
    %reaches = arith.cmpf oge, %x, %after : vector<${n}x$edge>
    %is_last = arith.cmpi eq, %bin, %greatest : vector<${n}xi32>
    %back = arith.select %early, %ones, %i0 : vector<${n}xi1>, vector<${n}xi32>
    %on = arith.select %reaches, %ones, %i0 : vector<${n}xi1>, vector<${n}xi32>
    %forth = arith.select %is_last, %i0, %on : vector<${n}xi1>, vector<${n}xi32>
    %left = arith.subi %bin, %back : vector<${n}xi32>
    %right = arith.addi %left, %forth : vector<${n}xi32>
    %safe = arith.maxsi %right, %i0 : vector<${n}xi32>
    scf.yield %safe : vector<${n}xi32>
  } else {
    scf.yield %bin : vector<${n}xi32>
  }
  %number = arith.select %inside, %compared, %counts : vector<${n}xi1>, vector<${n}xi32>
  vector.store %number, %result[%k] : memref<?xi32>, vector<${n}xi32>
