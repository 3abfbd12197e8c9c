import type { Comparison, Engine, Timings } from '../compare/compare.ts'
import type { Figure } from '../figures/figure.ts'
import { RATIOS, type Ratio, ratio, type Summary } from './summary.ts'
import type { Verdict } from './targets.ts'

/** The results of a whole run, as they are stored in bench/results. */
export interface Results {
  /** The name of the file in bench/results, without its extension. */
  readonly name: string
  readonly date: string
  readonly machine: {
    readonly cpu: string
    readonly cpus: number
    readonly node: string
    /** The version of DuckDB for Node. */
    readonly duckdb: string
    /** The version of DuckDB for Python. Null: there was none. */
    readonly python: string | null
    readonly commit: string
    /** The load average of the last minute before the run, which tells what else was running. */
    readonly load: number
  }
  readonly rows: number
  readonly csvBytes: number
  readonly rounds: number
  readonly summaries: readonly Summary[]
  readonly figures: readonly Figure[]
  readonly verdicts: readonly Verdict[]
  readonly comparisons: readonly Comparison[]
}

export function printReport({
  comparisons,
  summaries,
  figures,
  verdicts,
}: Pick<Results, 'comparisons' | 'summaries' | 'figures' | 'verdicts'>): void {
  for (const state of ['warm', 'cold'] as const) {
    const chosen = comparisons.filter((comparison) => comparison[state] !== null)
    if (chosen.length === 0) continue
    console.log(
      `\n${TITLES[state]}; medians in milliseconds, service over HTTP against native DuckDB in process`,
    )
    const columns = COLUMNS.filter(({ of }) =>
      chosen.some((each) => (isRatio(of) ? ratio(each[state], of) : each[state]?.[of]) != null),
    )
    printTable(
      ['layout', 'query', 'form', 'rows', ...columns.map(({ title }) => title)],
      chosen.map((comparison) => row(comparison, comparison[state] ?? {}, columns)),
    )
  }
  const failed = comparisons.filter(({ failure }) => failure !== undefined)
  for (const [failure, of] of Map.groupBy(failed, ({ failure }) => failure))
    console.log(
      `\nFAILED ${of.map(({ layout, query, form }) => `${layout}/${query}/${form}`).join(' ')}\n  ${failure}`,
    )
  if (summaries.length > 0) console.log('\nGeometric means, service / native')
  printTable(
    ['', 'of', 'warm, 1 / 1', 'cold, 1 / 1', 'warm, 2 / 2', 'cold, 2 / 2', ...KEPT_TITLES, ...PYTHON_TITLES],
    summaries.map(({ what, measured, of, warm, cold }) => [
      what,
      `${measured}/${of}`,
      ...[warm.one, cold.one, warm.two, cold.two, warm.keptOne, warm.keptTwo].map(times),
      ...[warm.pythonOne, warm.pythonTwo, warm.pythonKeptOne, warm.pythonKeptTwo].map(times),
    ]),
  )
  if (figures.length > 0) console.log('\nFigures')
  printTable(
    ['', ''],
    figures.map((figure) => [figure.what, quantity(figure)]),
  )
  if (verdicts.length > 0) console.log('\nTargets')
  printTable(
    ['', 'measured', 'target', '', 'Python'],
    verdicts.map((verdict) => [
      verdict.what,
      quantity(verdict),
      target(verdict),
      verdict.isMet ? 'pass' : 'FAIL',
      times(verdict.byPython),
    ]),
  )
}

export function target({ bound, isLeast, unit }: Verdict): string {
  return `${isLeast ? '≥' : '≤'} ${bound}${unit === '×' ? '' : ' '}${unit}`
}

export function quantity({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  if (value === null) return '–'
  if (unit === '×') return times(value)
  return `${value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0)} ${unit}`
}

const TITLES = {
  warm: 'Warm',
  cold: 'Cold (files dropped from the page cache before each run, and new to service and DuckDB)',
}

/** The columns of the table of queries. Each is the time of an engine in milliseconds, or a ratio. */
const COLUMNS: readonly { readonly title: string; readonly of: Engine | Ratio }[] = [
  { title: '1 worker', of: 'service1' },
  { title: '1 thread', of: 'native1' },
  { title: 'ratio', of: 'one' },
  { title: '2 workers', of: 'service2' },
  { title: '2 threads', of: 'native2' },
  { title: 'ratio', of: 'two' },
  { title: 'kept, 1', of: 'kept1' },
  { title: 'ratio', of: 'keptOne' },
  { title: 'kept, 2', of: 'kept2' },
  { title: 'ratio', of: 'keptTwo' },
  { title: 'Python, 1', of: 'python1' },
  { title: '2', of: 'python2' },
]

const KEPT_TITLES = ['kept, 1 / 1', '2 / 2']

const PYTHON_TITLES = ['Python, 1 / 1', '2 / 2', ...KEPT_TITLES]

function row({ layout, query, form, rows }: Comparison, timings: Timings, columns: typeof COLUMNS): string[] {
  return [
    layout,
    query,
    form,
    String(rows),
    ...columns.map(({ of }) => (isRatio(of) ? times(ratio(timings, of)) : milliseconds(timings[of]))),
  ]
}

function isRatio(of: Engine | Ratio): of is Ratio {
  return of in RATIOS
}

function milliseconds(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(1)
}

export function times(value: number | null): string {
  return value === null ? '–' : `${value.toFixed(value < 0.1 ? 3 : 2)}×`
}

/** Prints a table, with words aligned to the left and figures to the right. */
function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((cells) => cells[i]?.length ?? 0)))
  const isText = (i: number) => /^[a-z]/.test(rows[0]?.[i] ?? '')
  for (const cells of [head, ...rows])
    console.log(
      cells
        .map((cell, i) =>
          i === 0 || isText(i) ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
        )
        .join('  '),
    )
}
