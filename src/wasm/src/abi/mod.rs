//! The functions that the loader calls (`instance.ts`). Each returns a number that is not negative, or the negative code of
//! an error whose text is then in [`message`]. Everything that needs more than that is left in [`results`]. No function
//! takes an address: the loader writes only where it was told to, and between two calls.
#![allow(unsafe_code)] // `no_mangle` counts as unsafe: the names below are used nowhere else.

mod arguments;
mod boxes;
mod columns;
mod copy;
mod csv;
mod duckdb;
mod encoders;
mod flat;
mod grids;
mod groups;
mod inflate;
mod masks;
mod orders;
mod packs;
mod parquet;
mod points;
mod programs;
mod sections;
mod summaries;

use crate::assemble::Assembly;
use crate::box_column::BoxColumn;
use crate::compression::Compressor;
use crate::copy_reader::CopyRows;
use crate::csv_reader::Text;
use crate::error::{Error, Result};
use crate::evaluate::{Evaluation, Program};
use crate::grid::Grid;
use crate::group::Groups;
use crate::growth::Growth;
use crate::handles::Handles;
use crate::held::Columns;
use crate::inflated::Inflated;
use crate::ipc::Lent;
use crate::mask::Mask;
use crate::parquet::{FlatColumn, Pack, Summaries};
use crate::scratch::Scratch;
use crate::section_column::SectionColumn;
use crate::vectors::collected;
use crate::within::Prepared;
use arguments::Arguments;
use std::cell::RefCell;
use std::fmt::Write;

struct State {
    columns: Columns,
    assemblies: Handles<Assembly>,
    flat: Handles<FlatColumn>,
    packs: Handles<Pack>,
    summaries: Handles<Summaries>,
    boxes: Handles<BoxColumn>,
    sections: Handles<SectionColumn>,
    copies: Handles<CopyRows>,
    texts: Handles<Text>,
    /// The last one that was freed: its memory is used again, unless there was too little of it meanwhile.
    spare_text: Option<Text>,
    is_memory_short: bool,
    masks: Handles<Mask>,
    groups: Handles<Groups>,
    grids: Handles<Grid>,
    orders: Handles<Vec<u32>>,
    programs: Handles<Program>,
    evaluations: Handles<Evaluation>,
    prepared: Prepared,
    /// Constants, geometries and handles on their way in.
    arguments: Arguments,
    scratch: Scratch,
    /// What was inflated last.
    inflated: Inflated,
    /// What is told of the column chunk in `scratch`.
    summary: Scratch,
    compressor: Compressor,
    /// What the message in `scratch` has elsewhere.
    lent: Vec<Lent>,
    growth: Growth,
    results: [u32; RESULTS],
    message: Message,
}

const RESULTS: usize = 4;

thread_local! {
    static STATE: RefCell<State> = const {
        RefCell::new(State {
            columns: Columns::new(),
            assemblies: Handles::new(),
            flat: Handles::new(),
            packs: Handles::new(),
            summaries: Handles::new(),
            boxes: Handles::new(),
            sections: Handles::new(),
            copies: Handles::new(),
            texts: Handles::new(),
            spare_text: None,
            is_memory_short: false,
            masks: Handles::new(),
            groups: Handles::new(),
            grids: Handles::new(),
            orders: Handles::new(),
            programs: Handles::new(),
            evaluations: Handles::new(),
            prepared: Prepared::new(),
            arguments: Arguments::new(),
            scratch: Scratch::new(),
            inflated: Inflated::new(),
            summary: Scratch::new(),
            compressor: Compressor::new(),
            lent: Vec::new(),
            growth: Growth::new(),
            results: [0; RESULTS],
            message: Message { text: [0; 256], len: 0 },
        })
    };
}

/// Text of bounded length: an error must not need memory.
struct Message {
    text: [u8; 256],
    len: usize,
}

impl Write for Message {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let count = text.len().min(self.text.len() - self.len);
        self.text[self.len..self.len + count].copy_from_slice(&text.as_bytes()[..count]);
        self.len += count;
        Ok(())
    }
}

fn call(f: impl FnOnce(&mut State) -> Result<u32>) -> i32 {
    STATE.with_borrow_mut(|state| {
        let outcome = f(state);
        state.growth.advance();
        let error = match outcome {
            Ok(value) => return value as i32,
            Err(error) => error,
        };
        state.is_memory_short |= error == Error::Memory;
        if error == Error::Memory {
            state.prepared.clear();
        }
        state.message.len = 0;
        // Cannot fail: what does not fit is cut off.
        let _ = write!(state.message, "{error}");
        state.results[0] = state.message.len as u32;
        error.code()
    })
}

/// Address of four `u32`.
#[unsafe(no_mangle)]
pub extern "C" fn results() -> *const u32 {
    STATE.with_borrow(|state| state.results.as_ptr())
}

/// Address of the text of the last error; its length is the first result.
#[unsafe(no_mangle)]
pub extern "C" fn message() -> *const u8 {
    STATE.with_borrow(|state| state.message.text.as_ptr())
}

/// Bytes in live columns, masks, groups, grids and orders: the first result.
#[unsafe(no_mangle)]
pub extern "C" fn used_bytes() -> i32 {
    call(|state| {
        let masks: usize = state.masks.iter().map(Mask::allocated).sum();
        let groups: usize = state.groups.iter().map(Groups::allocated).sum();
        let grids: usize = state.grids.iter().map(Grid::allocated).sum();
        let orders: usize = state.orders.iter().map(|order| order.capacity() * 4).sum();
        state.results[0] = (state.columns.allocated() + masks + groups + grids + orders) as u32;
        Ok(0)
    })
}

/// Room for `bytes` bytes of arguments, with whatever those before them have left there; the first result is where.
#[unsafe(no_mangle)]
pub extern "C" fn arguments(bytes: usize) -> i32 {
    call(|state| {
        state.results[0] = state.arguments.room(bytes)?.as_mut_ptr() as usize as u32;
        Ok(0)
    })
}

/// Arguments that are 32-bit integers.
fn words(arguments: &[u8]) -> Result<Vec<u32>> {
    let (bytes, _) = arguments.as_chunks::<4>();
    collected(bytes.len(), bytes.iter().map(|bytes| u32::from_le_bytes(*bytes)))
}
