import type { Comparison, Timings } from './compare.ts'
import { LAYOUTS } from './data.ts'
import type { Figure } from './figures.ts'
import { FILTER_KEYS } from './queries.ts'
import { geometricMean } from './statistics.ts'

/** A whole run, as it is kept in bench/results. */
export interface Results {
  readonly date: string
  readonly machine: {
    readonly cpu: string
    readonly cpus: number
    readonly node: string
    readonly duckdb: string
    readonly commit: string
    /** What else was running: the kernel's load average of the last minute before the run. */
    readonly load: number
  }
  readonly rows: number
  readonly rounds: number
  readonly summaries: readonly Summary[]
  readonly figures: readonly Figure[]
  readonly comparisons: readonly Comparison[]
}

/** Geometric means of the filter queries' ratios of service to native DuckDB, rows form; null where none ran. */
export interface Summary {
  readonly layout: string
  /** One worker against one thread. */
  readonly warm1: number | null
  /** Two workers against all threads. */
  readonly warm2: number | null
  readonly cold1: number | null
  readonly cold2: number | null
}

/** The layouts by native DuckDB together. */
const BOTH = 'random and sorted'

export function summarise(comparisons: readonly Comparison[]): Summary[] {
  const of = (layout: string, chosen: readonly Comparison[]): Summary => {
    const mean = (ratio: (comparison: Comparison) => number | null) => {
      const ratios = chosen.map(ratio).filter((value) => value !== null)
      return ratios.length === 0 ? null : geometricMean(ratios)
    }
    return {
      layout,
      warm1: mean(({ warm }) => ratio(warm.service1, warm.native1)),
      warm2: mean(({ warm }) => ratio(warm.service2, warm.nativeAll)),
      cold1: mean(({ cold }) => ratio(cold?.service1, cold?.native1)),
      cold2: mean(({ cold }) => ratio(cold?.service2, cold?.nativeAll)),
    }
  }
  const filters = comparisons.filter(({ query }) => FILTER_KEYS.includes(query))
  return [...Map.groupBy(filters, ({ layout }) => layout)]
    .map(([layout, chosen]) => of(layout, chosen))
    .concat(
      of(
        BOTH,
        filters.filter(({ layout }) => LAYOUTS.some((name) => name === layout)),
      ),
    )
}

function ratio(service: number | undefined, native: number | undefined): number | null {
  return service === undefined || native === undefined ? null : service / native
}

export function printReport({
  comparisons,
  summaries,
  figures,
}: Pick<Results, 'comparisons' | 'summaries' | 'figures'>): void {
  for (const form of ['warm', 'cold'] as const) {
    const chosen = comparisons.filter((comparison) => comparison[form] !== null)
    if (chosen.length === 0) continue
    console.log(
      `\n${TITLES[form]}; medians in milliseconds, service over HTTP against native DuckDB in process`,
    )
    printTable(
      [
        'layout',
        'query',
        'rows',
        '1 worker',
        '1 thread',
        'ratio',
        '2 workers',
        'all threads',
        'ratio',
        ...(form === 'warm' ? ['count, 1 thread', 'count, all'] : []),
      ],
      chosen.map((comparison) => row(comparison, comparison[form] ?? {}, form === 'warm')),
    )
  }
  for (const { query, refused } of comparisons.filter(
    ({ refused, layout }) => refused && layout === 'random',
  ))
    console.log(`${query}: ${refused}`)
  console.log('\nGeometric means of the filter queries, service / native')
  printTable(
    ['layout', 'warm, 1 / 1', 'warm, 2 / all', 'cold, 1 / 1', 'cold, 2 / all'],
    summaries.map(({ layout, ...means }) => [layout, ...Object.values(means).map(times)]),
  )
  if (figures.length === 0) return
  console.log('\nFigures')
  printTable(
    ['', ''],
    figures.map((figure) => [figure.what, quantity(figure)]),
  )
}

/** The figures of the README: it holds this text, and a test compares. */
export function readmeFigures({ date, machine, rows, rounds, summaries, figures }: Results): string {
  const both = summaries.find(({ layout }) => layout === BOTH)
  return `Measured by \`npm run bench\` ([${date}](bench/results/${date}.json)): ${machine.cpus} CPUs, ${machine.cpu}; Node
${machine.node}, DuckDB ${machine.duckdb}; ${rows} rows, medians of ${rounds} runs, load before them ${machine.load}.

| Filter queries, answers read to the end over HTTP, against native DuckDB in process | warm | cold |
|---|---|---|
| 1 worker / 1 thread, geometric mean of time | ${times(both?.warm1 ?? null)} | ${times(both?.cold1 ?? null)} |
| 2 workers / all threads | ${times(both?.warm2 ?? null)} | ${times(both?.cold2 ?? null)} |

| | |
|---|---|
${figures.map((figure) => `| ${figure.what} | ${quantity(figure)} |`).join('\n')}
`
}

function quantity({ value, unit }: Figure): string {
  return unit === '×' ? times(value) : `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`
}

const TITLES = { warm: 'Warm', cold: 'Cold (files dropped from the page cache before each run)' }

function row({ layout, query, rows, count }: Comparison, timings: Timings, withCount: boolean): string[] {
  const ms = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(1))
  return [
    layout,
    query,
    String(rows),
    ms(timings.service1),
    ms(timings.native1),
    times(ratio(timings.service1, timings.native1)),
    ms(timings.service2),
    ms(timings.nativeAll),
    times(ratio(timings.service2, timings.nativeAll)),
    ...(withCount ? [ms(count.native1), ms(count.nativeAll)] : []),
  ]
}

function times(value: number | null): string {
  return value === null ? '–' : `${value.toFixed(2)}×`
}

/** First column to the left, figures to the right. */
function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((cells) => cells[i]?.length ?? 0)))
  for (const cells of [head, ...rows])
    console.log(
      cells
        .map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    )
}
