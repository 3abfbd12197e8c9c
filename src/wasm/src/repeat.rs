//! The copies that LZ4 and Snappy are made of. Callers check that the bytes are there and that there is room.

/// Bytes that a short copy moves at once; what it writes too much is written over by what comes next.
const STEP: usize = 16;

/// Copies `len` bytes; up to [`STEP`] bytes behind them may be written over.
#[inline(always)]
pub fn copy_literals(input: &[u8], from: usize, output: &mut [u8], to: usize, len: usize) {
    if len <= STEP
        && let Some(source) = input.get(from..from + STEP)
        && let Some(target) = output.get_mut(to..to + STEP)
    {
        target.copy_from_slice(source);
    } else {
        output[to..to + len].copy_from_slice(&input[from..from + len]);
    }
}

/// `len` bytes from `offset` bytes before `end`; they repeat what is being written if `offset` is less than `len`.
#[inline(always)]
pub fn copy_match(output: &mut [u8], end: usize, offset: usize, len: usize) {
    if len > 4 * STEP || len + STEP > output.len() - end {
        copy_long(output, end, offset, len);
    } else if offset >= STEP {
        copy_steps::<STEP>(output, end, offset, len);
    } else if offset >= 8 {
        copy_steps::<8>(output, end, offset, len);
    } else {
        for at in end..end + 8 {
            output[at] = output[at - offset];
        }
        if len > 8 {
            // What repeats every `offset` bytes also does so every few times `offset`.
            copy_steps::<8>(output, end + 8, MULTIPLES[offset], len - 8);
        }
    }
}

/// The first multiple of each number that is 8 at least.
const MULTIPLES: [usize; 8] = [0, 8, 8, 9, 8, 10, 12, 14];

/// `N` bytes at once, which lie apart from where they go.
#[inline(always)]
fn copy_steps<const N: usize>(output: &mut [u8], end: usize, offset: usize, len: usize) {
    let window = &mut output[end - offset..end + len + STEP];
    for done in (0..len).step_by(N) {
        window.copy_within(done..done + N, done + offset);
    }
}

/// What is there doubles with each step.
fn copy_long(output: &mut [u8], end: usize, offset: usize, len: usize) {
    let start = end - offset;
    let mut done = 0;
    while done < len {
        let step = (len - done).min(offset + done);
        output.copy_within(start..start + step, end + done);
        done += step;
    }
}
