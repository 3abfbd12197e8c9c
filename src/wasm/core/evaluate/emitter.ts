import type { CallPlace } from '../../../plan/expression.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import type { Kind } from './kinds.ts'
import type { Operation, ProgramWriter, Rows, TellFailure, Value } from './program.ts'

/** Writes the instructions of calls for some rows. */
export interface Emitter {
  readonly rows: Rows
  /** The same for a call, of whose place failures tell. */
  within(place: CallPlace): Emitter
  /** An instruction whose result has the kind `to`, or that of its first operand. */
  operate(
    operation: Operation,
    operands: readonly Value[],
    options?: { readonly to?: Kind; readonly tellFailure?: TellFailure },
  ): Value
  constant(kind: Kind, value: Scalar | null): Value
  /** The same for the rows in which an operation on a value holds. */
  where(operation: Operation, operand: Value): Emitter
  kindOf(value: Value): Kind
  isConstant(value: Value): boolean
  /** The text of a constant. */
  textOf(value: Value): string
  /** The bytes of a constant, also of an interval. */
  bytesOf(value: Value): Uint8Array
  /** The integer of a constant. */
  integerOf(value: Value): bigint
  set(kind: Kind, values: readonly Value[]): number
}

export function createEmitter(program: ProgramWriter, rows: Rows, place: CallPlace | null = null): Emitter {
  const { bytesOf, kindOf, constant, integerOf, isConstant, set, textOf } = program
  return {
    rows,
    kindOf,
    constant,
    isConstant,
    set,
    textOf,
    bytesOf,
    integerOf,
    operate(operation, operands, options = {}) {
      const kind = kindOf(operands[0] ?? Number.NaN)
      const { to = BOOLEANS.has(operation) ? 'bool' : kind, tellFailure = null } = options
      return program.result(rows, { operation, kind, to, operands, tellFailure, place })
    },
    where: (operation, operand) =>
      createEmitter(program, program.narrow(rows, operation, kindOf(operand), operand), place),
    within: (inner) => createEmitter(program, rows, inner),
  }
}

/** Operations whose result is a boolean, whatever their operands are. */
const BOOLEANS: ReadonlySet<Operation> = new Set<Operation>(['is_null', 'equal', 'same', 'less', 'among'])

/** An argument of a call, which is compiled for the rows that need it. */
export type Argument = (emitter: Emitter) => Value

/** Writes a call. `to` is the kind of its result, `type` its type, and `types` are those of its arguments. */
export type Emit = (
  emitter: Emitter,
  args: readonly Argument[],
  to: Kind,
  types: readonly (DataType | null)[],
  type: DataType,
) => Value
