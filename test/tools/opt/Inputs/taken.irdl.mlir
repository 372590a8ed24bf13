irdl.dialect @arith {
  irdl.operation @norm {
    %float = irdl.is f32
    %double = irdl.is f64
    irdl.operands(in: %float)
    irdl.results(out: %double)
  }
}
