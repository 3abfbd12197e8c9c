import type { Duck } from '../instance.ts'
import type { ValueType } from '../linking/callback.ts'

/**
 * The functions of an aggregate. Their parameters are addresses: of the overload, of a state, of vectors, which `states`, `from` and `into`
 * are, of pointers to states; `input` is of data of the call, and `inputs` of the vectors of its arguments, one behind the other.
 */
export interface AggregateCode {
  /** The bytes of a state. */
  stateSize(overload: number): bigint
  initialize(overload: number, state: number): void
  /** Takes rows into the states of their groups. */
  update(inputs: number, input: number, inputCount: bigint, states: number, rows: bigint): void
  combine(from: number, into: number, input: number, count: bigint): void
  /** Writes the results of states, behind the first `offset` ones. */
  finalize(states: number, input: number, result: number, count: bigint, offset: bigint): void
}

/** Pointers by which DuckDB calls such functions. */
export type AggregatePointers = Readonly<Partial<Record<keyof AggregateCode, number>>>

/** The value of `VectorType` for a vector of one value that stands for all. It is in the vector's first byte. */
export const IS_CONSTANT = 2

type Signature = readonly [parameters: readonly ValueType[], results: readonly ValueType[]]

const SIGNATURES: Readonly<Record<keyof AggregateCode, Signature>> = Object.freeze({
  stateSize: [['i32'], ['i64']],
  initialize: [['i32', 'i32'], []],
  update: [['i32', 'i32', 'i64', 'i32', 'i64'], []],
  combine: [['i32', 'i32', 'i32', 'i64'], []],
  finalize: [['i32', 'i32', 'i32', 'i64', 'i64'], []],
})

const PARTS = Object.freeze(['stateSize', 'initialize', 'update', 'combine', 'finalize'] as const)

/** Makes pointers to functions. They must not throw anything but exceptions of DuckDB. */
export function addAggregateCode(duck: Duck, code: Partial<AggregateCode>): AggregatePointers {
  const pointers = PARTS.flatMap((part) => {
    const callback = code[part]
    const [parameters, results] = SIGNATURES[part]
    return callback === undefined ? [] : [[part, duck.addTyped(parameters, results, callback)] as const]
  })
  return Object.freeze(Object.fromEntries(pointers))
}

/** The pointers that are given. */
export function aggregatePointers(
  pointers: AggregatePointers = {},
): readonly (readonly [keyof AggregateCode, number])[] {
  return PARTS.flatMap((part) => {
    const pointer = pointers[part]
    return pointer === undefined ? [] : [[part, pointer] as const]
  })
}
