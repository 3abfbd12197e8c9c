//! Programs: hostile ones are refused, or run without a panic; rows that are not asked for do not fail.

mod support;

use core_wasm::array::{Array, Data};
use core_wasm::bitmap::Bitmap;
use core_wasm::buffer::Buffer;
use core_wasm::evaluate::kind::Kind;
use core_wasm::evaluate::operation::{Operand, Operation};
use core_wasm::evaluate::{Evaluation, Program, Progress};
use core_wasm::mask::Mask;
use std::rc::Rc;
use support::Random;

const NONE: u32 = u32::MAX;
const I32: u32 = 3;
const TEXT: u32 = 11;

fn code(operation: Operation) -> u32 {
    Operation::ALL.iter().position(|each| *each == operation).unwrap() as u32
}

fn numbers(values: &[i32], validity: Option<Bitmap>) -> Array {
    Array { len: values.len(), validity, data: Data::Fixed { width: 4, values: Buffer::of(values).unwrap() } }
}

fn texts(values: &[&str]) -> Array {
    let mut offsets = vec![0i32];
    for value in values {
        offsets.push(offsets.last().unwrap() + value.len() as i32);
    }
    let data =
        Data::Bytes { offsets: Buffer::of(&offsets).unwrap(), values: Buffer::of(values.concat().as_bytes()).unwrap() };
    Array { len: values.len(), validity: None, data }
}

/// `100 / x * 2147483647` of a column `x`.
fn product() -> Program {
    let words = [
        [1, I32].as_slice(),
        &[2, I32, 1, 100, 0, I32, 1, i32::MAX as u32, 0],
        &[0],
        &[2],
        &[code(Operation::Divide), I32, I32, 1, 0, 0, NONE],
        &[code(Operation::Multiply), I32, I32, 3, 2, 0, NONE],
        &[1, 4],
    ];
    Program::parse(&words.concat()).unwrap()
}

fn run(program: &mut Program, column: &Array, truth: Option<&Bitmap>) -> Result<Array, (u32, [u64; 2])> {
    let mut evaluation = Evaluation::new(program, &[column], column.len, truth).unwrap();
    loop {
        match evaluation.advance(program, &[column], truth, 2048).unwrap() {
            Progress::More => {}
            Progress::Done => return Ok(evaluation.take_column(0, program, Some(column)).unwrap()),
            Progress::Failed(failure) => return Err((failure.instruction, failure.operands)),
        }
    }
}

#[test]
fn only_rows_that_are_asked_for_fail() {
    let values: Vec<i32> = (0..5000).map(|row| if row == 4100 { 7 } else { 101 + row }).collect();
    let column = numbers(&values, None);
    let mut program = product();
    assert_eq!(run(&mut program, &column, None).err(), Some((1, [14, i32::MAX as u64])));
    let truth = Bitmap::from_fn(5000, |row| row != 4100).unwrap();
    let result = run(&mut program, &column, Some(&truth)).unwrap();
    assert_eq!(result.len, 5000);
    // A row that is not known does not fail either.
    let known = Bitmap::from_fn(5000, |row| row != 4100).unwrap();
    assert_eq!(run(&mut program, &numbers(&values, Some(known)), None).unwrap().null_count(), 1);
}

#[test]
fn a_value_of_a_dictionary_fails_only_if_a_row_has_it() {
    let values = Rc::new(numbers(&[7, 200, 300], None));
    let dictionary = |indices: &[u32]| Array {
        len: indices.len(),
        validity: None,
        data: Data::Dictionary { indices: Buffer::of(indices).unwrap(), values: Rc::clone(&values) },
    };
    let mut program = product();
    assert!(run(&mut program, &dictionary(&[0, 1, 2, 1, 1, 1]), None).is_err());
    let result = run(&mut program, &dictionary(&[1, 2, 1, 1, 1, 2]), None).unwrap();
    assert!(matches!(result.data, Data::Dictionary { .. }));
    let truth = Bitmap::from_fn(6, |row| row > 0).unwrap();
    assert!(run(&mut program, &dictionary(&[0, 1, 2, 1, 1, 1]), Some(&truth)).is_ok());
}

#[test]
fn a_mask_of_a_dictionary_is_that_of_its_rows() {
    let mut random = Random::new(12);
    // `x < 50`, and `x is null`, of which the value of null is known.
    for (operation, operands) in [(Operation::Less, [0, 1, NONE]), (Operation::IsNull, [0, NONE, NONE])] {
        let words = [
            [1, I32].as_slice(),
            &[1, I32, 1, 50, 0],
            &[0],
            &[1],
            &[code(operation), I32, 0, operands[0], operands[1], operands[2], NONE],
            &[1, 2],
        ];
        let mut program = Program::parse(&words.concat()).unwrap();
        for (count, rows) in [(1, 6), (6, 500), (64, 5000), (65, 5000), (300, 5000)] {
            for has_nulls in [false, true] {
                let values: Vec<i32> = (0..count).map(|_| random.below(100) as i32).collect();
                let indices: Vec<u32> = (0..rows).map(|_| random.below(count) as u32).collect();
                let validity = || has_nulls.then(|| Bitmap::from_fn(rows, |row| row % 7 > 0).unwrap());
                let plain: Vec<i32> = indices.iter().map(|index| values[*index as usize]).collect();
                let data = Data::Dictionary {
                    indices: Buffer::of(&indices).unwrap(),
                    values: Rc::new(numbers(&values, None)),
                };
                let dictionary = Array { len: rows, validity: validity(), data };
                let by_value = mask(&mut program, &dictionary);
                let by_row = mask(&mut program, &numbers(&plain, validity()));
                assert_eq!(by_value.truth(), by_row.truth());
                let known = |mask: &Mask, row| mask.known().is_none_or(|known| known.get(row));
                assert!((0..rows).all(|row| known(&by_value, row) == known(&by_row, row)));
            }
        }
    }
}

fn mask(program: &mut Program, column: &Array) -> Mask {
    let mut evaluation = Evaluation::new(program, &[column], column.len, None).unwrap();
    while evaluation.advance(program, &[column], None, 2048).unwrap() == Progress::More {}
    evaluation.take_mask(0, program, Some(column)).unwrap()
}

/// The words of an instruction after values of `kinds`: most are such as a program may have, some are any.
fn any_instruction(random: &mut Random, kinds: &mut Vec<Kind>) -> Vec<u32> {
    let any = |random: &mut Random, kinds: &[Kind], wanted: Option<Kind>| {
        let fitting: Vec<u32> =
            (0..kinds.len() as u32).filter(|value| wanted.is_none_or(|kind| kinds[*value as usize] == kind)).collect();
        if fitting.is_empty() || random.below(40) == 0 {
            random.below(kinds.len() + 2) as u32
        } else {
            fitting[random.below(fitting.len())]
        }
    };
    loop {
        let operation = Operation::ALL[random.below(Operation::ALL.len())];
        let kind = kinds[random.below(kinds.len())];
        let to = random.below(12) as u32;
        let Some((operands, result)) = operation.signature(kind, Kind::from_code(to).unwrap()) else { continue };
        let own = (0..12).find(|code| Kind::from_code(*code).unwrap() == kind).unwrap();
        let mut words = vec![code(operation), own, to];
        for index in 0..3 {
            words.push(match operands.get(index) {
                Some(Operand::Own) => any(random, kinds, Some(kind)),
                Some(Operand::Condition) => any(random, kinds, Some(Kind::Bool)),
                Some(Operand::Digits) => any(random, kinds, Some(Kind::I32)),
                Some(Operand::Long) => any(random, kinds, Some(Kind::I64)),
                Some(Operand::Text) => any(random, kinds, Some(Kind::Text)),
                Some(Operand::Set) => random.below(2) as u32,
                Some(Operand::Number) => random.below(15) as u32,
                None => random.below(1000) as u32,
            });
        }
        words.push(if random.below(2) == 0 { NONE } else { any(random, kinds, Some(Kind::Bool)) });
        kinds.push(result);
        return words;
    }
}

#[test]
fn hostile_programs_do_not_panic() {
    let mut random = Random::new(7);
    let (rows, words) = (3000, ["", "a", "longer than twelve bytes"]);
    let ints: Vec<i32> = (0..rows).map(|_| random.below(9) as i32 - 4).collect();
    let strings: Vec<&str> = (0..rows).map(|_| words[random.below(3)]).collect();
    let columns = [numbers(&ints, None), texts(&strings)];
    let mut runs = 0;
    for _ in 0..3000 {
        // Two columns, and three constants: 5, 'a' and null. The sets are of numbers and of texts.
        let mut program = vec![2, I32, TEXT, 3, I32, 1, 5, 0, TEXT, 1, 1, 97, 0, 0];
        let mut kinds = vec![Kind::I32, Kind::Text, Kind::I32, Kind::Text, Kind::Bool];
        program.extend([2, I32, 1, 2, TEXT, 1, 3]);
        let count = 1 + random.below(12);
        program.push(count as u32);
        for _ in 0..count {
            let instruction = any_instruction(&mut random, &mut kinds);
            program.extend(instruction);
        }
        program.extend([1, 5 + random.below(count) as u32]);
        let cut = if random.below(20) == 0 { random.below(program.len()) } else { program.len() };
        let Ok(mut program) = Program::parse(&program[..cut]) else { continue };
        let columns: Vec<&Array> = columns.iter().collect();
        let truth = Bitmap::from_fn(rows, |row| row % 3 == 0).unwrap();
        let mut evaluation = Evaluation::new(&program, &columns, rows, Some(&truth)).unwrap();
        while evaluation.advance(&mut program, &columns, Some(&truth), 2048).unwrap() == Progress::More {}
        runs += 1;
    }
    assert!(runs > 500, "{runs} programs ran");
}
