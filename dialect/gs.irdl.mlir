module {
  irdl.dialect @gs {
    irdl.operation @gather {
      %0 = irdl.any
      %1 = irdl.any
      irdl.operands(source: %0, indices: %1)
      %2 = irdl.any
      irdl.attributes {"gather_dims" = %2}
      %3 = irdl.any
      irdl.results(output: %3)
    }
    irdl.operation @yield {
      %0 = irdl.any
      %1 = irdl.any
      irdl.operands(value: %0, more: variadic %1)
    }
    irdl.operation @scatter {
      %0 = irdl.any
      %1 = irdl.any
      %2 = irdl.any
      irdl.operands(updates: %0, dest: %1, indices: %2)
      %3 = irdl.any
      irdl.attributes {"scatter_dims" = %3}
      %4 = irdl.any
      irdl.results(output: %4)
      %5 = irdl.region
      irdl.regions(combiner: %5)
    }
    irdl.operation @gather_elements {
      %0 = irdl.any
      %1 = irdl.any
      irdl.operands(source: %0, indices: %1)
      %2 = irdl.any
      irdl.attributes {"dim" = %2}
      %3 = irdl.any
      irdl.results(output: %3)
    }
    irdl.operation @scatter_elements {
      %0 = irdl.any
      %1 = irdl.any
      %2 = irdl.any
      irdl.operands(updates: %0, dest: %1, indices: %2)
      %3 = irdl.any
      irdl.attributes {"dim" = %3}
      %4 = irdl.any
      irdl.results(output: %4)
      %5 = irdl.region
      irdl.regions(combiner: %5)
    }
    irdl.operation @generic {
      %0 = irdl.any
      %1 = irdl.any
      %2 = irdl.any
      %3 = irdl.any
      %4 = irdl.any
      %5 = irdl.any
      %6 = irdl.any
      %7 = irdl.any
      %8 = irdl.any
      %9 = irdl.any
      %10 = irdl.any
      %11 = irdl.any
      %12 = irdl.any
      %13 = irdl.any
      %14 = irdl.any
      %15 = irdl.any
      %16 = irdl.any
      %17 = irdl.any
      %18 = irdl.any
      %19 = irdl.any
      irdl.operands(input0: optional %0, input1: optional %1, input2: optional %2, input3: optional %3, input4: optional %4, input5: optional %5, input6: optional %6, input7: optional %7, index0: optional %8, index1: optional %9, index2: optional %10, index3: optional %11, index4: optional %12, index5: optional %13, index6: optional %14, index7: optional %15, output0: optional %16, output1: optional %17, output2: optional %18, output3: optional %19)
      %20 = irdl.any
      %21 = irdl.any
      %22 = irdl.any
      irdl.attributes {"indexing_maps" = %20, "coordinate_maps" = %21, "iterator_types" = %22}
      %23 = irdl.any
      %24 = irdl.any
      %25 = irdl.any
      %26 = irdl.any
      irdl.results(out0: optional %23, out1: optional %24, out2: optional %25, out3: optional %26)
      %27 = irdl.region
      irdl.regions(body: %27)
    }
    irdl.operation @histogram {
      %0 = irdl.any
      %1 = irdl.any
      irdl.operands(updates: %0, indices: %1)
      %2 = irdl.any
      %3 = irdl.any
      irdl.results(combined: %2, unique_indices: %3)
      %4 = irdl.region
      irdl.regions(combiner: %4)
    }
    irdl.operation @strided_slice {
      %0 = irdl.any
      irdl.operands(source: %0)
      %1 = irdl.any
      %2 = irdl.any
      %3 = irdl.any
      irdl.attributes {"offsets" = %1, "sizes" = %2, "strides" = %3}
      %4 = irdl.any
      irdl.results(output: %4)
    }
  }
}
