import {
  callExpression,
  columnExpression,
  constantExpression,
  type TypedExpression,
} from '../../src/plan/expression.ts'
import { intervalConstant } from '../../src/plan/kernels/intervals.ts'
import type { Kernel } from '../../src/plan/kernels/kernel.ts'
import { isKernelValue } from '../../src/plan/kernels/kernel-types.ts'
import { canEvaluate, KERNELS } from '../../src/plan/kernels/kernels.ts'
import { type DataType, sameType } from '../../src/plan/types/schema.ts'
import { fc } from '../support/generate.ts'
import { cellsOf, type TestColumn } from './rows.ts'

interface Call {
  readonly kernel: Kernel
  readonly args: readonly DataType[]
  readonly result: DataType
}

const CALLS: readonly Call[] = [...KERNELS.values()].flatMap((kernel) =>
  kernel.overloads.map(({ args, result }) => ({ kernel, args, result })),
)

/** Functions that take more arguments than their overloads show, by what may be repeated. */
const REPEATING: Readonly<Record<string, 'pairs' | 'last'>> = {
  case: 'pairs',
  in: 'last',
  coalesce: 'last',
  greatest: 'last',
  least: 'last',
  concat: 'last',
  and: 'last',
  or: 'last',
}

const text = (value: string): TypedExpression =>
  constantExpression({ kind: 'bytes', value: Buffer.from(value) }, { kind: 'utf8' })

const PARTS = [
  'second',
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
  'decade',
  'century',
  'millennium',
].map(text)
const PATTERNS = ['%', '', 'a%', '%a', '%b%', '_', 'a_', '%_b%', '%ro%', 'a%b', '%ä', '__', '%twelve%s'].map(
  text,
)

const SOUGHT = ['', 'a', 'b', 'ro', 'ä', 'longer', '€', 'than '].map(text)
const POSITIONS = [-30, -3, -2, -1, 0, 1, 2, 3, 4, 40].map((value) =>
  constantExpression({ kind: 'int', value: BigInt(value) }, { kind: 'int', bits: 64, signed: true }),
)
const CHARACTERS = ['', ' ', 'a', 'äb', 'el€'].map(text)

const interval = (months: number, days = 0, micros = 0n): TypedExpression =>
  intervalConstant({ months, days, micros })
const INTERVALS = [
  ...[1, -1, 12, 14, -25, 1_200, 3_000_000].map((months) => interval(months)),
  ...[
    interval(0, 1),
    interval(0, -30),
    interval(0, 0, 5_400_000_000n),
    interval(0, 0, -1n),
    interval(0, 2_000_000_000),
  ],
  ...[interval(1, -1, 90_000_000_000n), interval(-5, 3, -1_000_000n), interval(13, 0, 200_000_000_000_000n)],
]
const WIDTHS = [
  ...[1, 3, 5, 7, 12, 18, 120, 1_200].map((months) => interval(months)),
  ...[
    interval(0, 1),
    interval(0, 7),
    interval(0, 10),
    interval(0, 0, 3_600_000_000n),
    interval(0, 0, 7_000_000n),
  ],
  ...[interval(0, 1, 43_200_000_000n), interval(0, 0, 1n), interval(0, 0, 900_000_000n)],
]
const ORIGINS = [0n, -1n, 946_684_800_000_000n, 1_709_214_330_250_000n, -62_135_596_800_000_000n].map(
  (value) =>
    constantExpression({ kind: 'int', value }, { kind: 'timestamp', unit: 'microsecond', zone: null }),
)

const FORMATS = [
  ...[
    '%Y-%m-%d',
    '%H:%M:%S.%f',
    '%j %y %I %p',
    '%a %A %b %B',
    '%w%u %%',
    '%-d.%-m.%-y %-H:%-M:%-S',
    'x',
    'é%g|%n',
    '%U %W %V %G',
    '%c|%x %X%T%z%Z%%c',
  ],
].map(text)

const ZONES = [
  ...[
    'Europe/Paris',
    'america/new_york',
    'Asia/Kathmandu',
    'Africa/Casablanca',
    'Pacific/Apia',
    'UTC',
    '+05:30',
  ],
].map(text)

/** Arguments that have to be constants, by function and place. */
const CONSTANTS: Readonly<Record<string, Readonly<Record<number, readonly TypedExpression[]>>>> = {
  date_add: { 1: INTERVALS },
  strftime: { 1: FORMATS },
  timezone: { 0: ZONES },
  time_bucket: { 0: WIDTHS, 2: ORIGINS },
  date_trunc: { 0: PARTS },
  like: { 1: PATTERNS },
  date_diff: { 0: [...PARTS, ...['isoyear', 'millisecond', 'microsecond'].map(text)] },
  ilike: { 1: [...PATTERNS, ...['A%', '%RO%', '%Ä', 'LONGER%'].map(text)] },
  contains: { 1: SOUGHT },
  substring: { 1: POSITIONS, 2: POSITIONS },
  left: { 1: POSITIONS },
  right: { 1: POSITIONS },
  trim: { 1: CHARACTERS },
  ltrim: { 1: CHARACTERS },
  rtrim: { 1: CHARACTERS },
  replace: { 1: SOUGHT },
  split_part: { 1: SOUGHT, 2: POSITIONS },
  strpos: { 1: SOUGHT },
}

/** Functions whose second argument may be a column too. */
const PARTS_IN_COLUMNS: ReadonlySet<string> = new Set(['like', 'ilike', 'contains', 'replace', 'strpos'])

/** Expressions of a type over columns, of so many levels. `takes` may leave out calls. */
export function expressionsOf(
  type: DataType,
  columns: readonly TestColumn[],
  levels: number,
  takes: (name: string, args: readonly DataType[], result: DataType) => boolean = () => true,
): fc.Arbitrary<TypedExpression> {
  const of = columns.filter((column) => sameType(column.type, type))
  const constants = cellsOf(type).map((value) => constantExpression(value, type))
  const leaves: fc.Arbitrary<TypedExpression>[] = of.map(({ name }) =>
    fc.constant(columnExpression(name, type) as TypedExpression),
  )
  const leaf = leaves.length === 0 ? constants : fc.oneof(...leaves, ...leaves, constants)
  if (levels === 0) return leaf
  const calls = CALLS.filter(
    ({ kernel, args, result }) =>
      sameType(result, type) &&
      takes(kernel.name, args, result) &&
      args.every(
        (arg, index) =>
          CONSTANTS[kernel.name]?.[index] !== undefined ||
          (isKernelValue(arg) && columns.some((column) => sameType(column.type, arg))),
      ),
  )
  if (calls.length === 0) return leaf
  const names = [...new Set(calls.map(({ kernel }) => kernel.name))]
  const call = fc.constantFrom(...names).chain((name) =>
    fc.constantFrom(...calls.filter(({ kernel }) => kernel.name === name)).chain(({ args }) =>
      fc.integer({ min: 0, max: 2 }).chain((more) => {
        const given = [...args]
        const last = given.at(-1)
        if (REPEATING[name] === 'last' && last) given.push(...Array.from({ length: more }, () => last))
        if (REPEATING[name] === 'pairs')
          given.unshift(...Array.from({ length: more }, () => args.slice(0, 2)).flat())
        return fc
          .tuple(
            ...given.map((arg, index) => {
              const fixed = CONSTANTS[name]?.[index]
              const isColumn = fixed !== undefined && PARTS_IN_COLUMNS.has(name) && index === 1
              if (isColumn && levels > 0)
                return fc.oneof(fc.constantFrom(...fixed), expressionsOf(arg, columns, 0, takes))
              return fixed ? fc.constantFrom(...fixed) : expressionsOf(arg, columns, levels - 1, takes)
            }),
          )
          .filter((values) =>
            canEvaluate(
              name,
              values.map((value) => value.type),
              type,
              values,
            ),
          )
          .map((values) => callExpression(name, values, type) as TypedExpression)
      }),
    ),
  )
  return levels > 1 ? fc.oneof({ arbitrary: call, weight: 5 }, { arbitrary: leaf, weight: 1 }) : call
}
