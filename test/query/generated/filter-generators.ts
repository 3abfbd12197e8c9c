import type { DataType } from '../../../src/plan/types/schema.ts'
import { fc } from '../../support/generate.ts'
import { equalLiterals, literals } from './literal-generators.ts'

export type Json = Readonly<Record<string, unknown>>

/** What a filter can name: a column of the table or of the answer. */
export interface Named {
  readonly name: string
  readonly type: DataType
  readonly isConstant?: boolean
}

/**
 * Filters of the JSON language, nested at most `depth` deep. They have geometries or, if `withPatterns` is true, patterns that the core
 * does not evaluate.
 */
export function filters(names: readonly Named[], withPatterns: boolean, depth: number): fc.Arbitrary<Json> {
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
