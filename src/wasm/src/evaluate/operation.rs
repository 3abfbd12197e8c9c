//! What an instruction does.

use super::kind::Kind;
use super::listed::listed;
use crate::error::{Error, Result};

listed! {
    /// An operation. `a` and `b` are its operands, of one kind unless it says otherwise. In the order of the loader's numbers
    /// (`evaluate/program.ts`).
    pub enum Operation {
        /// Kleene's AND, OR and NOT.
        And,
        Or,
        Not,
        /// Rows that are asked for and where a condition is true; not true; not false; not known, or a value is null.
        WhereTrue,
        WhereNotTrue,
        WhereNotFalse,
        WhereNull,
        /// Whether a value is null.
        IsNull,
        /// Whether values are equal; whether they are or both are null; whether the first comes before the second.
        Equal,
        Same,
        Less,
        /// `b` where the condition `c` is true, else `a`.
        Choose,
        /// Whether a value is in the set `b` of the program.
        Among,
        Add,
        Subtract,
        Multiply,
        /// Null where the divisor is 0. The remainder of floats is NaN there.
        Divide,
        Remainder,
        /// Of floats; an integer is subtracted from 0.
        Negate,
        Absolute,
        BitAnd,
        BitOr,
        BitXor,
        BitNot,
        Floor,
        Ceil,
        /// The nearest whole number, of two the one away from 0.
        Round,
        Trunc,
        /// The same of a 64-bit float with `b` (32-bit integer) digits behind the point.
        RoundDigits,
        TruncDigits,
        SquareRoot,
        /// The number in another kind. Fails, or is null, where it has none there.
        Cast,
        TryCast,
        /// The spans `b` from 1970 to a time, rounded down, and what is left of the time (64-bit integers). Null of infinite times.
        TimeDivide,
        TimeRemainder,
        /// The field `b` of a day, and the first day of the part `b` of the calendar in which it lies. Null of infinite days.
        DateField,
        DateTrunc,
        /// A function of a 64-bit float by its number `b`, and one that has no value for some numbers.
        Function,
        PartialFunction,
        /// `a` to the power of `b` (64-bit floats).
        Power,
        /// The angle of the point `b`, `a` (64-bit floats).
        Angle,
        /// Whether text `a` matches the pattern `b`, begins with it, ends with it, or has it inside.
        Like,
        StartsWith,
        EndsWith,
        Contains,
        /// The characters of a text.
        Length,
        /// Of unscaled decimals: fails where the result has more than 18 digits.
        AddDecimals,
        SubtractDecimals,
        MultiplyDecimals,
        /// An unscaled decimal in 128 bits.
        Widen,
        /// A text in lower or upper case, by the number `b`.
        ChangeCase,
        /// `c` characters of a text from the one at `b` on, as DuckDB's `substring` (64-bit integers).
        Slice,
        /// A text without the characters of `b` at its beginning (`c` 1), its end (2) or both (3).
        Trim,
        /// Text `a` in which each `b` has become `c`.
        Replace,
        /// Text `a` and then `b`.
        Join,
        /// The part `c` (64-bit integer) of text `a` between separators `b`.
        SplitPart,
        /// The character of text `a` at which `b` begins, 0 if it does nowhere.
        Position,
        /// The day so many months after a day, `b` (32-bit integer). In a shorter month it is the last day. Infinite days stay.
        AddMonths,
        /// A time as text in the format `b`. `c` are the digits of the fraction of a second in which it is counted.
        WriteTime,
        /// A time (64-bit integer) that is moved by the offset that the zone `b`, a constant, has at it. `c` is its unit.
        ShiftZone,
        /// The time that a text says in the form of the number `b`. Fails, or is null, where it says none.
        ReadTime,
        TryReadTime,
    }
}

impl Operation {
    /// By the loader's number.
    pub fn from_code(code: u32) -> Result<Self> {
        Operation::ALL.get(code as usize).copied().ok_or(Error::Misuse("unknown operation"))
    }

    /// Whether the result is rows that matter to other instructions.
    pub fn narrows(self) -> bool {
        use Operation::*;
        matches!(self, WhereTrue | WhereNotTrue | WhereNotFalse | WhereNull)
    }

    /// Whether a row may fail.
    pub fn can_fail(self, kind: Kind, to: Kind) -> bool {
        use Operation::*;
        let is_integer = !matches!(kind, Kind::Bool | Kind::Text | Kind::I128 | Kind::F32 | Kind::F64);
        match self {
            Add | Subtract | Multiply | Divide | Remainder => is_integer,
            AddMonths | ShiftZone | ReadTime | SquareRoot | PartialFunction | AddDecimals | SubtractDecimals
            | MultiplyDecimals => true,
            Cast => super::kernels::convert::can_fail(kind, to),
            _ => false,
        }
    }

    /// The kinds of the operands, of which there are up to three, and of the result. `kind` is that of `a`, `to` what a cast makes.
    /// None: there is no such operation on values of the kind.
    pub fn signature(self, kind: Kind, to: Kind) -> Option<(&'static [Operand], Kind)> {
        use Operand::*;
        use Operation::*;
        let is_float = matches!(kind, Kind::F32 | Kind::F64);
        let is_number = !matches!(kind, Kind::Bool | Kind::Text | Kind::I128);
        let is_integer = is_number && !is_float;
        Some(match self {
            And | Or if kind == Kind::Bool => (&[Own, Own], Kind::Bool),
            Not | WhereTrue | WhereNotTrue | WhereNotFalse if kind == Kind::Bool => (&[Own], Kind::Bool),
            WhereNull | IsNull if kind != Kind::I128 => (&[Own], Kind::Bool),
            Equal | Same | Less if kind != Kind::I128 => (&[Own, Own], Kind::Bool),
            Choose if kind != Kind::I128 => (&[Own, Own, Condition], kind),
            Among if !matches!(kind, Kind::Bool | Kind::I128) => (&[Own, Set], Kind::Bool),
            Add | Subtract | Multiply | Divide | Remainder if is_number => (&[Own, Own], kind),
            BitAnd | BitOr | BitXor if is_integer => (&[Own, Own], kind),
            BitNot if is_integer => (&[Own], kind),
            Negate | Absolute | Floor | Ceil | Round | Trunc if is_float => (&[Own], kind),
            SquareRoot if kind == Kind::F64 => (&[Own], kind),
            RoundDigits | TruncDigits if kind == Kind::F64 => (&[Own, Digits], kind),
            Cast | TryCast if is_number && !matches!(to, Kind::Bool | Kind::Text | Kind::I128) => (&[Own], to),
            TimeDivide if kind == Kind::I64 && matches!(to, Kind::I32 | Kind::I64) => (&[Own, Own], to),
            TimeRemainder if kind == Kind::I64 => (&[Own, Own], kind),
            DateField if kind == Kind::I32 => (&[Own, Number], Kind::I64),
            DateTrunc if kind == Kind::I32 => (&[Own, Number], kind),
            Function | PartialFunction if kind == Kind::F64 => (&[Own, Number], kind),
            Power | Angle if kind == Kind::F64 => (&[Own, Own], kind),
            Like | StartsWith | EndsWith | Contains if kind == Kind::Text => (&[Own, Own], Kind::Bool),
            Length if kind == Kind::Text => (&[Own], Kind::I64),
            AddDecimals | SubtractDecimals | MultiplyDecimals if kind == Kind::I64 => (&[Own, Own], kind),
            Widen if kind == Kind::I64 => (&[Own], Kind::I128),
            ChangeCase if kind == Kind::Text => (&[Own, Number], kind),
            Slice if kind == Kind::Text => (&[Own, Long, Long], kind),
            Trim if kind == Kind::Text => (&[Own, Own, Number], kind),
            Replace if kind == Kind::Text => (&[Own, Own, Own], kind),
            Join if kind == Kind::Text => (&[Own, Own], kind),
            SplitPart if kind == Kind::Text => (&[Own, Own, Long], kind),
            Position if kind == Kind::Text => (&[Own, Own], Kind::I64),
            WriteTime if kind == Kind::I64 => (&[Own, Text, Number], Kind::Text),
            ShiftZone if kind == Kind::I64 => (&[Own, Text, Number], kind),
            ReadTime | TryReadTime if kind == Kind::Text && matches!(to, Kind::I32 | Kind::I64) => (&[Own, Number], to),
            AddMonths if kind == Kind::I32 => (&[Own, Own], kind),
            _ => return None,
        })
    }
}

/// What an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A value of the instruction's kind.
    Own,
    /// A boolean.
    Condition,
    /// A 32-bit integer.
    Digits,
    /// A 64-bit integer.
    Long,
    /// A text.
    Text,
    /// A set of the program.
    Set,
    /// A number that the operation knows.
    Number,
}
