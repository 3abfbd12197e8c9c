//! A program: values that are columns, constants, and results of instructions, each of which uses values before it.

use super::kernels::day_table::DayTable;
use super::kernels::zones::ZoneTable;
use super::kernels::{dates, functions, texts, time_reading, time_texts, zones};
use super::kind::{Kind, View, view, with_number};
use super::operation::{Operand, Operation};
use super::register::{Chunks, Register};
use super::set::Set;
use super::texts::Texts;
use crate::error::{Error, Result};
use crate::vectors::{collected, filled, with_room};

/// The active rows of an instruction that computes all rows of a block, or whose rows are those that are asked for.
const ALL_ROWS: u32 = u32::MAX;

/// An instruction in words: its operation, the kind of `a`, the kind that a cast makes, `a`, `b`, `c`, and its active rows.
const INSTRUCTION_WORDS: usize = 7;

/// The most values, and the most constants of sets. A request has far fewer terms.
const MOST_VALUES: usize = 1 << 16;

/// What computes the value of an instruction.
pub struct Instruction {
    pub operation: Operation,
    /// That of the operand `a`.
    pub kind: Kind,
    /// That of the result.
    pub to: Kind,
    pub operands: [u32; 3],
    /// A boolean: rows that matter. Others may hold anything, and cannot fail. None: those that are asked for.
    pub active: Option<u32>,
    /// Its register.
    pub register: usize,
}

/// What an instruction keeps beside its register.
#[derive(Default)]
pub struct Kept {
    /// Of the days that it has seen.
    pub days: DayTable,
    /// The offsets of its zone.
    pub zone: ZoneTable,
    /// The texts that it has made of the block.
    pub texts: Texts,
}

/// Where a value of a program is.
#[derive(Clone, Copy)]
pub enum Place {
    Column(usize),
    Constant(usize),
    Instruction(usize),
}

/// A value that a program gives.
#[derive(Clone, Copy)]
pub struct Output {
    pub value: u32,
    pub kind: Kind,
    /// Whether it is text that is always one of the program's constants.
    pub is_constant_text: bool,
    /// The register of a number that no output before it has. It may lie in the result.
    pub register: Option<usize>,
}

/// A checked program, with the registers in which it runs.
pub struct Program {
    pub columns: Vec<Kind>,
    pub constants: Vec<Register>,
    /// The bytes of constants that are text.
    pub texts: Vec<Vec<u8>>,
    pub sets: Vec<Set>,
    pub instructions: Vec<Instruction>,
    pub outputs: Vec<Output>,
    pub registers: Vec<Register>,
    /// A register for each column, into which it is copied unless it is read where it is.
    pub staged: Vec<Register>,
    /// What each instruction keeps.
    pub kept: Vec<Kept>,
    pub can_fail: bool,
    /// The text in the row that has failed.
    pub failed_text: Vec<u8>,
}

struct Reader<'a>(&'a [u32]);

const MALFORMED: Error = Error::Misuse("a program that is not what the loader writes");

impl<'a> Reader<'a> {
    fn word(&mut self) -> Result<u32> {
        let (word, rest) = self.0.split_first().ok_or(MALFORMED)?;
        self.0 = rest;
        Ok(*word)
    }

    fn words(&mut self, count: usize) -> Result<&'a [u32]> {
        let (words, rest) = self.0.split_at_checked(count).ok_or(MALFORMED)?;
        self.0 = rest;
        Ok(words)
    }

    /// The kind of a column or of a constant.
    fn kind(&mut self) -> Result<Kind> {
        match Kind::from_code(self.word()?)? {
            Kind::I128 => Err(MALFORMED),
            kind => Ok(kind),
        }
    }

    fn count(&mut self) -> Result<usize> {
        let count = self.word()? as usize;
        if count <= MOST_VALUES { Ok(count) } else { Err(MALFORMED) }
    }
}

impl Program {
    /// Reads a program: the kinds of its columns; its constants; its sets, each a kind and constants; its instructions; the values
    /// that it gives. Before each list is its length.
    pub fn parse(words: &[u32]) -> Result<Self> {
        let mut reader = Reader(words);
        let mut program = Program {
            columns: Vec::new(),
            constants: Vec::new(),
            texts: Vec::new(),
            sets: Vec::new(),
            instructions: Vec::new(),
            outputs: Vec::new(),
            registers: Vec::new(),
            staged: Vec::new(),
            kept: Vec::new(),
            can_fail: false,
            failed_text: Vec::new(),
        };
        for _ in 0..reader.count()? {
            let kind = reader.kind()?;
            program.columns.try_reserve(1)?;
            program.columns.push(kind);
            program.staged.try_reserve(1)?;
            program.staged.push(Register::new(kind)?);
        }
        let mut kinds = collected(program.columns.len(), program.columns.iter().copied())?;
        for _ in 0..reader.count()? {
            let kind = reader.kind()?;
            let constant = program.constant(kind, &mut reader)?;
            program.constants.try_reserve(1)?;
            program.constants.push(constant);
            kinds.try_reserve(1)?;
            kinds.push(kind);
        }
        for _ in 0..reader.count()? {
            let kind = Kind::from_code(reader.word()?)?;
            let count = reader.count()?;
            let set = program.set(kind, reader.words(count)?, &kinds)?;
            program.sets.try_reserve(1)?;
            program.sets.push(set);
        }
        let count = reader.count()?;
        program.instructions.try_reserve_exact(count)?;
        for _ in 0..count {
            let instruction = program.instruction(reader.words(INSTRUCTION_WORDS)?, &kinds)?;
            let zone = program.zone_of(&instruction)?;
            kinds.try_reserve(1)?;
            kinds.push(instruction.to);
            program.instructions.push(instruction);
            program.kept.try_reserve(1)?;
            program.kept.push(Kept { zone, ..Kept::default() });
        }
        let count = reader.count()?;
        program.outputs.try_reserve_exact(count)?;
        for &value in reader.words(count)? {
            let kind = *kinds.get(value as usize).ok_or(MALFORMED)?;
            program.outputs.push(Output { value, kind, is_constant_text: false, register: None });
        }
        if !reader.0.is_empty() {
            return Err(MALFORMED);
        }
        program.allot_registers(kinds.len())?;
        program.describe_outputs(kinds.len())?;
        Ok(program)
    }

    /// Where a value is.
    pub fn place(&self, value: u32) -> Place {
        let value = value as usize;
        let constants = self.columns.len();
        let instructions = constants + self.constants.len();
        if value < constants {
            Place::Column(value)
        } else if value < instructions {
            Place::Constant(value - constants)
        } else {
            Place::Instruction(value - instructions)
        }
    }

    /// Frees the room of texts of a block that were long.
    pub fn shrink(&mut self) {
        self.kept.iter_mut().for_each(|kept| kept.texts.shrink());
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        let registers = [&self.constants, &self.registers, &self.staged].into_iter().flatten();
        registers.map(Register::allocated).sum::<usize>()
            + self
                .kept
                .iter()
                .map(|kept| kept.days.allocated() + kept.zone.allocated() + kept.texts.allocated())
                .sum::<usize>()
            + self.texts.iter().map(Vec::capacity).sum::<usize>()
            + self.instructions.capacity() * size_of::<Instruction>()
    }

    /// The number by which views name the texts that an instruction makes.
    pub fn source_of(&self, instruction: usize) -> usize {
        // The columns come first, and the constants have one.
        self.columns.len() + 1 + instruction
    }

    /// The texts of a source that is no column.
    pub fn text(&self, source: usize, place: usize) -> &[u8] {
        match source.checked_sub(self.source_of(0)) {
            Some(instruction) => self.kept.get(instruction).map_or(&[][..], |kept| kept.texts.get(place)),
            None => self.texts.get(place).map_or(&[][..], Vec::as_slice),
        }
    }

    /// A constant: 0 for null or 1, then of a number its 8 bytes, or of a text its length and its bytes.
    fn constant(&mut self, kind: Kind, reader: &mut Reader) -> Result<Register> {
        if reader.word()? == 0 {
            return with_number!(kind, T => Register::constant::<T>(kind, None), _ => match kind {
                Kind::Bool => Register::constant_bool(None),
                _ => Register::constant_text(None),
            });
        }
        let low = reader.word()?;
        if kind == Kind::Text {
            let len = low as usize;
            let words = reader.words(len.div_ceil(4))?;
            let mut bytes = with_room(words.len() * 4)?;
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            bytes.truncate(len);
            let view = view(self.columns.len(), self.texts.len() as u32);
            self.texts.try_reserve(1)?;
            self.texts.push(bytes);
            return Register::constant_text(Some(view));
        }
        let bits = u64::from(low) | u64::from(reader.word()?) << 32;
        match kind {
            Kind::Bool => Register::constant_bool(Some(bits != 0)),
            Kind::F64 => Register::constant(kind, Some(f64::from_bits(bits))),
            Kind::F32 => Register::constant(kind, Some(f64::from_bits(bits) as f32)),
            integer => {
                super::kind::with_integer!(integer, T => Register::constant(kind, Some(bits as T)), _ => Err(MALFORMED))
            }
        }
    }

    /// The offsets of the zone of an instruction, which is a constant.
    fn zone_of(&self, instruction: &Instruction) -> Result<ZoneTable> {
        if instruction.operation != Operation::ShiftZone {
            return Ok(ZoneTable::default());
        }
        let Place::Constant(index) = self.place(instruction.operands[1]) else { return Err(MALFORMED) };
        let view = Chunks::of_constant(self.constants[index].chunks::<View>()).at(0)[0];
        ZoneTable::read(self.text((view >> 32) as usize, view as u32 as usize))
    }

    fn set(&self, kind: Kind, values: &[u32], kinds: &[Kind]) -> Result<Set> {
        let mut constants = with_room(values.len())?;
        for &value in values {
            match self.place(value) {
                Place::Constant(index) if kinds.get(value as usize) == Some(&kind) => {
                    constants.push(&self.constants[index]);
                }
                _ => return Err(MALFORMED),
            }
        }
        Set::new(kind, &constants, &self.texts)
    }

    fn instruction(&mut self, words: &[u32], kinds: &[Kind]) -> Result<Instruction> {
        let [operation, kind, to, a, b, c, active] = *words else { return Err(MALFORMED) };
        let operation = Operation::from_code(operation)?;
        let (kind, to) = (Kind::from_code(kind)?, Kind::from_code(to)?);
        let (operands, to) = operation.signature(kind, to).ok_or(MALFORMED)?;
        let given = [a, b, c];
        let is_of = |value: u32, kind: Kind| kinds.get(value as usize) == Some(&kind);
        for (&operand, value) in operands.iter().zip(given) {
            let fits = match operand {
                Operand::Own => is_of(value, kind),
                Operand::Condition => is_of(value, Kind::Bool),
                Operand::Digits => is_of(value, Kind::I32),
                Operand::Long => is_of(value, Kind::I64),
                Operand::Text => is_of(value, Kind::Text),
                Operand::Number => match operation {
                    Operation::Function | Operation::PartialFunction => functions::is_number(operation, value),
                    Operation::ChangeCase | Operation::Trim => texts::is_number(operation, value),
                    Operation::WriteTime => time_texts::is_number(value),
                    Operation::ShiftZone => zones::is_number(value),
                    Operation::ReadTime | Operation::TryReadTime => time_reading::is_number(value),
                    _ => dates::is_number(operation, value),
                },
                Operand::Set => self.sets.get(value as usize).is_some_and(|set| set.kind() == kind),
            };
            if !fits {
                return Err(MALFORMED);
            }
        }
        let active = if active == ALL_ROWS { None } else { Some(active) };
        if active.is_some_and(|value| !is_of(value, Kind::Bool)) {
            return Err(MALFORMED);
        }
        self.can_fail |= operation.can_fail(kind, to);
        Ok(Instruction { operation, kind, to, operands: given, active, register: 0 })
    }

    /// Gives each instruction a register, which is used again after the last use of its value.
    fn allot_registers(&mut self, values: usize) -> Result<()> {
        let first = self.columns.len() + self.constants.len();
        let mut last_uses = filled(values, None)?;
        for (index, instruction) in self.instructions.iter().enumerate() {
            for value in instruction.values() {
                last_uses[value as usize] = Some(index);
            }
        }
        for output in &self.outputs {
            last_uses[output.value as usize] = Some(usize::MAX);
        }
        // Registers of a width that no later instruction needs.
        let mut free: Vec<(usize, usize)> = with_room(self.instructions.len())?;
        for index in 0..self.instructions.len() {
            let kind = self.instructions[index].to;
            let register = match free.iter().position(|(width, _)| *width == kind.width()) {
                Some(at) => free.swap_remove(at).1,
                None => {
                    self.registers.try_reserve(1)?;
                    self.registers.push(Register::new(kind)?);
                    self.registers.len() - 1
                }
            };
            self.instructions[index].register = register;
            // A value that nobody uses frees its register at once.
            let unused = last_uses[first + index].is_none().then_some((first + index) as u32);
            let mut freed = with_room(5)?;
            for value in self.instructions[index].values().chain(unused) {
                if value as usize >= first
                    && (last_uses[value as usize] == Some(index) || Some(value) == unused)
                    && !freed.contains(&value)
                {
                    freed.push(value);
                    let of_value = &self.instructions[value as usize - first];
                    free.push((of_value.to.width(), of_value.register));
                }
            }
        }
        Ok(())
    }

    /// Finds the registers of outputs, and those whose text is always a constant.
    fn describe_outputs(&mut self, values: usize) -> Result<()> {
        let mut are_constant: Vec<bool> = with_room(values)?;
        are_constant.resize(self.columns.len(), false);
        are_constant.resize(self.columns.len() + self.constants.len(), true);
        for instruction in &self.instructions {
            let [a, b, _] = instruction.operands;
            let is_choice = instruction.operation == Operation::Choose;
            are_constant.push(is_choice && are_constant[a as usize] && are_constant[b as usize]);
        }
        for index in 0..self.outputs.len() {
            let Output { value, kind, .. } = self.outputs[index];
            let is_first = self.outputs[..index].iter().all(|other| other.value != value);
            if let (Place::Instruction(of), true) =
                (self.place(value), is_first && !matches!(kind, Kind::Bool | Kind::Text))
            {
                self.outputs[index].register = Some(self.instructions[of].register);
            }
        }
        for output in &mut self.outputs {
            output.is_constant_text = output.kind == Kind::Text && are_constant[output.value as usize];
        }
        Ok(())
    }
}

impl Instruction {
    /// Whether `b` is a value of its kind, too.
    pub fn has_two_values(&self) -> bool {
        self.operation.signature(self.kind, self.to).is_some_and(|(operands, _)| operands.get(1) == Some(&Operand::Own))
    }

    /// The values that it uses.
    fn values(&self) -> impl Iterator<Item = u32> {
        self.values_of_operands().chain(self.active)
    }

    /// Those that are its operands.
    pub fn values_of_operands(&self) -> impl Iterator<Item = u32> {
        let operands = self.operation.signature(self.kind, self.to).map_or(&[][..], |(operands, _)| operands);
        let values = operands
            .iter()
            .zip(self.operands)
            .filter(|(operand, _)| !matches!(operand, Operand::Set | Operand::Number));
        values.map(|(_, value)| value)
    }
}
