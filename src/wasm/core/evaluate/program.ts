import type { CallPlace } from '../../../plan/expression.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { KINDS, type Kind } from './kinds.ts'

/** The operations of instructions, in the order of `src/evaluate/operation.rs`, which says what they do. */
const OPERATIONS = Object.freeze([
  'and',
  'or',
  'not',
  'where_true',
  'where_not_true',
  'where_not_false',
  'where_null',
  'is_null',
  'equal',
  'same',
  'less',
  'choose',
  'among',
  'add',
  'subtract',
  'multiply',
  'divide',
  'remainder',
  'negate',
  'absolute',
  'bit_and',
  'bit_or',
  'bit_xor',
  'bit_not',
  'floor',
  'ceil',
  'round',
  'trunc',
  'round_digits',
  'trunc_digits',
  'square_root',
  'cast',
  'try_cast',
  'time_divide',
  'time_remainder',
  'date_field',
  'date_trunc',
  'function',
  'partial_function',
  'power',
  'angle',
  'like',
  'starts_with',
  'ends_with',
  'contains',
  'length',
  'add_decimals',
  'subtract_decimals',
  'multiply_decimals',
  'widen',
  'change_case',
  'slice',
  'trim',
  'replace',
  'join',
  'split_part',
  'position',
  'add_months',
  'write_time',
  'shift_zone',
  'read_time',
  'try_read_time',
] as const)

export type Operation = (typeof OPERATIONS)[number]

/** A value of a program by its number: a column, a constant or the result of an instruction, which are numbered apart. */
export type Value = number

/** Rows of a block that an instruction has to compute: all that are asked for, or some of those of `parent`. */
export interface Rows {
  readonly parent: Rows | null
  /** A boolean that is true in them. Null: all rows that are asked for. */
  value(): Value | null
}

/** What the message on a row that fails says. Of an operand that is text, `a` is the number of its fault. */
export type TellFailure = (a: bigint | number, b: bigint | number, text?: string) => string

interface Instruction {
  readonly operation: Operation
  /** The kind of the first operand. */
  readonly kind: Kind
  /** The kind of the result. */
  readonly to: Kind
  readonly operands: readonly Value[]
  /** Null: the rows do not fail. */
  readonly tellFailure: TellFailure | null
  /** The place of the call that it belongs to. Null: not known. */
  readonly place: CallPlace | null
}

/** A program as the core reads it. */
export interface WrittenProgram {
  readonly words: Uint32Array
  /** What is told of a row that fails, by instruction. */
  readonly failures: readonly (TellFailure | null)[]
  /** Where what fails is written, likewise. */
  readonly places: readonly (CallPlace | null)[]
  readonly kinds: readonly Kind[]
}

export interface ProgramWriter {
  /** All rows that are asked for. */
  readonly all: Rows
  constant(kind: Kind, value: Scalar | null): Value
  /** A set of constants, of which none is null. */
  set(kind: Kind, values: readonly Value[]): number
  /**
   * The result of an instruction for some rows. It is computed once for equal operands. If it is cheap and cannot fail, it is computed
   * for all rows for which its operands are.
   */
  result(rows: Rows, instruction: Instruction): Value
  /** The rows in which an operation on a value holds. They are computed when an instruction needs them. */
  narrow(rows: Rows, operation: Operation, kind: Kind, operand: Value): Rows
  kindOf(value: Value): Kind
  /** Whether a value is a constant. */
  isConstant(value: Value): boolean
  /** The text of a constant. Throws `TypeError` for another value. */
  textOf(value: Value): string
  /** The bytes of a constant that is text or an interval. Throws `TypeError` for another value. */
  bytesOf(value: Value): Uint8Array
  /** The integer of a constant. Throws `TypeError` for another value. */
  integerOf(value: Value): bigint
  write(outputs: readonly Value[]): WrittenProgram
}

const CONSTANTS = 2 ** 20
const INSTRUCTIONS = 2 ** 21
const NONE = 2 ** 32 - 1

/** Operations one of whose operands is no value, but the number of a set, of a field, of a part or of a variant, and which it is. */
const NUMBERED: ReadonlyMap<Operation, number> = new Map<Operation, number>([
  ['among', 1],
  ['date_field', 1],
  ['date_trunc', 1],
  ['function', 1],
  ['partial_function', 1],
  ['change_case', 1],
  ['trim', 2],
  ['write_time', 2],
  ['shift_zone', 2],
  ['read_time', 1],
  ['try_read_time', 1],
])

/** Operations whose cost for a row is so high that they are computed for no more rows than needed. */
const COSTLY: ReadonlySet<Operation> = new Set<Operation>([
  'among',
  'divide',
  'remainder',
  'date_field',
  'date_trunc',
  'change_case',
  'slice',
  'trim',
  'replace',
  'join',
  'split_part',
  'position',
  'add_months',
  'write_time',
  'shift_zone',
  'read_time',
  'try_read_time',
])

export function createProgramWriter(columns: readonly Kind[]): ProgramWriter {
  const constants: { readonly kind: Kind; readonly value: Scalar | null }[] = []
  const constantsByKey = new Map<string, Value>()
  const sets: { readonly kind: Kind; readonly values: readonly Value[] }[] = []
  const instructions: (Instruction & { readonly active: Value | null })[] = []
  /** The results by their instructions, apart for the rows for which they were computed. */
  const results = new Map<Rows, Map<string, Value>>()
  /** The rows for which a result was computed. */
  const rowsOf: Rows[] = []
  const all: Rows = { parent: null, value: () => null }

  const kindOf = (value: Value): Kind => {
    const kind =
      value >= INSTRUCTIONS
        ? instructions[value - INSTRUCTIONS]?.to
        : value >= CONSTANTS
          ? constants[value - CONSTANTS]?.kind
          : columns[value]
    if (kind === undefined) throw new TypeError(`no value ${value}`)
    return kind
  }

  const isCheap = ({ operation, kind, tellFailure }: Instruction): boolean =>
    tellFailure === null &&
    !COSTLY.has(operation) &&
    !(kind === 'text' && (operation === 'equal' || operation === 'less' || operation === 'same'))

  /** The fewest of `rows` and those around them for which all operands were computed. */
  const rowsOfOperands = (rows: Rows, operands: readonly Value[]): Rows => {
    let missing = operands.map((value) => rowsOf[value - INSTRUCTIONS] ?? all)
    let fewest: Rows | null = null
    for (let each: Rows | null = rows; each !== null; each = each.parent) {
      const around = each
      if (fewest === null && missing.includes(around)) fewest = around
      missing = missing.filter((of) => of !== around)
    }
    return missing.length > 0 || fewest === null ? rows : fewest
  }

  const find = (rows: Rows, key: string): Value | undefined => {
    for (let each: Rows | null = rows; each !== null; each = each.parent) {
      const value = results.get(each)?.get(key)
      if (value !== undefined) return value
    }
    return undefined
  }

  const append = (rows: Rows, key: string, instruction: Instruction): Value => {
    const active = rows.value()
    const value = INSTRUCTIONS + instructions.length
    instructions.push({ ...instruction, active })
    rowsOf.push(rows)
    const ofRows = results.get(rows) ?? new Map<string, Value>()
    results.set(rows, ofRows.set(key, value))
    return value
  }

  const result = (rows: Rows, instruction: Instruction): Value => {
    const { operation, kind, to, operands } = instruction
    const key = [operation, kind, to, ...operands].join(' ')
    const same = find(rows, key)
    if (same !== undefined) return same
    return append(isCheap(instruction) ? rowsOfOperands(rows, operands) : rows, key, instruction)
  }

  const bytesOf = (value: Value): Uint8Array => {
    const constant = constants[value - CONSTANTS]?.value
    if (constant?.kind !== 'bytes') throw new TypeError('a text that is no constant')
    return constant.value
  }

  return {
    all,
    kindOf,
    result,
    bytesOf,
    textOf: (value) => Buffer.from(bytesOf(value)).toString('utf8'),
    integerOf(value) {
      const constant = constants[value - CONSTANTS]?.value
      if (constant?.kind !== 'int') throw new TypeError('an integer that is no constant')
      return constant.value
    },
    isConstant: (value) => value >= CONSTANTS && value < INSTRUCTIONS,
    constant(kind, value) {
      const key = `${kind} ${value === null ? 'null' : constantWords(kind, value).join(' ')}`
      const same = constantsByKey.get(key)
      if (same !== undefined) return same
      const number = CONSTANTS + constants.push({ kind, value }) - 1
      constantsByKey.set(key, number)
      return number
    },
    set: (kind, values) => sets.push({ kind, values }) - 1,
    narrow(rows, operation, kind, operand) {
      let value: Value | null = null
      const narrowed: Rows = {
        parent: rows,
        value() {
          const key = [operation, kind, operand].join(' ')
          value ??=
            results.get(rows)?.get(key) ??
            append(rows, key, {
              operation,
              kind,
              to: 'bool',
              operands: [operand],
              tellFailure: null,
              place: null,
            })
          return value
        },
      }
      return narrowed
    },
    write(outputs) {
      const number = (value: Value): number => {
        if (value >= INSTRUCTIONS) return value - INSTRUCTIONS + columns.length + constants.length
        return value >= CONSTANTS ? value - CONSTANTS + columns.length : value
      }
      const code = (kind: Kind): number => KINDS.indexOf(kind)
      const operandsOf = ({ operation, operands }: Instruction): number[] =>
        [0, 1, 2].map((index) => {
          const operand = operands[index] ?? 0
          return index === NUMBERED.get(operation) || index >= operands.length ? operand : number(operand)
        })
      const words = [
        columns.length,
        ...columns.map(code),
        constants.length,
        ...constants.flatMap(({ kind, value }) => [
          code(kind),
          ...(value === null ? [0] : [1, ...constantWords(kind, value)]),
        ]),
        sets.length,
        ...sets.flatMap(({ kind, values }) => [code(kind), values.length, ...values.map(number)]),
        instructions.length,
        ...instructions.flatMap((each) => [
          OPERATIONS.indexOf(each.operation),
          code(each.kind),
          code(each.to),
          ...operandsOf(each),
          each.active === null ? NONE : number(each.active),
        ]),
        outputs.length,
        ...outputs.map(number),
      ]
      return {
        words: Uint32Array.from(words),
        failures: instructions.map(({ tellFailure }) => tellFailure),
        places: instructions.map(({ place }) => place),
        kinds: instructions.map(({ kind }) => kind),
      }
    },
  }
}

/** A constant as `src/evaluate/program.rs` reads it: the 64 bits of a number, or the length of a text and its bytes. */
function constantWords(kind: Kind, value: Scalar): readonly number[] {
  if (value.kind === 'bytes') {
    if (kind !== 'text') throw new TypeError(`a text as a constant of the kind ${kind}`)
    const padded = new Uint8Array(Math.ceil(value.value.length / 4) * 4)
    padded.set(value.value)
    return [value.value.length, ...new Uint32Array(padded.buffer)]
  }
  const bits =
    value.kind === 'float'
      ? new BigUint64Array(Float64Array.of(value.value).buffer)[0]
      : BigInt.asUintN(64, BigInt(value.value))
  return [Number(BigInt.asUintN(32, bits ?? 0n)), Number((bits ?? 0n) >> 32n)]
}
