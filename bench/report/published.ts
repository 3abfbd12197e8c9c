import type { Figure } from '../figures/figure.ts'
import { quantity, type Results, target, times } from './report.ts'

/** The text with the five figures in the README; a test compares the two. Throws when the run has not measured one of them. */
export function readmeFigures(results: Results): string {
  return `Measured by \`npm run bench\` (${results.date}, ${results.machine.cpus} CPUs); [every figure, and what it was measured
on](docs/reference/performance.md).

${markdown([
  ['', ''],
  [
    'Eight SQL queries over Parquet, rows read to the end over HTTP, against native DuckDB in process; one CPU each',
    `${summary(results, 'sql_rows', 'one')} its time`,
  ],
  ['the same counted, asked again, two CPUs each', `${summary(results, 'sql_count', 'keptTwo')} its time`],
  [
    'Small queries of 64 clients at once, against DuckDB behind HTTP',
    `${figure(results, 'computed_rows')} its requests`,
  ],
  ['`npm start` to the first right answer', figure(results, 'start')],
  ['Memory of an idle service', figure(results, 'rss_one')],
])}
`
}

/** The text with all targets in docs/reference/performance.md; a test compares the two. */
export function targetTable(results: Results): string {
  const { name, date, machine, rows, csvBytes, rounds, verdicts } = results
  const python = machine.python === null ? '' : `, and ${machine.python} of PyPI`
  return `Measured by \`npm run bench\` ([${date}](../../bench/results/${name}.json)): ${machine.cpus} CPUs, ${machine.cpu}; Node
${machine.node}, DuckDB ${machine.duckdb} of npm${python}; ${rows} rows of Parquet, ${(csvBytes / 1e9).toFixed(1)} GB of CSV, medians of
${rounds} runs (of short queries more, each after some that are not timed), load before them ${machine.load}. Ratios are times over HTTP,
answers read to the end, divided by those of native DuckDB in process; geometric means. What was measured again later has its date.

${markdown([
  ['', 'measured', 'to reach', ...(machine.python === null ? [] : [`against DuckDB ${machine.python}`])],
  ...verdicts.map((verdict) => [
    verdict.what,
    dated(verdict),
    target(verdict),
    ...(machine.python === null ? [] : [times(verdict.byPython)]),
  ]),
])}
`
}

function summary(
  { summaries }: Results,
  key: string,
  of: keyof Results['summaries'][number]['warm'],
): string {
  return times(summaries.find((each) => each.key === key)?.warm[of] ?? missing(key))
}

function figure({ figures }: Results, key: string): string {
  return dated(figures.find((each) => each.key === key) ?? missing(key))
}

/** A quantity, with the date on which it was measured if that is not that of the whole run. */
function dated(measured: Pick<Figure, 'value' | 'unit' | 'date'>): string {
  return measured.date === undefined ? quantity(measured) : `${quantity(measured)} (${measured.date})`
}

function missing(key: string): never {
  throw new RangeError(`the run has not measured ${key}`)
}

function markdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
