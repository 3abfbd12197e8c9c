import type { DataType } from '../../src/plan/types/schema.ts'
import { fc } from '../support/generate.ts'
import type { Cell, TestColumn, TestTable } from './table.ts'

/** A table, and a request over it without `from`. */
export interface GeneratedQuery {
  readonly table: TestTable
  readonly request: Json & { readonly select: readonly SelectEntry[] }
}

type SelectEntry = string | { readonly column?: string; readonly alias: string; readonly value?: unknown }

type Json = Readonly<Record<string, unknown>>

/** Names that code may mishandle which builds plans, SQL or records without care. */
const NAMES = [
  'depth',
  'a AND b',
  "it's",
  'say "x"',
  'lat.units',
  ' padded ',
  'naïve',
  '水温',
  'select',
  'null',
  '__proto__',
  'constructor',
  '1',
  '*',
  'a\nb',
  '$1',
  '%s',
]

const INTEGERS = ([8, 16, 32, 64] as const).flatMap((bits): DataType[] => [
  { kind: 'int', bits, signed: true },
  { kind: 'int', bits, signed: false },
])

const TIMESTAMPS = (['second', 'millisecond', 'microsecond', 'nanosecond'] as const).flatMap(
  (unit): DataType[] => [
    { kind: 'timestamp', unit, zone: null },
    { kind: 'timestamp', unit, zone: 'UTC' },
    { kind: 'timestamp', unit, zone: '+02:00' },
  ],
)

/** Types of each kind that a filter can compare. */
export const FILTERABLE: readonly DataType[] = [
  { kind: 'bool' },
  ...INTEGERS,
  { kind: 'float', bits: 32 },
  { kind: 'float', bits: 64 },
  { kind: 'decimal', bits: 128, precision: 9, scale: 2 },
  { kind: 'decimal', bits: 128, precision: 38, scale: 10 },
  { kind: 'utf8' },
  { kind: 'date', unit: 'day' },
  { kind: 'time', unit: 'millisecond' },
  { kind: 'time', unit: 'microsecond' },
  ...TIMESTAMPS,
]

const UNIT_NS = { second: 10n ** 9n, millisecond: 10n ** 6n, microsecond: 10n ** 3n, nanosecond: 1n }
const DAY_NS = 86_400n * 10n ** 9n
/** 2020-01-01. */
const DAY_2020 = 18_262n

/** Values with which comparisons often go wrong. They are few, so that cells and literals are often equal. */
function interesting(type: DataType): readonly Exclude<Cell, null>[] {
  switch (type.kind) {
    case 'bool':
      return [false, true]
    case 'int': {
      const min = type.signed ? -(2n ** BigInt(type.bits - 1)) : 0n
      const max = type.signed ? -min - 1n : 2n ** BigInt(type.bits) - 1n
      const beyondDouble = type.bits === 64 ? [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n] : []
      return [
        0n,
        1n,
        2n,
        3n,
        min,
        min + 1n,
        max - 1n,
        max,
        ...(type.signed ? [-1n, -2n] : []),
        ...beyondDouble,
      ]
    }
    case 'float': {
      const values = [0, -0, 0.1, 0.5, 1, 1.5, 2, -1, -1.5, 1e-7, 1e21, 16_777_217, 3.4e38, -3.4e38]
      const finite = type.bits === 32 ? values.map(Math.fround) : values
      return [...finite, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    }
    case 'decimal': {
      const max = 10n ** BigInt(type.precision) - 1n
      const one = 10n ** BigInt(type.scale)
      return [0n, 1n, -1n, one, one + 1n, one / 2n, -one, max, -max]
    }
    case 'date':
      return [-1n, 0n, DAY_2020, DAY_2020 + 1n]
    case 'time': {
      const second = UNIT_NS.second / UNIT_NS[type.unit]
      return [0n, 1n, second, second + 1n, 43_200n * second, 86_400n * second - 1n]
    }
    case 'timestamp': {
      const base = (DAY_2020 * DAY_NS) / UNIT_NS[type.unit]
      return [-1n, 0n, base - 1n, base, base + 1n, base + UNIT_NS.second / UNIT_NS[type.unit]]
    }
    default:
      return ['', 'a', 'ab', 'B', 'é', '水', '\u{1F600}', '\uFFFD', '10', '2020-01-01T00:00:00', 'it\'s "so"']
  }
}

function cells(type: DataType, rows: number): fc.Arbitrary<readonly Cell[]> {
  // Few values, so that columns fit narrower types, and segments have only one value or only nulls.
  return fc.subarray([...interesting(type)], { minLength: 1 }).chain((values) => {
    const cell = fc.oneof<fc.WeightedArbitrary<Cell>[]>(
      { arbitrary: fc.constantFrom(...values), weight: 5 },
      { arbitrary: fc.constant(null), weight: 1 },
    )
    const some = fc.array(cell, { minLength: rows, maxLength: rows })
    // The statistics of sorted columns prune.
    return fc.oneof(
      some,
      some.map((each) => each.toSorted(ascending)),
    )
  })
}

function ascending(a: Cell, b: Cell): number {
  if (a === null || b === null || Number.isNaN(a) || Number.isNaN(b)) return 0
  return a < b ? -1 : Number(a > b)
}

/** A table of `rows` rows, whose columns have difficult names. */
export function tables(types: readonly DataType[] = FILTERABLE): fc.Arbitrary<TestTable> {
  return fc
    .record({
      rows: fc.integer({ min: 0, max: 40 }),
      columns: fc.uniqueArray(
        fc.record({ name: fc.constantFrom(...NAMES), type: fc.constantFrom(...types) }),
        {
          selector: (column) => column.name,
          minLength: 1,
          maxLength: 5,
        },
      ),
    })
    .chain(({ rows, columns }) =>
      fc.tuple(...columns.map(({ type }) => cells(type, rows))).map((values) => ({
        rows,
        columns: columns.map((column, index): TestColumn => ({ ...column, cells: values[index] ?? [] })),
      })),
    )
}

/**
 * A request in which all names and literals fit the table. Its filters have either geometries or, if `withPatterns` is true, patterns
 * that the core does not evaluate.
 */
export function queriesOver(table: TestTable, withPatterns = false): fc.Arbitrary<GeneratedQuery> {
  return selects(table).chain(({ select, outputs }) => {
    const shadowed = new Set(outputs.map(({ name }) => name))
    const names = [...outputs, ...table.columns.filter(({ name }) => !shadowed.has(name))]
    const filter = filters(names, withPatterns, 3)
    return fc
      .record({
        filter: fc.option(filter),
        filters: fc.option(fc.array(filter, { maxLength: 3 })),
        offset: fc.option(fc.integer({ min: 0, max: 20 })),
        limit: fc.option(fc.integer({ min: 0, max: 40 })),
      })
      .map((rest) => ({ table, request: { select, ...rest } }))
  })
}

interface Named {
  readonly name: string
  readonly type: DataType
  readonly isConstant?: boolean
}

/** Columns, some of which have the name of another one, and constants. */
function selects(
  table: TestTable,
): fc.Arbitrary<{ select: readonly SelectEntry[]; outputs: readonly Named[] }> {
  const alias = fc.constantFrom(...NAMES)
  const plain = fc.constantFrom(...table.columns).map(({ name, type }) => ({ entry: name, name, type }))
  const renamed = fc
    .tuple(fc.constantFrom(...table.columns), alias)
    .map(([{ name: column, type }, name]) => ({
      entry: { column, alias: name },
      name,
      type,
    }))
  const constant = fc.tuple(fc.constantFrom(...CONSTANTS), alias).map(([[value, type], name]) => ({
    entry: { value, alias: name },
    name,
    type,
    isConstant: true,
  }))
  const entry = fc.oneof<fc.Arbitrary<Named & { entry: SelectEntry }>[]>(plain, plain, renamed, constant)
  return fc
    .uniqueArray(entry, { selector: ({ name }) => name, minLength: 1, maxLength: 5 })
    .map((outputs) => ({ select: outputs.map((output) => output.entry), outputs }))
}

const CONSTANTS: readonly (readonly [string | number | boolean | null, DataType])[] = [
  [1.5, { kind: 'float', bits: 64 }],
  ['a', { kind: 'utf8' }],
  [true, { kind: 'bool' }],
  [null, { kind: 'utf8' }],
]

function filters(names: readonly Named[], withPatterns: boolean, depth: number): fc.Arbitrary<Json> {
  const key = fc.constantFrom('column', 'for_query_parameter')
  const named = fc.constantFrom(...names)
  const nullTest = fc
    .tuple(fc.constantFrom('is_null', 'is_not_null', 'skip_fill_values', 'skip_missing'), key, named)
    .map(([test, columnKey, { name }]) => ({ [test]: { [columnKey]: name } }))
  const comparison = fc
    .tuple(key, named)
    .chain(([columnKey, { name, type }]) =>
      operators(type).map((members) => ({ [columnKey]: name, ...members })),
    )
  const oneOf = named.chain(({ name, type }) =>
    fc
      .tuple(fc.constantFrom('or', 'in', 'not_in'), fc.array(equalLiterals(type), { maxLength: 6 }))
      .map(([form, values]) =>
        form === 'or' ? { or: values.map((eq) => ({ column: name, eq })) } : { column: name, [form]: values },
      ),
  )
  const leaves: { arbitrary: fc.Arbitrary<Json>; weight: number }[] = [
    { arbitrary: nullTest, weight: 1 },
    { arbitrary: oneOf, weight: 1 },
    { arbitrary: comparison, weight: 6 },
  ]
  const texts = names.filter(({ type }) => type.kind === 'utf8')
  if (texts.length > 0) leaves.push({ arbitrary: matches(texts, withPatterns), weight: withPatterns ? 4 : 1 })
  const numeric = names.filter(({ type, isConstant }) => !isConstant && ['int', 'float'].includes(type.kind))
  if (numeric.length > 0 && !withPatterns) leaves.push({ arbitrary: geometries(numeric), weight: 1 })
  const leaf: fc.Arbitrary<Json> = fc.oneof(...leaves)
  if (depth === 0) return leaf
  const nested = fc
    .tuple(fc.constantFrom('and', 'or'), fc.array(filters(names, withPatterns, depth - 1), { maxLength: 3 }))
    .map(([combinator, args]) => ({ [combinator]: args }))
  const negated = filters(names, withPatterns, depth - 1).map((arg) => ({ not: arg }))
  return fc.oneof(
    { arbitrary: leaf, weight: 6 },
    { arbitrary: nested, weight: 2 },
    { arbitrary: negated, weight: 1 },
  )
}

/** Patterns that are a text or its beginning, and others if `withPatterns` is true. They mean the same in RE2 and in JavaScript. */
function matches(texts: readonly Named[], withPatterns: boolean): fc.Arbitrary<Json> {
  const text = fc.constantFrom('', 'a', 'ab', 'B', 'é', '水', '\u{1F600}', '10', '2020-')
  const start = fc.oneof(
    fc.tuple(text, fc.constantFrom('', '%', '%%')).map(([prefix, rest]) => ({ like: prefix + rest })),
    text.map((prefix) => ({ regex: `^${prefix}` })),
  )
  const piece = fc.constantFrom('%', '%', '_', 'a', 'b', 'é', 'É', '1', '"')
  const like = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''))
  const regex = fc.constantFrom(
    '',
    'b$',
    '^.$',
    '^ab?$',
    '^é*a',
    '^a|B',
    '[^a]',
    '^(1|a)',
    '^10$',
    '0+',
    '^b{0}a',
  )
  const other: fc.Arbitrary<Json> = fc.oneof(
    like.map((pattern) => ({ like: pattern })),
    like.map((pattern) => ({ ilike: pattern })),
    regex.map((pattern) => ({ regex: pattern })),
  )
  return fc
    .tuple(fc.constantFrom(...texts), withPatterns ? fc.oneof(start, other, other) : start)
    .map(([{ name }, members]) => ({ column: name, ...members }))
}

const EQUALITIES = ['eq', 'neq', 'not_eq', 'not_equal']

/** One operator, a range, or several operators, all of which hold. */
function operators(type: DataType): fc.Arbitrary<Json> {
  const keys = [...EQUALITIES, 'gt', 'gt_eq', 'min', 'low', 'lt', 'lt_eq', 'max', 'high']
  const literal = literals(type)
  const equal = fc.option(equalLiterals(type), { freq: 10 })
  const one = fc
    .constantFrom(...keys)
    .chain((key) => (EQUALITIES.includes(key) ? equal : literal).map((value) => ({ [key]: value })))
  const range = fc
    .tuple(fc.constantFrom('gt_eq', 'min', 'low'), fc.constantFrom('lt_eq', 'max', 'high'), literal, literal)
    .map(([low, high, a, b]) => ({ [low]: a, [high]: isOfKind(a, b) ? b : a }))
  const several = fc
    .subarray(['eq', 'neq', 'gt', 'min', 'lt', 'high'], { minLength: 2, maxLength: 4 })
    .chain((keys) => fc.tuple(...keys.map((key) => literal.map((value) => [key, value] as const))))
    .map((members) => ofOneKind({ ...Object.fromEntries(members), lt_eq: null }))
  return fc.oneof({ arbitrary: one, weight: 4 }, { arbitrary: range, weight: 2 }, several)
}

/** The operators with an upper bound of the lower one's kind. */
function ofOneKind(members: Json): Json {
  const { min, high } = members
  return min === undefined || high === undefined || isOfKind(min, high) ? members : { ...members, high: min }
}

function isOfKind(a: unknown, b: unknown): boolean {
  return isDateTime(a) === isDateTime(b) && typeof a === typeof b
}

function isDateTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/.test(value)
}

/** Values that `eq`, `neq` and lists take. */
function equalLiterals(type: DataType): fc.Arbitrary<unknown> {
  return type.kind === 'bool' ? fc.oneof(fc.boolean(), literals(type)) : literals(type)
}

/** JSON values equal to, near and beyond the interesting ones. */
function literals(type: DataType): fc.Arbitrary<unknown> {
  const raw = (text: string): unknown => JSON.rawJSON(text)
  const value = fc.constantFrom(...interesting(type))
  switch (type.kind) {
    case 'bool':
      return value.map(String)
    case 'int': {
      const beyond = fc.constantFrom('1e20', '-1e20', '300', '-129', '0.5', '-0.5', '-0', '1.5e0')
      const beside = fc
        .tuple(value, fc.constantFrom('', '.5', '.0', '.999'))
        .map(([v, tail]) => `${v}${tail}`)
      const number = fc.oneof({ arbitrary: beside, weight: 3 }, beyond)
      return fc.oneof({ arbitrary: number.map(raw), weight: 4 }, number)
    }
    case 'float': {
      const beyond = fc.constantFrom('1e39', '-1e39', '0.1', '0.30000001', '9007199254740993', '3.4028235e38')
      const finite = value.map((v) => String(Number.isFinite(v) ? v : 2))
      const special = fc.constantFrom('NaN', 'inf', '-inf').map((text) => text.replace('inf', 'Infinity'))
      return fc.oneof({ arbitrary: fc.oneof(finite, finite, beyond).map(raw), weight: 4 }, special)
    }
    case 'decimal':
      return fc
        .tuple(value, fc.constantFrom('', '5', '0', '00001'), fc.boolean())
        .map(([v, tail, asText]) =>
          asText ? `${pointed(v, type.scale)}${tail}` : raw(`${pointed(v, type.scale)}${tail}`),
        )
    case 'date':
      return value.chain((v) => times(BigInt(v) * DAY_NS))
    case 'timestamp':
      return value.chain((v) => times(BigInt(v) * UNIT_NS[type.unit]))
    case 'time':
      return fc
        .tuple(value, fc.constantFrom(0n, 1n))
        .map(([v, ns]) => iso(BigInt(v) * UNIT_NS[type.unit] + ns).slice('1970-01-01T'.length))
    default:
      return value
  }
}

/** An instant, or one that is a nanosecond later, in each of the forms in which it can be written. */
function times(ns: bigint): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(0n, 1n, 1_000_000n),
      fc.constantFrom('T', 'T', ' '),
      fc.constantFrom('', '', 'Z', '+01:00'),
    )
    .map(([later, separator, offset]) => iso(ns + later).replace('T', separator) + offset)
}

function iso(ns: bigint): string {
  const fraction = ((ns % 10n ** 9n) + 10n ** 9n) % 10n ** 9n
  const seconds = new Date(Number((ns - fraction) / 10n ** 6n)).toISOString().slice(0, 19)
  return fraction === 0n ? seconds : `${seconds}.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`
}

/** The text of a decimal with its point, from its unscaled value. All digits of the scale are written. */
function pointed(unscaled: Exclude<Cell, null>, scale: number): string {
  const digits = String(unscaled)
    .replace('-', '')
    .padStart(scale + 1, '0')
  return `${String(unscaled).startsWith('-') ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Rectangles, one with a hole, and triangles. Their corners have values of columns as coordinates. */
function geometries(numeric: readonly Named[]): fc.Arbitrary<Json> {
  const half = fc.integer({ min: -6, max: 6 }).map((value) => value / 2)
  const rectangle = fc.tuple(half, half, half, half).map(([x1, y1, x2, y2]) => [
    [x1, y1],
    [x2, y1],
    [x2, y2],
    [x1, y2],
    [x1, y1],
  ])
  const triangle = fc.tuple(half, half, half, half, half, half).map(([x1, y1, x2, y2, x3, y3]) => [
    [x1, y1],
    [x2, y2],
    [x3, y3],
    [x1, y1],
  ])
  const frame = [
    [
      [-3, -3],
      [3, -3],
      [3, 3],
      [-3, 3],
      [-3, -3],
    ],
    [
      [-1, -1],
      [-1, 1],
      [1, 1],
      [1, -1],
      [-1, -1],
    ],
  ]
  const coordinates = fc.oneof(
    rectangle.map((ring) => [ring]),
    triangle.map((ring) => [ring]),
    fc.constant(frame),
  )
  return fc
    .tuple(fc.constantFrom(...numeric), fc.constantFrom(...numeric), coordinates, fc.boolean())
    .map(([x, y, rings, legacy]) => ({
      [legacy ? 'longitude_query_parameter' : 'longitude_column']: x.name,
      [legacy ? 'latitude_query_parameter' : 'latitude_column']: y.name,
      geometry: { type: 'Polygon', coordinates: rings },
    }))
}
