import type { Form } from '../compare/cases.ts'
import type { Comparison, Engine, Timings } from '../compare/compare.ts'
import { LAYOUTS } from '../input/data.ts'
import { EXPRESSIONS, MONTH } from '../queries/expression-queries.ts'
import { CSV_SCAN, EIGHT, GENERAL } from '../queries/queries.ts'
import { geometricMean } from './statistics.ts'

/** The ratios of two engines' times, by their names. */
export const RATIOS = {
  /** One worker against one thread. */
  one: ['service1', 'native1'],
  /** Two workers against two threads. */
  two: ['service2', 'native2'],
  /** The same, where workers keep decoded columns. */
  keptOne: ['kept1', 'native1'],
  keptTwo: ['kept2', 'native2'],
  pythonOne: ['service1', 'python1'],
  pythonTwo: ['service2', 'python2'],
  pythonKeptOne: ['kept1', 'python1'],
  pythonKeptTwo: ['kept2', 'python2'],
} as const satisfies Readonly<Record<string, readonly [Engine, Engine]>>

export type Ratio = keyof typeof RATIOS

/** Geometric means of service / native DuckDB over some queries. Null: none of them was measured. */
export interface Summary {
  readonly key: string
  readonly what: string
  /** The number of comparisons in which the service was measured, and how many there should be. */
  readonly measured: number
  readonly of: number
  readonly warm: Readonly<Record<Ratio, number | null>>
  readonly cold: Readonly<Record<Ratio, number | null>>
}

/** Queries whose ratios are taken together. */
interface Group {
  readonly key: string
  readonly what: string
  readonly form: Form
  readonly queries: readonly string[]
  readonly layouts: readonly string[]
}

/** The queries that can be written in the JSON language: all but the two aggregations. */
const JSON_QUERIES: readonly string[] = [
  ...EIGHT.filter((key) => key !== 'count_all' && key !== 'agg_by_platform'),
  'point_lookup',
]

const FORMS: readonly Omit<Group, 'layouts'>[] = [
  { key: 'sql_count', what: 'SQL, the eight queries, counted', form: 'sql_count', queries: EIGHT },
  { key: 'sql_rows', what: 'SQL, the eight queries, rows', form: 'sql_rows', queries: EIGHT },
  { key: 'json_rows', what: 'JSON, seven queries, rows', form: 'json_rows', queries: JSON_QUERIES },
]

/** The layouts by the order of their rows and their writer. The targets are for the first. */
const ORDERS = [
  { suffix: '', words: 'random order', layouts: ['random'] },
  { suffix: '_sorted', words: 'sorted by time', layouts: ['sorted'] },
  { suffix: '_pyarrow', words: 'files by pyarrow', layouts: LAYOUTS.map((layout) => `${layout}-pyarrow`) },
]

/** Queries that are faster if the rows are sorted by time. */
const BY_TIME = [
  { query: 'topn_recent', words: 'top-N' },
  { query: 'time_window', words: '30-day window' },
  { query: 'point_lookup', words: 'point lookup' },
]

const GROUPS: readonly Group[] = [
  ...ORDERS.flatMap(({ suffix, words, layouts }) =>
    FORMS.map(({ key, what, ...group }) => ({
      ...group,
      key: `${key}${suffix}`,
      what: `${what}; ${words}`,
      layouts,
    })),
  ),
  ...(['sql_count', 'sql_rows'] as const).flatMap((form) =>
    BY_TIME.map(({ query, words }) => ({
      key: `sorted_${query}_${form}`,
      what: `${words}, ${form === 'sql_count' ? 'counted' : 'rows'}; sorted by time`,
      form,
      queries: [query],
      layouts: ['sorted'],
    })),
  ),
  {
    key: 'general',
    what: 'SQL: a join of two files, a window, quantiles',
    form: 'sql_rows',
    queries: GENERAL.map(({ key }) => key),
    layouts: ['random'],
  },
  {
    key: 'expressions',
    what: 'SQL that computes: months, cells, bins, other units; random order',
    form: 'sql_rows',
    queries: EXPRESSIONS.map(({ key }) => key),
    layouts: ['random-timed'],
  },
  {
    key: 'expressions_json',
    what: 'JSON that computes; random order',
    form: 'json_rows',
    queries: EXPRESSIONS.filter(({ json }) => json !== null).map(({ key }) => key),
    layouts: ['random-timed'],
  },
  {
    key: MONTH.key,
    what: 'one month by date_trunc, counted; sorted by time',
    form: 'sql_rows',
    queries: [MONTH.key],
    layouts: ['sorted-timed'],
  },
  ...(['sql_rows', 'json_rows'] as const).map((form) => ({
    key: `csv_${form}`,
    what: `CSV scan with a filter, ${form === 'sql_rows' ? 'SQL' : 'JSON'}, rows`,
    form,
    queries: [CSV_SCAN.key],
    layouts: ['csv'],
  })),
]

/** A summary for each group of which any query was run. */
export function summarise(comparisons: readonly Comparison[]): Summary[] {
  return GROUPS.flatMap(({ key, what, form, queries, layouts }) => {
    const chosen = comparisons.filter(
      (each) => each.form === form && queries.includes(each.query) && layouts.includes(each.layout),
    )
    if (chosen.length === 0) return []
    return {
      key,
      what,
      measured: chosen.filter(({ failure }) => failure === undefined).length,
      of: queries.length * layouts.length,
      warm: means(chosen.map(({ warm }) => warm)),
      cold: means(chosen.map(({ cold }) => cold)),
    }
  })
}

/** A ratio of one comparison. Null: one of its sides was not measured. */
export function ratio(timings: Timings | null, of: Ratio): number | null {
  const [service, peer] = RATIOS[of]
  const [ms, by] = [timings?.[service], timings?.[peer]]
  return ms === undefined || by === undefined ? null : ms / by
}

function means(timings: readonly (Timings | null)[]): Record<Ratio, number | null> {
  const mean = (of: Ratio) => {
    const ratios = timings.map((each) => ratio(each, of)).filter((value) => value !== null)
    return ratios.length === 0 ? null : geometricMean(ratios)
  }
  return {
    one: mean('one'),
    two: mean('two'),
    keptOne: mean('keptOne'),
    keptTwo: mean('keptTwo'),
    pythonOne: mean('pythonOne'),
    pythonTwo: mean('pythonTwo'),
    pythonKeptOne: mean('pythonKeptOne'),
    pythonKeptTwo: mean('pythonKeptTwo'),
  }
}
