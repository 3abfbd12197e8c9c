import type { Figure } from '../figures/figure.ts'
import type { Ratio, Summary } from './summary.ts'

/** What is at the two sides of a ratio. */
const SIDES = {
  one: '1 worker / 1 thread',
  two: '2 workers / 2 threads',
  keptOne: '1 worker with decoded columns kept / 1 thread',
  keptTwo: '2 workers with decoded columns kept / 2 threads',
} as const

/** The same ratio to the DuckDB of Python. */
const BY_PYTHON = {
  one: 'pythonOne',
  two: 'pythonTwo',
  keptOne: 'pythonKeptOne',
  keptTwo: 'pythonKeptTwo',
} as const satisfies Record<keyof typeof SIDES, Ratio>

/** A figure to reach. */
interface Target {
  /** A summary's or a figure's. */
  readonly key: string
  /** Which of a summary's ratios, warm. */
  readonly of?: keyof typeof SIDES
  /** The value at most, or at least. */
  readonly bound: number
  readonly isLeast?: boolean
}

/** Of one query over sorted data, with decoded columns kept and without. */
function sorted(query: string, bound: number): readonly Target[] {
  return (['sql_count', 'sql_rows'] as const).flatMap((form) =>
    (['one', 'keptOne'] as const).map((of) => ({ key: `sorted_${query}_${form}`, of, bound })),
  )
}

const TARGETS: readonly Target[] = [
  { key: 'sql_count', of: 'one', bound: 0.75 },
  { key: 'sql_rows', of: 'one', bound: 0.9 },
  { key: 'json_rows', of: 'one', bound: 0.9 },
  { key: 'sql_count', of: 'two', bound: 0.8 },
  { key: 'sql_rows', of: 'two', bound: 0.9 },
  { key: 'json_rows', of: 'two', bound: 0.9 },
  { key: 'sql_count', of: 'keptTwo', bound: 0.3 },
  ...sorted('topn_recent', 0.05),
  ...sorted('time_window', 0.6),
  ...sorted('point_lookup', 0.6),
  { key: 'general', of: 'one', bound: 2 },
  { key: 'csv_sql_rows', of: 'one', bound: 2 },
  { key: 'csv_json_rows', of: 'one', bound: 2 },
  { key: 'stream', bound: 1, isLeast: true },
  { key: 'stream_kept', bound: 1, isLeast: true },
  { key: 'first_byte', bound: 20 },
  { key: 'computed_rows', bound: 5, isLeast: true },
  { key: 'computed_groups', bound: 5, isLeast: true },
  { key: 'ready_rows', bound: 0.5, isLeast: true },
  { key: 'ready_groups', bound: 0.5, isLeast: true },
  { key: 'start', bound: 1000 },
  { key: 'first_query', bound: 3 },
  { key: 'rss_one', bound: 400 },
  { key: 'rss_two', bound: 620 },
]

/** A target beside what was measured. */
export interface Verdict {
  readonly what: string
  readonly value: number
  readonly bound: number
  /** Whether `bound` is to be reached, not to be kept. */
  readonly isLeast: boolean
  readonly unit: Figure['unit']
  readonly isMet: boolean
  /** The same against the DuckDB of Python, for which there is no target; null: there is none. */
  readonly byPython: number | null
}

/** Those of what was measured. A mean over fewer queries than it should be does not meet its target. */
export function judge(summaries: readonly Summary[], figures: readonly Figure[]): Verdict[] {
  return TARGETS.flatMap(({ key, of, bound, isLeast = false }) => {
    const isReached = (value: number) => (isLeast ? value >= bound : value <= bound)
    if (of === undefined) {
      const figure = figures.find((each) => each.key === key)
      if (figure === undefined) return []
      const { what, value, unit } = figure
      return { what, value, bound, isLeast, unit, isMet: isReached(value), byPython: null }
    }
    const summary = summaries.find((each) => each.key === key)
    const value = summary?.warm[of] ?? null
    if (summary === undefined || value === null) return []
    return {
      what: `${summary.what}; ${SIDES[of]}`,
      value,
      bound,
      isLeast,
      unit: '×' as const,
      isMet: summary.measured === summary.of && isReached(value),
      byPython: summary.warm[BY_PYTHON[of]],
    }
  })
}
