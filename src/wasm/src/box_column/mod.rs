//! Columns of boxes of stored arrays. Elements are put in their places part by part, and are decoded when all are there.

mod elements;
mod expand;
mod fills;
mod instants;
mod names;
mod numbers;
mod place;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
mod texts;
mod truths;
mod unshuffle;

use crate::run::MAX_ROWS;
pub use elements::{Elements, Order, Source};
pub use expand::expand;
pub use instants::{Calendar, Instants};
pub use names::{Name, Names};
pub use numbers::without_nan;
pub use place::Step;
pub use unshuffle::{put_planes_together, unshuffle, unshuffle_bits};

use crate::array::Array;
use crate::bitmap::Bitmap;
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::types::Physical;
use crate::vectors::{collected, with_room};
use elements::Numbered;
use texts::Texts;

/// What the elements of an array are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// An integer or float of at most 64 bits.
    Number(Physical),
    /// One byte of text.
    Char,
    /// Text of any length.
    Text,
    /// Bytes of any length.
    Bytes,
    /// One byte, which is not 0 where it is true.
    Bool,
}

impl Element {
    /// Bytes that an element takes in its place: of text and bytes, those of its number.
    const fn width(self) -> usize {
        match self {
            Element::Number(physical) => physical.width(),
            Element::Char | Element::Bool => 1,
            Element::Text | Element::Bytes => 4,
        }
    }

    /// Whether elements differ in their length.
    const fn is_of_any_length(self) -> bool {
        matches!(self, Element::Text | Element::Bytes)
    }
}

/// What is made of the elements.
#[derive(Clone, Debug, PartialEq)]
pub enum Decoding {
    /// Elements as they are; each byte of text is a text of one character of ISO 8859-1, and 0 an empty one.
    Stored,
    /// `value * scale + offset` as binary64.
    Scaled(Scaling),
    /// Nanoseconds since 1970-01-01.
    Instants(Instants),
    /// Texts for which integers stand.
    Names(Names),
    /// The bytes of text along the array's last dimension, which has this many elements and lies along no axis, are one text.
    Joined { length: usize },
}

/// How packed numbers are unpacked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaling {
    pub scale: f64,
    pub offset: f64,
    /// Whether the value is computed in binary32, and then widened.
    pub is_single: bool,
    /// Whether a result that is NaN is null.
    pub is_nan_null: bool,
}

/// What a column of a box is made of.
pub struct Spec {
    /// Rows along each axis of the box, whose rows are in C order.
    pub shape: Vec<usize>,
    /// For each dimension of the array the axis that it lies along, without that of [`Decoding::Joined`]. None: the box has a single
    /// index of the dimension, whose element is repeated.
    pub axes: Vec<Option<usize>>,
    pub element: Element,
    pub decoding: Decoding,
    /// Stored values that are null, each as the little-endian bytes of one element or as a text.
    pub fills: Vec<Vec<u8>>,
}

/// A column on its way.
pub struct BoxColumn {
    spec: Spec,
    /// The elements in the order of the box's axes, as they were stored but little-endian.
    words: Buffer,
    cells: usize,
    written: usize,
    texts: Texts,
    /// A byte for each cell: 0 where the element is null, whatever is stored. None: no part says so.
    validity: Option<Vec<u8>>,
    /// The part that is being added, as the host has written it.
    part: Buffer,
}

/// Elements on their way in.
pub enum SlabPart<'a> {
    Elements(Elements<'a>),
    /// Text `i` is bytes `offsets[i]..offsets[i + 1]`.
    Texts {
        offsets: &'a [[u8; 4]],
        bytes: &'a [u8],
    },
    /// A byte for each element: 0 where it is null, whatever is stored.
    Validity(Elements<'a>),
}

impl BoxColumn {
    /// Room for all elements of the box.
    pub fn new(spec: Spec) -> Result<Self> {
        BoxColumn::of(spec, Buffer::zeroed)
    }

    /// The same of numbers and characters, all of which the host writes to [`BoxColumn::cells`].
    pub fn unwritten(spec: Spec) -> Result<Self> {
        if !matches!(spec.element, Element::Number(_) | Element::Char) {
            return Err(Error::Misuse("elements of any length"));
        }
        BoxColumn::of(spec, |bytes| {
            let mut words = Buffer::empty();
            words.resize_unwritten(bytes)?;
            Ok(words)
        })
    }

    fn of(spec: Spec, room: impl FnOnce(usize) -> Result<Buffer>) -> Result<Self> {
        let cells = own_cells(&spec)?;
        let words = room(cells.checked_mul(spec.element.width()).ok_or(Error::Memory)?)?;
        Ok(BoxColumn { spec, words, cells, written: 0, texts: Texts::new(), validity: None, part: Buffer::empty() })
    }

    /// The elements in the order of the box's axes; the host writes all of them.
    pub fn cells(&mut self) -> &mut [u8] {
        self.words.bytes_mut()
    }

    /// Says that all elements were written to [`BoxColumn::cells`], as they are stored.
    pub fn set_written(&mut self, is_big_endian: bool) {
        self.written = self.cells;
        if !is_big_endian {
            return;
        }
        macro_rules! swap {
            ($type:ty) => {
                self.words.numbers_mut::<$type>().iter_mut().for_each(|word| *word = word.swap_bytes())
            };
        }
        match self.spec.element.width() {
            1 => (),
            2 => swap!(u16),
            4 => swap!(u32),
            _ => swap!(u64),
        }
    }

    /// Room for a part; the host writes all of it.
    pub fn room(&mut self, bytes: usize) -> Result<&mut [u8]> {
        self.part.resize_unwritten(bytes)?;
        Ok(self.part.bytes_mut())
    }

    /// Adds the part that was written to the room: where it goes, and then what `read` finds in the bytes.
    pub fn add_written(&mut self, read: impl FnOnce(&[u8], usize) -> Result<SlabPart<'_>>) -> Result<()> {
        let part = std::mem::take(&mut self.part);
        let (at, steps, bytes) = head(&part)?;
        self.add(&read(bytes, self.spec.element.width())?, at, steps)?;
        self.part = part;
        Ok(())
    }

    /// Adds elements that are elsewhere. The room says where they go.
    pub fn add_elements<'a>(&mut self, read: impl FnOnce(usize) -> Result<Elements<'a>>) -> Result<()> {
        let (at, steps, _) = head(&self.part)?;
        self.add(&SlabPart::Elements(read(self.spec.element.width())?), at, steps)
    }

    /// Puts elements in their places: the first one into cell `at`, and the others as `steps` say.
    fn add(&mut self, part: &SlabPart, at: usize, steps: Vec<Step>) -> Result<()> {
        let count = steps.iter().try_fold(1usize, |count, step| count.checked_mul(step.count)).ok_or(SHORT)?;
        if count == 0 {
            return Ok(());
        }
        match part {
            SlabPart::Elements(elements) => {
                if elements.width() != self.spec.element.width() || self.spec.element.is_of_any_length() {
                    return Err(Error::Misuse("elements of another width than the array's"));
                }
                match elements.width() {
                    1 => self.put::<u8>(elements, steps, at)?,
                    2 => self.put::<u16>(elements, steps, at)?,
                    4 => self.put::<u32>(elements, steps, at)?,
                    _ => self.put::<u64>(elements, steps, at)?,
                }
            }
            SlabPart::Texts { offsets, bytes } => {
                if !self.spec.element.is_of_any_length() {
                    return Err(Error::Misuse("texts of an array of numbers"));
                }
                let first = self.texts.len();
                self.texts.append(offsets, bytes, self.spec.element == Element::Text)?;
                let numbered = Numbered { first: first as u32, count: self.texts.len() - first };
                self.put::<u32>(&numbered, steps, at)?;
            }
            SlabPart::Validity(elements) => return self.put_validity(elements, steps, at),
        }
        self.written = self.written.saturating_add(count);
        Ok(())
    }

    fn put_validity(&mut self, elements: &Elements, steps: Vec<Step>, at: usize) -> Result<()> {
        if elements.width() != 1 {
            return Err(Error::Misuse("validity of more than a byte"));
        }
        let cells = match &mut self.validity {
            Some(cells) => cells,
            None => {
                let mut cells = with_room(self.cells)?;
                cells.resize(self.cells, 1);
                self.validity.insert(cells)
            }
        };
        place::place::<u8>(elements, steps, cells, at)
    }

    fn put<W: crate::buffer::Number + Default>(
        &mut self,
        source: &impl Source<W>,
        steps: Vec<Step>,
        at: usize,
    ) -> Result<()> {
        place::place(source, steps, &mut self.words.numbers_mut::<W>()[..self.cells], at)
    }

    /// The column. An error where elements are missing.
    pub fn finish(self) -> Result<Array> {
        if self.written < self.cells {
            return Err(Error::invalid("elements of the box are missing"));
        }
        let Spec { shape, mut axes, element, decoding, fills } = self.spec;
        axes.retain(Option::is_some);
        let own = match (element, decoding) {
            (Element::Number(physical), decoding) => {
                numbers::decode(self.words, self.cells, physical, &decoding, &fills)?
            }
            (Element::Char, Decoding::Stored) => texts::characters(&self.words.bytes()[..self.cells], &fills)?,
            (Element::Char, Decoding::Joined { length }) => {
                let texts = count(axes.iter().flatten().map(|&axis| shape[axis]))?;
                texts::joined(&self.words.bytes()[..self.cells], texts, length, &fills)?
            }
            (Element::Text | Element::Bytes, Decoding::Stored) => self.texts.column(self.words, self.cells, &fills)?,
            (Element::Bool, Decoding::Stored) => truths::decode(&self.words.bytes()[..self.cells], &fills)?,
            _ => return Err(Error::Misuse("a decoding of numbers for other elements")),
        };
        let own = match self.validity {
            Some(validity) => with_validity(own, &validity)?,
            None => own,
        };
        expand(own, &shape, &axes)
    }
}

/// The column with further nulls.
fn with_validity(column: Array, validity: &[u8]) -> Result<Array> {
    if column.len != validity.len() {
        return Err(Error::Misuse("the validity of elements that are no rows"));
    }
    let valid = Bitmap::from_fn(column.len, |row| validity[row] != 0)?;
    let valid = match &column.validity {
        Some(known) => known.zip(&valid, |known, valid| known & valid)?,
        None => valid,
    };
    Ok(Array { validity: fills::unless_all(valid), ..column })
}

/// Where a part goes, which is at its beginning, and what is behind that. 32-bit integers: the number of its dimensions, the cell of its first
/// element, and for each dimension a [`Step`].
fn head(part: &Buffer) -> Result<(usize, Vec<Step>, &[u8])> {
    let number = |bytes: [u8; 4]| u32::from_le_bytes(bytes) as usize;
    let (&[r0, r1, r2, r3, a0, a1, a2, a3], rest) = part.bytes().split_first_chunk().ok_or(SHORT)?;
    let (rank, at) = (number([r0, r1, r2, r3]), number([a0, a1, a2, a3]));
    let (steps, bytes) = rank.checked_mul(12).and_then(|len| rest.split_at_checked(len)).ok_or(SHORT)?;
    let steps = collected(
        rank,
        steps.as_chunks::<12>().0.iter().map(|bytes| {
            let [count, from, to] = [0, 4, 8].map(|i| number([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]));
            Step { count, from, to }
        }),
    )?;
    Ok((at, steps, bytes))
}

/// The cells of an array in a box.
fn own_cells(spec: &Spec) -> Result<usize> {
    let Spec { shape, axes, decoding, .. } = spec;
    count(shape.iter().copied())?;
    for (at, along) in axes.iter().enumerate() {
        if along.is_some_and(|axis| axis >= shape.len() || axes[..at].contains(along)) {
            return Err(Error::Misuse("a dimension along no axis, or two along one"));
        }
    }
    let joined = if let Decoding::Joined { length } = decoding { Some(*length) } else { None };
    count(axes.iter().flatten().map(|&axis| shape[axis]).chain(joined))
}

const SHORT: Error = Error::Misuse("a part that does not say where it goes");

/// The product, if so many rows may be.
fn count(mut extents: impl Iterator<Item = usize>) -> Result<usize> {
    let product = extents.try_fold(1usize, |product, extent| product.checked_mul(extent));
    product.filter(|&product| product <= MAX_ROWS).ok_or(Error::Memory)
}
