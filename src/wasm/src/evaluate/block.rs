//! A block of rows from the columns to the results.

use super::frame::Frame;
use super::input::{Input, first_bits};
use super::kernels::{
    arithmetic, choosing, comparing, convert, dates, decimals, functions, logic, matching, rounding, spans, texts,
    time_reading, time_texts, zones,
};
use super::kind::{BLOCK_ROWS, CHUNK_ROWS, Kind, View};
use super::operation::Operation;
use super::program::{Instruction, Kept, Program};
use super::register::{Register, Words};
use crate::error::Result;
use crate::vectors::copied;

/// The most bytes of a text that are told of.
const MOST_FAILED_BYTES: usize = 1 << 10;

/// A row that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The instruction, by its number.
    pub instruction: u32,
    /// The bits of its operands: integers of 64 bits, and floats of 64 bits. Of a text the number of its fault; the program has the text.
    pub operands: [u64; 2],
}

/// Computes the rows of the block at `start` that are selected. The results are in the registers of the program. Returns a row that
/// fails.
pub fn run(
    program: &mut Program,
    inputs: &[Input],
    start: usize,
    rows: usize,
    selection: &Words,
) -> Result<Option<Failure>> {
    for (index, (input, register)) in inputs.iter().zip(&mut program.staged).enumerate() {
        input.load(program.columns[index], start, index, register);
    }
    let chunks = rows.div_ceil(CHUNK_ROWS);
    debug_assert!(rows <= BLOCK_ROWS && (0..selection.len()).all(|i| selection[i] & !first_bits(rows)[i] == 0));
    for index in 0..program.instructions.len() {
        let register = program.instructions[index].register;
        let mut out = std::mem::take(&mut program.registers[register]);
        let mut kept = std::mem::take(&mut program.kept[index]);
        let frame = Frame { program, inputs, start, selection, chunks };
        let instruction = &program.instructions[index];
        let failing = if instruction.operation.narrows() || frame.active(instruction).iter().any(|word| *word != 0) {
            execute(instruction, &frame, &mut out, program.source_of(index), &mut kept)
        } else {
            Ok(None)
        };
        let mut failed_text = Vec::new();
        let failure = failing.map(|row| {
            let row = row?;
            let [a, b, _] = instruction.operands;
            if instruction.kind == Kind::Text {
                let text = frame.text(frame.chunks_of::<View>(a).at(row / CHUNK_ROWS)[row % CHUNK_ROWS]);
                failed_text = copied(&text[..text.len().min(MOST_FAILED_BYTES)]).unwrap_or_default();
                let fault = time_reading::fault_of(text, b);
                return Some(Failure { instruction: index as u32, operands: [fault, 0] });
            }
            let bits = |value| frame.bits_of(value, instruction.kind, row);
            let has_two = instruction.has_two_values();
            Some(Failure { instruction: index as u32, operands: [bits(a), if has_two { bits(b) } else { 0 }] })
        });
        program.registers[register] = out;
        program.kept[index] = kept;
        program.failed_text = failed_text;
        if let Some(failure) = failure? {
            return Ok(Some(failure));
        }
    }
    Ok(None)
}

/// Computes an instruction. `source` is the number by which views name its texts. Returns a row that fails.
fn execute(
    instruction: &Instruction,
    frame: &Frame,
    out: &mut Register,
    source: usize,
    kept: &mut Kept,
) -> Result<Option<usize>> {
    use Operation::*;
    match instruction.operation {
        And | Or | Not => logic::connect(instruction, frame, out),
        WhereTrue | WhereNotTrue | WhereNotFalse | WhereNull => logic::narrow(instruction, frame, out),
        IsNull => logic::is_null(instruction, frame, out),
        Equal | Same | Less => comparing::compare(instruction, frame, out),
        Among => comparing::among(instruction, frame, out),
        Choose => choosing::choose(instruction, frame, out),
        Add | Subtract | Multiply | Divide | Remainder => return Ok(arithmetic::combine(instruction, frame, out)),
        Negate | Absolute => arithmetic::set_sign(instruction, frame, out),
        BitAnd | BitOr | BitXor | BitNot => arithmetic::combine_bits(instruction, frame, out),
        Floor | Ceil | Round | Trunc => rounding::round(instruction, frame, out),
        RoundDigits | TruncDigits => rounding::round_digits(instruction, frame, out),
        SquareRoot => return Ok(rounding::square_root(instruction, frame, out)),
        TimeDivide | TimeRemainder => spans::divide(instruction, frame, out),
        DateField | DateTrunc => dates::compute(instruction, frame, out, &mut kept.days),
        AddMonths => return Ok(dates::add_months(instruction, frame, out)),
        Function => functions::compute(instruction, frame, out),
        PartialFunction => return Ok(functions::compute_partial(instruction, frame, out)),
        Power => functions::raise(instruction, frame, out),
        Angle => functions::measure_angle(instruction, frame, out),
        Like | StartsWith | EndsWith | Contains => matching::compare(instruction, frame, out),
        Length => matching::measure(instruction, frame, out),
        ChangeCase | Slice | Trim | Replace | Join | SplitPart => {
            texts::make(instruction, frame, out, source, &mut kept.texts)?;
        }
        ReadTime | TryReadTime => return Ok(time_reading::read(instruction, frame, out)),
        ShiftZone => return Ok(zones::shift(instruction, frame, out, &kept.zone)),
        WriteTime => time_texts::write(instruction, frame, out, source, &mut kept.texts)?,
        Position => texts::position(instruction, frame, out),
        Cast | TryCast => return Ok(convert::cast(instruction, frame, out)),
        AddDecimals | SubtractDecimals | MultiplyDecimals => return Ok(decimals::combine(instruction, frame, out)),
        Widen => decimals::widen(instruction, frame, out),
    }
    Ok(None)
}
