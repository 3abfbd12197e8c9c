//! Booleans, as three-valued words.

use crate::evaluate::frame::{Frame, words};
use crate::evaluate::operation::Operation;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;

/// Computes a boolean of booleans.
pub fn connect(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let [a, b, _] = instruction.operands;
    let (truth, known) = (frame.truth(a), frame.known(a));
    let is_false = |i: usize| known[i] & !truth[i];
    let (result, result_known) = match instruction.operation {
        Operation::Not => (words(is_false), *known),
        operation => {
            let (other, other_known) = (frame.truth(b), frame.known(b));
            let other_false = |i: usize| other_known[i] & !other[i];
            match operation {
                Operation::And => {
                    (words(|i| truth[i] & other[i]), words(|i| (truth[i] & other[i]) | is_false(i) | other_false(i)))
                }
                _ => (words(|i| truth[i] | other[i]), words(|i| truth[i] | other[i] | (is_false(i) & other_false(i)))),
            }
        }
    };
    *out.truth_mut() = result;
    *out.known_mut() = result_known;
}

/// The rows that matter and in which a value is true, not true, not false, or null.
pub fn narrow(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let (active, a) = (frame.active(instruction), instruction.operands[0]);
    let known = frame.known(a);
    *out.truth_mut() = match instruction.operation {
        Operation::WhereTrue => {
            let truth = frame.truth(a);
            words(|i| active[i] & truth[i])
        }
        Operation::WhereNotTrue => {
            let truth = frame.truth(a);
            words(|i| active[i] & !truth[i])
        }
        Operation::WhereNotFalse => {
            let truth = frame.truth(a);
            words(|i| active[i] & (truth[i] | !known[i]))
        }
        _ => words(|i| active[i] & !known[i]),
    };
    *out.known_mut() = [u64::MAX; _];
}

/// Whether a value is null.
pub fn is_null(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let known = frame.known(instruction.operands[0]);
    *out.truth_mut() = words(|i| !known[i]);
    *out.known_mut() = [u64::MAX; _];
}
