import type { Form } from './cases.ts'
import type { Comparison, Timings } from './compare.ts'
import { LAYOUTS } from './data.ts'
import { CSV_SCAN, EIGHT, GENERAL } from './queries.ts'
import { geometricMean } from './statistics.ts'

/** Geometric means of service / native DuckDB over some queries; null where none of them ran. */
export interface Summary {
  readonly key: string
  readonly what: string
  /** Comparisons that the service has times of, and how many there should be. */
  readonly measured: number
  readonly of: number
  /** One worker against one thread. */
  readonly warm1: number | null
  /** Two workers against two threads. */
  readonly warm2: number | null
  readonly cold1: number | null
  readonly cold2: number | null
}

/** Queries whose ratios are taken together. */
interface Group {
  readonly key: string
  readonly what: string
  readonly form: Form
  readonly queries: readonly string[]
  readonly layouts: readonly string[]
}

/** What the JSON language can say of the queries: all but the two aggregations. */
const JSON_QUERIES: readonly string[] = [
  ...EIGHT.filter((key) => key !== 'count_all' && key !== 'agg_by_platform'),
  'point_lookup',
]

const PARQUET: readonly Omit<Group, 'layouts'>[] = [
  { key: 'sql_count', what: 'SQL, the eight queries, counted', form: 'sql_count', queries: EIGHT },
  { key: 'sql_rows', what: 'SQL, the eight queries, rows', form: 'sql_rows', queries: EIGHT },
  { key: 'json_rows', what: 'JSON, seven queries, rows', form: 'json_rows', queries: JSON_QUERIES },
]

const PYARROW = LAYOUTS.map((layout) => `${layout}-pyarrow`)

const GROUPS: readonly Group[] = [
  ...PARQUET.map((group) => ({ ...group, layouts: LAYOUTS })),
  ...PARQUET.map(({ key, what, ...group }) => ({
    ...group,
    key: `${key}_pyarrow`,
    what: `${what}; files by pyarrow`,
    layouts: PYARROW,
  })),
  {
    key: 'general',
    what: 'SQL: a join of two files, a window, quantiles',
    form: 'sql_rows',
    queries: GENERAL.map(({ key }) => key),
    layouts: ['random'],
  },
  ...(['sql_rows', 'json_rows'] as const).map((form) => ({
    key: `csv_${form}`,
    what: `CSV scan with a filter, ${form === 'sql_rows' ? 'SQL' : 'JSON'}, rows`,
    form,
    queries: [CSV_SCAN.key],
    layouts: ['csv'],
  })),
]

/** One a group of which something was run. */
export function summarise(comparisons: readonly Comparison[]): Summary[] {
  return GROUPS.flatMap(({ key, what, form, queries, layouts }) => {
    const chosen = comparisons.filter(
      (each) => each.form === form && queries.includes(each.query) && layouts.includes(each.layout),
    )
    if (chosen.length === 0) return []
    const mean = (ratio: (comparison: Comparison) => number | null) => {
      const ratios = chosen.map(ratio).filter((value) => value !== null)
      return ratios.length === 0 ? null : geometricMean(ratios)
    }
    return {
      key,
      what,
      measured: chosen.filter(({ failure }) => failure === undefined).length,
      of: queries.length * layouts.length,
      warm1: mean(({ warm }) => ratio1(warm)),
      warm2: mean(({ warm }) => ratio2(warm)),
      cold1: mean(({ cold }) => ratio1(cold)),
      cold2: mean(({ cold }) => ratio2(cold)),
    }
  })
}

/** One worker against one thread; null: not measured. */
export function ratio1(timings: Timings | null): number | null {
  return timings?.service1 === undefined || timings.native1 === undefined
    ? null
    : timings.service1 / timings.native1
}

/** Two workers against two threads; null: not measured. */
export function ratio2(timings: Timings | null): number | null {
  return timings?.service2 === undefined || timings.native2 === undefined
    ? null
    : timings.service2 / timings.native2
}
