import type { Expression } from '../expression.ts'
import type { Scalar } from '../types/scalar.ts'
import type { DataType } from '../types/schema.ts'
import {
  binary,
  freezeOverload,
  giving,
  type Kernel,
  type KernelOverload,
  listOverloads,
  NEVER,
  textOf,
  unary,
  withConstants,
} from './kernel.ts'
import { BIGINT, BOOLEAN, VARCHAR } from './kernel-types.ts'

const TESTS = [freezeOverload([VARCHAR, VARCHAR], BOOLEAN)]

/** The most characters of what is sought in texts: the time is that of its product with their length. */
const LONGEST_PART = 1000

const isShort = (value: Scalar): boolean => textOf(value).length <= LONGEST_PART

/** A kernel that seeks in texts what the second argument says, a column or a constant that is not null and not too long. */
function withParts(name: string, overloads: readonly KernelOverload[]): Kernel {
  return Object.freeze({
    ...listOverloads(name, overloads),
    takes: ([, part]: readonly Expression[]) =>
      part?.kind === 'constant' ? part.value !== null && isShort(part.value) : part !== undefined,
  })
}

/** Beyond these DuckDB refuses positions in texts. */
const isPosition = (value: Scalar): boolean =>
  value.kind === 'int' && value.value < 2n ** 32n && value.value > -(2n ** 32n)

/** Texts one after the other, of any number. Nulls are left out. */
const CONCAT: Kernel = Object.freeze({
  name: 'concat',
  overloads: Object.freeze([freezeOverload([VARCHAR, VARCHAR], VARCHAR)]),
  mayFail: NEVER,
  accepts: (args: readonly DataType[], result: DataType) =>
    args.length > 0 && [...args, result].every(({ kind }) => kind === 'utf8'),
})

/** What the core evaluates of texts. */
export const TEXT_KERNELS: readonly Kernel[] = Object.freeze([
  ...['starts_with', 'ends_with'].map((name) => listOverloads(name, TESTS)),
  ...['like', 'ilike', 'contains'].map((name) => withParts(name, TESTS)),
  listOverloads('length', giving([VARCHAR], BIGINT)),
  ...['lower', 'upper'].map((name) => listOverloads(name, unary([VARCHAR]))),
  withConstants(
    'substring',
    [freezeOverload([VARCHAR, BIGINT], VARCHAR), freezeOverload([VARCHAR, BIGINT, BIGINT], VARCHAR)],
    { 1: isPosition, 2: isPosition },
  ),
  ...['left', 'right'].map((name) =>
    withConstants(name, [freezeOverload([VARCHAR, BIGINT], VARCHAR)], { 1: isPosition }),
  ),
  ...['trim', 'ltrim', 'rtrim'].map((name) =>
    withConstants(name, [...unary([VARCHAR]), ...binary([VARCHAR])], { 1: isShort }),
  ),
  withParts('replace', [freezeOverload([VARCHAR, VARCHAR, VARCHAR], VARCHAR)]),
  CONCAT,
  listOverloads('||', binary([VARCHAR])),
  withConstants('split_part', [freezeOverload([VARCHAR, VARCHAR, BIGINT], VARCHAR)], {
    1: isShort,
    2: isPosition,
  }),
  withParts('strpos', [freezeOverload([VARCHAR, VARCHAR], BIGINT)]),
])
