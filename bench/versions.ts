/**
 * `npm run bench:versions -- FOLDER`: this checkout against another one, by turns: the eight queries of the benchmark over
 * random data, counted and with their rows, sums of arrays, statements over arrays that DuckDB binds for the first time and
 * again, and small queries of 64 clients. FOLDER is a checkout with its `node_modules`. Prints the medians of the ratios
 * of times that were taken one after the other: above 1, this checkout is slower.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { benchCases, type Case } from './compare/cases.ts'
import { integer, readFlags } from './flags.ts'
import { arrayData } from './input/array-data.ts'
import { benchData } from './input/data.ts'
import { load, NUMBER } from './load/load.ts'
import { EIGHT } from './queries/queries.ts'
import { smallQueries } from './queries/small-queries.ts'
import { geometricMean, median, timed } from './report/statistics.ts'
import { type Service, spawnService } from './service/service.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '9' },
    // Keys of groups: sql_count, sql_rows, arrays, binding, small.
    only: { type: 'string' },
  },
})
const [other] = positionals
if (other === undefined) throw new TypeError('the folder of another checkout is missing')
const rounds = integer('--rounds', values.rounds, 1)
const only = values.only?.split(',')
const isAsked = (group: string): boolean => only?.includes(group) ?? true
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** A question that both versions are asked, and the group in which its ratio counts. */
interface Question {
  readonly group: string
  readonly name: string
  readonly body: object
  /** Whether the text of the statement is the same each time, so that it is bound once. */
  readonly isRepeated?: boolean
}

/** How long 64 clients ask in each turn. */
const SECONDS = 2

const root = join(import.meta.dirname, 'data')
const data = await benchData(root, readFlags([]))
const sst = `read_netcdf(['${arrayData(root, 'sst.nc')}'])`

function questionOf({ query, form, body }: Case): Question {
  return { group: form, name: query, body }
}

/** Statements that DuckDB runs, over one place of a coordinate each, so that binding is most of their time. */
const THREE_SCANS = `SELECT median(a.lat) AS m FROM (SELECT lat FROM ${sst}) a JOIN (SELECT lat FROM ${sst}) b USING (lat)
  JOIN (SELECT lat FROM ${sst}) c USING (lat)`

const questions: readonly Question[] = [
  ...benchCases(data, { ...readFlags([]), layouts: new Set(['random']), only: new Set(EIGHT) })
    .filter(({ form }) => form !== 'json_rows')
    .map(questionOf),
  { group: 'arrays', name: 'sum of a year', body: { sql: `SELECT sum(sst) AS s FROM ${sst}` } },
  {
    group: 'arrays',
    name: 'sums by latitude',
    body: {
      sql: `SELECT lat, sum(sst) AS s FROM ${sst} WHERE time < TIMESTAMP '2024-03-01' GROUP BY lat ORDER BY lat`,
    },
  },
  { group: 'binding', name: 'three scans of arrays, first', body: { sql: THREE_SCANS } },
  { group: 'binding', name: 'three scans of arrays, repeated', body: { sql: THREE_SCANS }, isRepeated: true },
].filter(({ group }) => isAsked(group))

const scratch = mkdtempSync(join(tmpdir(), 'halocline-versions-'))

/**
 * The services of one checkout. `anew` and `repeated` keep neither columns nor answers; `anew` gets each question with another
 * text. `kept` keeps columns.
 */
async function servicesOf(name: string, repository: string) {
  const options = { datasetsDir: root, workers: 2, repository }
  const bare = { ...options, keepsColumns: false }
  const services = {
    anew: await spawnService({ ...bare, dataDir: join(scratch, `${name}-anew`), asksAnew: true }),
    repeated: await spawnService({ ...bare, dataDir: join(scratch, `${name}-repeated`) }),
    kept: await spawnService({ ...options, dataDir: join(scratch, `${name}-kept`) }),
  }
  for (const service of Object.values(services)) await service.ready()
  return services
}

const versions = {
  this: await servicesOf('this', join(import.meta.dirname, '..')),
  other: await servicesOf('other', resolve(other)),
}
type Version = keyof typeof versions

/** One turn of both versions. Each is the first one in half of the rounds. */
async function turn(
  round: number,
  measure: (version: Version) => Promise<number>,
): Promise<Record<Version, number>> {
  const times = { this: Number.NaN, other: Number.NaN }
  const order = round % 2 === 0 ? (['this', 'other'] as const) : (['other', 'this'] as const)
  for (const version of order) times[version] = await measure(version)
  return times
}

function print(name: string, turns: readonly Record<Version, number>[], unit: string): number {
  const ratio = median(turns.map((each) => each.this / each.other))
  const [thisMedian, others] = [
    median(turns.map((each) => each.this)),
    median(turns.map((each) => each.other)),
  ]
  console.log(`${ratio.toFixed(3)}  ${name}: ${thisMedian.toFixed(2)} against ${others.toFixed(2)} ${unit}`)
  return ratio
}

try {
  const ratios = new Map<string, number[]>()
  for (const { group, name, body, isRepeated = false } of questions) {
    const turns = []
    for (let round = -2; round < rounds; round++) {
      const times = await turn(round, (version) => {
        const service: Service = versions[version][isRepeated ? 'repeated' : 'anew']
        return timed(() => service.drain(body))
      })
      if (round >= 0) turns.push(times)
    }
    ratios.set(group, [...(ratios.get(group) ?? []), print(`${group}: ${name}`, turns, 'ms')])
  }
  for (const [group, each] of ratios)
    console.log(`${geometricMean(each).toFixed(3)}  ${group}, geometric mean`)
  for (const query of isAsked('small') ? smallQueries(data.small) : []) {
    const turns = []
    for (let round = -1; round < rounds; round++) {
      // The time of an answer, so that a ratio above 1 is slower, as with the others.
      const times = await turn(round, async (version) => {
        const { port } = versions[version].kept
        const body = query.body(NUMBER)
        const asked = {
          port,
          method: 'POST',
          path: '/api/query',
          body,
          clients: 64,
          seconds: SECONDS,
        } as const
        return 1000 / (await load({ ...asked, sampleEvery: null })).perSecond
      })
      if (round >= 0) turns.push(times)
    }
    print(`small, 64 clients: ${query.what}`, turns, 'ms for each answer')
  }
} finally {
  for (const services of Object.values(versions))
    for (const service of Object.values(services)) await service.stop()
  rmSync(scratch, { recursive: true })
}
