//! Evaluating expressions.

use super::{State, call, words};
use crate::array::Array;
use crate::bitmap::Bitmap;
use crate::error::Result;
use crate::evaluate::{Evaluation, Program, Progress};
use crate::handles::Handles;
use crate::held::Columns;
use crate::mask::Mask;
use crate::vectors::try_collected;

/// The program in the arguments; see [`Program::parse`].
#[unsafe(no_mangle)]
pub extern "C" fn program_new() -> i32 {
    call(|state| {
        let program = Program::parse(&words(&state.arguments)?)?;
        state.programs.insert(program)
    })
}

/// Frees a program.
#[unsafe(no_mangle)]
pub extern "C" fn program_free(program: u32) -> i32 {
    call(|state| state.programs.remove(program).map(|_| 0))
}

/// Begins to evaluate a program over the columns whose handles are the arguments. `mask` 0: all rows are asked for.
#[unsafe(no_mangle)]
pub extern "C" fn evaluation_new(program: u32, rows: usize, mask: u32) -> i32 {
    call(|state| {
        let columns = columns_of(&state.columns, &state.arguments)?;
        let truth = truth_of(&state.masks, mask)?;
        let evaluation = Evaluation::new(state.programs.get(program)?, &columns, rows, truth)?;
        state.evaluations.insert(evaluation)
    })
}

/// Evaluates `count` rows more, of the same columns and the same mask. Returns 0 when rows are left and 1 when there are none.
/// When a row failed, it returns the number of the instruction plus 2, and the results are the bits of its two operands. If the first is a
/// text, they are the number of its fault, where its first bytes are, and how many.
#[unsafe(no_mangle)]
pub extern "C" fn evaluation_advance(evaluation: u32, program: u32, mask: u32, count: usize) -> i32 {
    call(|state| {
        let State { evaluations, programs, columns, masks, arguments, results, .. } = state;
        let columns = columns_of(columns, arguments)?;
        let truth = truth_of(masks, mask)?;
        let program = programs.get_mut(program)?;
        Ok(match evaluations.get_mut(evaluation)?.advance(program, &columns, truth, count)? {
            Progress::More => 0,
            Progress::Done => 1,
            Progress::Failed(failure) => {
                let [a, b] = failure.operands;
                *results = [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32];
                if !program.failed_text.is_empty() {
                    *results = [a as u32, 0, program.failed_text.as_ptr() as u32, program.failed_text.len() as u32];
                }
                2 + failure.instruction
            }
        })
    })
}

/// A result as a column. `column` is that of a program with a single one, else 0.
#[unsafe(no_mangle)]
pub extern "C" fn evaluation_column(evaluation: u32, program: u32, index: usize, column: u32) -> i32 {
    call(|state| {
        let State { evaluations, programs, columns, .. } = state;
        let column = if column == 0 { None } else { Some(columns.get(column)?) };
        let array = evaluations.get_mut(evaluation)?.take_column(index, programs.get(program)?, column)?;
        columns.insert(array)
    })
}

/// A result as a mask.
#[unsafe(no_mangle)]
pub extern "C" fn evaluation_mask(evaluation: u32, program: u32, index: usize, column: u32) -> i32 {
    call(|state| {
        let State { evaluations, programs, columns, masks, .. } = state;
        let column = if column == 0 { None } else { Some(columns.get(column)?) };
        let mask = evaluations.get_mut(evaluation)?.take_mask(index, programs.get(program)?, column)?;
        masks.insert(mask)
    })
}

/// Ends an evaluation.
#[unsafe(no_mangle)]
pub extern "C" fn evaluation_free(evaluation: u32) -> i32 {
    call(|state| state.evaluations.remove(evaluation).map(|_| 0))
}

fn columns_of<'a>(columns: &'a Columns, arguments: &[u8]) -> Result<Vec<&'a Array>> {
    try_collected(words(arguments)?.into_iter().map(|handle| columns.get(handle)))
}

fn truth_of(masks: &Handles<Mask>, mask: u32) -> Result<Option<&Bitmap>> {
    if mask == 0 { Ok(None) } else { masks.get(mask).map(|mask| Some(mask.truth())) }
}
