//! A kernel of gs-compile called from Rust, through the C functions of its header: no crates.
//!
//!     gs-compile rows.mlir -o rows.o
//!     rustc --edition 2021 main.rs -C link-arg=rows.o -C link-arg=-lm && ./main

use std::ffi::{c_char, c_void, CStr};
use std::ptr::null_mut;

/// `gs_tensor` of the header: DLPack's DLTensor.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device: [i32; 2],
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

/// `gs_error` of the header.
#[repr(C)]
struct Error {
    code: i32,
    message: [c_char; 1020],
}

extern "C" {
    fn rows(table: *const Tensor, ids: *const Tensor, out: *const Tensor, error: *mut Error) -> i32;
    fn rows_sizes(
        table: *const Tensor,
        ids: *const Tensor,
        sizes: *mut i64,
        error: *mut Error,
    ) -> i32;
}

/// What the header calls GS_INT and GS_FLOAT.
trait Element: Copy + Default {
    const CODE: u8;
}
impl Element for i64 {
    const CODE: u8 = 0;
}
impl Element for f32 {
    const CODE: u8 = 2;
}

/// A C-contiguous array that owns its elements.
struct Array<T> {
    data: Vec<T>,
    shape: [i64; 2],
}

impl<T: Element> Array<T> {
    fn new(data: Vec<T>, shape: [i64; 2]) -> Self {
        assert_eq!(data.len() as i64, shape[0] * shape[1]);
        Array { data, shape }
    }

    /// The array as the kernel sees it, for as long as it is borrowed.
    fn tensor(&mut self) -> Tensor {
        Tensor {
            data: self.data.as_mut_ptr().cast(),
            device: [1, 0],
            ndim: 2,
            code: T::CODE,
            bits: 8 * size_of::<T>() as u8,
            lanes: 1,
            shape: self.shape.as_mut_ptr(),
            strides: null_mut(),
            byte_offset: 0,
        }
    }
}

/// The rows of `table` at `ids`, or the kernel's message.
fn take(table: &mut Array<f32>, ids: &mut Array<i64>) -> Result<Array<f32>, String> {
    let mut error = Error { code: 0, message: [0; 1020] };
    let (table, ids) = (table.tensor(), ids.tensor());
    let mut shape = [0; 2];
    // SAFETY: the tensors point into arrays that outlive both calls, which check the rest.
    unsafe {
        if rows_sizes(&table, &ids, shape.as_mut_ptr(), &mut error) == 0 {
            let size = usize::try_from(shape[0] * shape[1]).expect("sizes are not negative");
            let mut out = Array::new(vec![f32::default(); size], shape);
            if rows(&table, &ids, &out.tensor(), &mut error) == 0 {
                return Ok(out);
            }
        }
        let text = CStr::from_ptr(error.message.as_ptr()).to_string_lossy();
        Err(format!("error {}: {text}", error.code))
    }
}

fn main() {
    let mut table = Array::new((0..12).map(|x| x as f32 / 2.0).collect(), [4, 3]);
    let found = take(&mut table, &mut Array::new(vec![2, 0, 2], [3, 1])).expect("ids are in bounds");
    println!("{:?} {:?}", found.shape, found.data);
    let wrong = take(&mut table, &mut Array::new(vec![1, 4], [2, 1]));
    println!("{}", wrong.err().expect("there is no row 4"));
}
