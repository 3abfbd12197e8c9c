import type { Expression } from '../expression.ts'
import type { Scalar } from '../types/scalar.ts'
import { type DataType, typeName } from '../types/schema.ts'

/** The types of a call that the core evaluates. It evaluates no others under the name: arguments are cast to them. */
export interface KernelOverload {
  readonly args: readonly DataType[]
  readonly result: DataType
}

/** A function, an operator or another form of expression that the core evaluates in a call (`src/plan/expression.ts`). */
export interface Kernel {
  readonly name: string
  /** All overloads, or if the number of arguments or their types are not bounded, one of each kind. */
  readonly overloads: readonly KernelOverload[]
  /** Whether a row may fail, as by an overflow: as soon as one that is asked for fails, the query does. */
  mayFail(args: readonly DataType[], result: DataType): boolean
  accepts(args: readonly DataType[], result: DataType): boolean
  /** Whether it evaluates a call of these arguments. Absent: of any. */
  takes?(args: readonly Expression[]): boolean
}

export type MayFail = (args: readonly DataType[], result: DataType) => boolean

export const NEVER: MayFail = () => false

export function freezeOverload(args: readonly DataType[], result: DataType): KernelOverload {
  return Object.freeze({ args: Object.freeze(args), result })
}

/** A kernel that has the listed overloads and no others. */
export function listOverloads(
  name: string,
  overloads: readonly KernelOverload[],
  mayFail: MayFail = NEVER,
): Kernel {
  const keys = new Set(overloads.map(({ args, result }) => keyOf(args, result)))
  return Object.freeze({
    name,
    overloads: Object.freeze(overloads),
    mayFail,
    accepts: (args: readonly DataType[], result: DataType) => keys.has(keyOf(args, result)),
  })
}

const keyOf = (args: readonly DataType[], result: DataType): string => [...args, result].map(typeName).join()

/** A kernel some of whose arguments are constants that are not null and meet a condition. */
export function withConstants(
  name: string,
  overloads: readonly KernelOverload[],
  conditions: Readonly<Record<number, (value: Scalar) => boolean>>,
  mayFail: MayFail = NEVER,
): Kernel {
  return Object.freeze({
    ...listOverloads(name, overloads, mayFail),
    takes: (args: readonly Expression[]) =>
      args.length > 0 &&
      args.every((arg, index) => {
        const meets = conditions[index]
        return meets === undefined || (arg.kind === 'constant' && arg.value !== null && meets(arg.value))
      }),
  })
}

/** A constant that is a text. Nothing of others. */
export function textOf(value: Scalar): string {
  return value.kind === 'bytes' ? Buffer.from(value.value).toString('utf8') : ''
}

export const unary = (types: readonly DataType[]): readonly KernelOverload[] =>
  types.map((type) => freezeOverload([type], type))
export const binary = (types: readonly DataType[]): readonly KernelOverload[] =>
  types.map((type) => freezeOverload([type, type], type))
export const giving = (types: readonly DataType[], result: DataType): readonly KernelOverload[] =>
  types.map((type) => freezeOverload([type], result))
