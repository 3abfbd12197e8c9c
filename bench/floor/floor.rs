//! The plain loops that `bench/evaluate.ts` compares the evaluator with: each is what a compiler makes of one expression over arrays.
#![allow(static_mut_refs)]

const ROWS: usize = 1 << 17;

#[repr(align(16))]
struct Values<T, const N: usize>([T; N]);

static mut FLOATS: Values<f64, ROWS> = Values([0.0; ROWS]);
static mut TIMES: Values<i64, ROWS> = Values([0; ROWS]);
static mut KNOWN: Values<u64, { ROWS / 64 }> = Values([0; ROWS / 64]);
static mut OUT: Values<f64, ROWS> = Values([0.0; ROWS]);
static mut COUNTS: Values<i64, ROWS> = Values([0; ROWS]);
static mut OUT_KNOWN: Values<u64, { ROWS / 64 }> = Values([0; ROWS / 64]);
/// The month of each day from `FIRST` on.
static mut MONTHS: [i64; 4096] = [0; 4096];
const FIRST: i64 = 17_000;

macro_rules! addresses {
    ($($name:ident $of:ident),*) => {
        $(#[unsafe(no_mangle)]
        pub extern "C" fn $name() -> usize {
            unsafe { $of.0.as_ptr() as usize }
        })*
    };
}
addresses!(floats FLOATS, times TIMES, known KNOWN, out OUT, counts COUNTS, out_known OUT_KNOWN);

#[unsafe(no_mangle)]
pub extern "C" fn months() -> usize {
    unsafe { MONTHS.as_ptr() as usize }
}

/// Copies the validity, too, if `nulls`.
fn known_of(rows: usize, nulls: bool) {
    if nulls {
        unsafe { OUT_KNOWN.0[..rows / 64].copy_from_slice(&KNOWN.0[..rows / 64]) }
    }
}

macro_rules! loops {
    ($($name:ident $from:ident $to:ident |$x:ident| $result:expr;)*) => {
        $(#[unsafe(no_mangle)]
        pub extern "C" fn $name(rows: usize, nulls: bool) {
            let (from, to) = unsafe { (&$from.0[..rows], &mut $to.0[..rows]) };
            for (out, $x) in to.iter_mut().zip(from) {
                *out = $result;
            }
            known_of(rows, nulls);
        })*
    };
}
loops! {
    cell FLOATS OUT |x| (*x / 5.0).floor() * 5.0;
    case FLOATS OUT |x| if *x > 10.0 { 1.0 } else { 2.0 };
    rounded FLOATS OUT |x| {
        let rounded = (*x * 10.0 + 0.499_999_999_999_999_94_f64.copysign(*x)).trunc() / 10.0;
        if rounded.is_finite() { rounded } else { *x }
    };
    month TIMES COUNTS |time| {
        let day = (*time as f64 * (1.0 / 86_400_000_000.0)) as i64;
        unsafe { MONTHS[((day - FIRST) as usize).min(4095)] }
    };
}

/// Which are one of six numbers, a bit each.
#[unsafe(no_mangle)]
pub extern "C" fn among(rows: usize, nulls: bool) {
    let (from, to) = unsafe { (&TIMES.0[..rows], &mut OUT_KNOWN.0[..rows / 64]) };
    for (word, chunk) in to.iter_mut().zip(from.as_chunks::<64>().0) {
        let mut bytes = [0u8; 64];
        for (byte, x) in bytes.iter_mut().zip(chunk) {
            *byte = ((*x == 1) | (*x == 5) | (*x == 9) | (*x == 13) | (*x == 21) | (*x == 34)) as u8;
        }
        let eights = bytes.as_chunks::<8>().0;
        *word = eights.iter().enumerate().fold(0, |word, (i, eight)| {
            word | (u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i)
        });
    }
    let _ = nulls;
}
