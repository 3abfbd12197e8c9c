import { bind } from '../../src/main/query/bind/bind.ts'
import type { Source } from '../../src/main/query/source/files-table.ts'
import { type Condition, compare, isNotNull, isNull, TRUE } from '../../src/plan/condition/condition.ts'
import type { GroupExpression } from '../../src/plan/expression.ts'
import type { ScanPlan } from '../../src/plan/plan.ts'
import {
  type Aggregate,
  aggregateType,
  type Finish,
  type FirstRows,
  groupTypes,
  HALF,
  INT64,
  type Share,
  type SortKey,
} from '../../src/plan/task/finish.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { PARQUET } from '../formats/product.ts'
import { parseScan } from '../query/bound.ts'
import type { GeneratedQuery } from '../query/generated/generators.ts'
import { schemaOf } from '../query/table.ts'
import { fc } from '../support/generate.ts'

/** A finish over a projection of these types, with offset and limit. */
export interface Ending {
  readonly finish: Finish
  readonly offset: number
  readonly limit: number
  readonly types: readonly DataType[]
}

const KINDS: readonly Aggregate['kind'][] = [
  'count_rows',
  'count',
  'count_distinct',
  'sum',
  'min',
  'max',
  'first',
  'quantile_disc',
  'arg_max',
  'arg_min',
  'quantile_cont',
  'avg',
  'stddev_samp',
  'stddev_pop',
  'var_samp',
  'var_pop',
]

const SHARES: readonly Share[] = [
  { digits: 0, scale: 0 },
  { digits: 25, scale: 2 },
  HALF,
  { digits: 55, scale: 2 },
  { digits: 1, scale: 0 },
]

/** Whether the core sorts values of a type: `arg_max` looks for the greatest of them. */
function isOrdered({ kind }: DataType): boolean {
  return !['list', 'large_list', 'fixed_list', 'struct', 'map', 'interval'].includes(kind)
}

/** Whether the values of an aggregate do not depend on the order in which they are added and rounded. */
function isExact(kind: Aggregate['kind'], type: DataType): boolean {
  return KINDS.indexOf(kind) < KINDS.indexOf('quantile_cont') && !(kind === 'sum' && type.kind === 'float')
}

/** Any finish of a scan. */
export function endings(types: readonly DataType[], mayRound: boolean): fc.Arbitrary<Ending> {
  const kept = fc.tuple(fc.option(groupings(types, mayRound), { freq: 2 }), fc.option(firstsOf(types)))
  return kept.chain(([grouping, first]) => {
    const firsts = grouping === null && first !== null ? first : undefined
    const rows = firsts?.isNumbered ? [...types, INT64] : types
    const table: readonly DataType[] = grouping === null ? rows : groupTypes(grouping, types)
    const key: fc.Arbitrary<SortKey> = fc.record({
      column: fc.nat(Math.max(0, table.length - 1)),
      isDescending: fc.boolean(),
      areNullsFirst: fc.boolean(),
    })
    return fc
      .record({
        having: grouping === null ? fc.constant(null) : fc.option(conditions(table)),
        order: table.length === 0 ? fc.constant([]) : fc.array(key, { maxLength: 3 }),
        output: fc.array(fc.nat(Math.max(0, table.length - 1)), { minLength: 1, maxLength: 4 }),
        isCounted: fc.boolean().map((is) => is || table.length === 0),
        offset: fc.oneof(fc.constant(0), fc.nat(10)),
        limit: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(12)),
      })
      .map(({ having, order, output, isCounted, offset, limit }) => ({
        finish: {
          grouping: grouping === null ? null : { ...grouping, having },
          ...(firsts && { firsts }),
          order,
          output: isCounted ? [] : output,
          isCounted,
        },
        offset,
        limit,
        types: isCounted ? [INT64] : output.map((place) => table[place] ?? INT64),
      }))
  })
}

/** First rows of groups by any columns, in any order. */
function firstsOf(types: readonly DataType[]): fc.Arbitrary<FirstRows> {
  const places = types.map((_, place) => place)
  const ordered = places.filter((place) => isOrdered(types[place] ?? { kind: 'null' }))
  const key: fc.Arbitrary<SortKey> = fc.record({
    column: fc.constantFrom(...(ordered.length === 0 ? [0] : ordered)),
    isDescending: fc.boolean(),
    areNullsFirst: fc.boolean(),
  })
  return fc.record({
    keys: fc.subarray(places, { maxLength: Math.min(3, places.length) }),
    order: ordered.length === 0 ? fc.constant([]) : fc.array(key, { maxLength: 3 }),
    most: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 5 })),
    isNumbered: fc.boolean(),
  })
}

function groupings(types: readonly DataType[], mayRound: boolean) {
  const candidates = KINDS.flatMap((kind): Aggregate[] => {
    if (kind === 'count_rows') return [{ kind }]
    return types.flatMap((type, argument): Aggregate[] => {
      if (aggregateType(kind, type) === null || !(mayRound || isExact(kind, type))) return []
      if (kind === 'arg_max' || kind === 'arg_min')
        return types.flatMap((key, by) => (isOrdered(key) ? [{ kind, argument, by }] : []))
      if (kind === 'quantile_disc' || kind === 'quantile_cont')
        return SHARES.map((share, at) => ({ kind, argument, share, isDistinct: at % 2 === 1 }))
      return [{ kind, argument }]
    })
  })
  const places = types.map((_, place) => place)
  return fc.record({
    keys: fc.subarray(places, { maxLength: Math.min(3, places.length) }),
    aggregates: fc.array(fc.constantFrom(...candidates), { maxLength: 4 }),
    having: fc.constant(null),
  })
}

/** A comparison with a count, or whether something is null. */
function conditions(types: readonly DataType[]): fc.Arbitrary<Condition> {
  const columns = types.map((type, index): GroupExpression => ({ kind: 'group', index, type }))
  if (columns.length === 0) return fc.constant(TRUE)
  const counts = columns.filter(({ type }) => type.kind === 'int' && type.bits === 64 && type.signed)
  const nullTests = fc
    .tuple(fc.constantFrom(isNull, isNotNull), fc.constantFrom(...columns))
    .map(([test, operand]): Condition => test(operand))
  if (counts.length === 0) return nullTests
  const compared = fc
    .tuple(
      fc.constantFrom(...counts),
      fc.constantFrom('gt' as const, 'lt_eq' as const, 'eq' as const),
      fc.nat(3),
    )
    .map(([operand, comparison, count]): Condition => {
      const value: Scalar = { kind: 'int', value: BigInt(count) }
      return compare(operand, comparison, value)
    })
  return fc.oneof(compared, compared, nullTests)
}

/** The types of a generated query's projection. */
export function scanTypes(query: GeneratedQuery): readonly DataType[] {
  return scanOf(query, NO_FILES).scan.projection.map(({ field: { type } }) => type)
}

/** The plan of a generated query's scan with another finish. */
export function planWith(query: GeneratedQuery, source: Source, ending: Ending): ScanPlan {
  const { finish, offset, limit, types } = ending
  const fields = types.map((type, place) => field(String(place), type))
  return { ...scanOf(query, source), finish, offset, limit, output: { fields, metadata: {} } }
}

export const NO_FILES: Source = { relation: 't', format: PARQUET, files: [] }

function scanOf({ table, request }: GeneratedQuery, source: Source): ScanPlan {
  return bind(parseScan(JSON.stringify(request)), source, schemaOf(table))
}
