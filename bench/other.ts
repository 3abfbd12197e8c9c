/**
 * `npm run bench:other`: the benchmark with other data: every flat type in many encodings, nulls, skewed keys, text that
 * hardly repeats, 200 columns, 1000 files. Every answer is compared with that of native DuckDB.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Case, Form } from './compare/cases.ts'
import { compare } from './compare/compare.ts'
import { integer } from './flags.ts'
import { type OtherData, otherData } from './other/data.ts'
import { OTHER } from './other/queries.ts'
import type { BenchQuery } from './queries/queries.ts'
import { printReport } from './report/report.ts'
import { type Service, spawnServices } from './service/service.ts'

const { values } = parseArgs({
  options: {
    // Timed runs of each query, three times as many for short ones. One is enough, as the answers matter here.
    rounds: { type: 'string', default: '1' },
    // Keys of the queries to run.
    only: { type: 'string' },
    // Names of the data sets to query.
    data: { type: 'string' },
  },
})
const rounds = integer('--rounds', values.rounds, 1)
const only = values.only?.split(',')
const chosen = values.data?.split(',')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const root = join(import.meta.dirname, 'data', 'other')
const cases = (await otherData(root))
  .filter(({ name }) => chosen?.includes(name) ?? true)
  .flatMap((data) =>
    OTHER[data.kind]
      .filter(({ key }) => only?.includes(key) ?? true)
      .flatMap((query) =>
        (query.json === null ? (['sql_rows'] as const) : (['sql_rows', 'json_rows'] as const)).map((form) =>
          caseOf(data, query, form),
        ),
      ),
  )
const scratch = mkdtempSync(join(tmpdir(), 'halocline-other-'))
const services = await spawnServices(scratch, root)
try {
  const comparisons = await compare(services, null, cases, { rounds, coldRounds: 0 })
  printReport({ comparisons, summaries: [], figures: [], verdicts: [] })
  for (const { layout, query, form, failure } of comparisons) {
    const failed = cases.find((each) => each.layout === layout && each.query === query && each.form === form)
    if (failure !== undefined) console.log(`\n${JSON.stringify(failed?.body)}\n${failed?.sql}\n  ${failure}`)
  }
  const failures = comparisons.filter(({ failure }) => failure !== undefined).length
  console.log(`\n${comparisons.length} answers compared with native DuckDB, ${failures} failures`)
  process.exitCode = failures === 0 ? 0 : 1
} finally {
  await Promise.all(Object.values(services).map((service: Service) => service.stop()))
  rmSync(scratch, { recursive: true })
}

function caseOf({ name, files }: OtherData, { key, sql, json, agreement }: BenchQuery, form: Form): Case {
  const tables = (t: string) => ({ t, part: () => t })
  return {
    layout: name,
    query: key,
    form,
    agreement,
    files,
    sql: sql(tables(`read_parquet('${join(root, name)}/*.parquet')`)),
    body:
      form === 'json_rows'
        ? { ...json, from: { parquet: { paths: [`${name}/*.parquet`] } } }
        : { sql: sql(tables(`read_parquet(['${name}/*.parquet'])`)) },
  }
}
