import type { Comparison, Timings } from './compare.ts'
import type { Figure } from './figures.ts'
import { ratio1, ratio2, type Summary } from './summary.ts'
import type { Verdict } from './targets.ts'

/** A whole run, as it is kept in bench/results. */
export interface Results {
  /** Of the file of results. */
  readonly name: string
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
    printTable(
      ['layout', 'query', 'form', 'rows', '1 worker', '1 thread', 'ratio', '2 workers', '2 threads', 'ratio'],
      chosen.map((comparison) => row(comparison, comparison[state] ?? {})),
    )
  }
  const failed = comparisons.filter(({ failure }) => failure !== undefined)
  for (const [failure, of] of Map.groupBy(failed, ({ failure }) => failure))
    console.log(
      `\nFAILED ${of.map(({ layout, query, form }) => `${layout}/${query}/${form}`).join(' ')}\n  ${failure}`,
    )
  if (summaries.length > 0) console.log('\nGeometric means, service / native')
  printTable(
    ['', 'of', 'warm, 1 / 1', 'cold, 1 / 1', 'warm, 2 / 2', 'cold, 2 / 2'],
    summaries.map(({ what, measured, of, ...means }) => [what, `${measured}/${of}`, ...meansOf(means)]),
  )
  if (figures.length > 0) console.log('\nFigures')
  printTable(
    ['', ''],
    figures.map((figure) => [figure.what, quantity(figure)]),
  )
  if (verdicts.length > 0) console.log('\nTargets')
  printTable(
    ['', 'measured', 'at most', ''],
    verdicts.map(({ most, isMet, ...figure }) => [
      figure.what,
      quantity(figure),
      quantity({ ...figure, value: most }),
      isMet ? 'pass' : 'FAIL',
    ]),
  )
}

/** The figures of the README: it holds this text, and a test compares. */
export function readmeFigures(results: Results): string {
  const { name, date, machine, rows, csvBytes, rounds, summaries, figures } = results
  const measured = summaries.filter((summary) => summary.measured > 0)
  return `Measured by \`npm run bench\` ([${date}](bench/results/${name}.json)): ${machine.cpus} CPUs, ${machine.cpu}; Node
${machine.node}, DuckDB ${machine.duckdb}; ${rows} rows of Parquet, ${(csvBytes / 1e9).toFixed(1)} GB of CSV, medians of ${rounds} runs, load before them
${machine.load}. Time over HTTP, answers read to the end, divided by that of native DuckDB in process; geometric means.

| | 1 worker / 1 thread, warm | cold | 2 workers / 2 threads, warm | cold |
|---|---|---|---|---|
${measured.map((summary) => `| ${summary.what} | ${meansOf(summary).join(' | ')} |`).join('\n')}

| | |
|---|---|
${figures.map((figure) => `| ${figure.what} | ${quantity(figure)} |`).join('\n')}
`
}

function meansOf({
  warm1,
  cold1,
  warm2,
  cold2,
}: Pick<Summary, 'warm1' | 'cold1' | 'warm2' | 'cold2'>): string[] {
  return [warm1, cold1, warm2, cold2].map(times)
}

function quantity({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  return unit === '×' ? times(value) : `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`
}

const TITLES = {
  warm: 'Warm',
  cold: 'Cold (files dropped from the page cache before each run, and new to service and DuckDB)',
}

function row({ layout, query, form, rows }: Comparison, timings: Timings): string[] {
  const ms = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(1))
  return [
    layout,
    query,
    form,
    String(rows),
    ms(timings.service1),
    ms(timings.native1),
    times(ratio1(timings)),
    ms(timings.service2),
    ms(timings.native2),
    times(ratio2(timings)),
  ]
}

function times(value: number | null): string {
  return value === null ? '–' : `${value.toFixed(2)}×`
}

/** Words to the left, figures to the right. */
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
