import type { Figure } from './figures.ts'
import type { Summary } from './summary.ts'

/** A figure to reach, at most. */
interface Target {
  /** A summary's (warm, 1 worker against 1 thread) or a figure's. */
  readonly key: string
  readonly most: number
}

const TARGETS: readonly Target[] = [
  { key: 'sql_count', most: 1.5 },
  { key: 'sql_rows', most: 1.5 },
  { key: 'json_rows', most: 1.5 },
  { key: 'csv_sql_rows', most: 2 },
  { key: 'csv_json_rows', most: 2 },
  { key: 'rss_one', most: 400 },
  { key: 'rss_two', most: 620 },
]

/** A target beside what was measured. */
export interface Verdict {
  readonly what: string
  readonly value: number
  readonly most: number
  readonly unit: Figure['unit']
  readonly isMet: boolean
}

/** Those of what was measured. A mean over fewer queries than it should be does not meet its target. */
export function judge(summaries: readonly Summary[], figures: readonly Figure[]): Verdict[] {
  return TARGETS.flatMap(({ key, most }) => {
    const summary = summaries.find((each) => each.key === key)
    const figure = figures.find((each) => each.key === key)
    const value = summary?.warm1 ?? figure?.value
    if (value === undefined) return []
    const isWhole = summary === undefined || summary.measured === summary.of
    const what = summary === undefined ? (figure?.what ?? key) : `${summary.what}: warm, 1 worker / 1 thread`
    return { what, value, most, unit: figure?.unit ?? '×', isMet: isWhole && value <= most }
  })
}
