import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { answerOfStream } from '../compare/arrow.ts'
import { arrayData } from '../input/array-data.ts'
import { type Days, type H5py, startH5py, type Way } from '../input/h5py.ts'
import { median, timed } from '../report/statistics.ts'
import { type Service, withService } from '../service/service.ts'
import type { Figure } from './figure.ts'

const DAYS = 365

const CLIENTS = 8

/** Elements of the array without chunks, of which the last is 1 and all others are 0. */
const CONTIGUOUS_ELEMENTS = 2500 * 600 * 1000

/** Sums are added in another order than in h5py. Relative. */
const TOLERANCE = 1e-9

const WHOLE: readonly Days[] = [[0, DAYS]]

/** An eighth of the days for each client. */
const EIGHTHS: readonly Days[] = Array.from({ length: CLIENTS }, (_, client) => [
  Math.floor((DAYS * client) / CLIENTS),
  Math.floor((DAYS * (client + 1)) / CLIENTS),
])

/** What is timed: by whom, and over which days. */
const RUNS = {
  sum: { way: null, days: WHOLE },
  oneSum: { way: 'one', days: WHOLE },
  eight: { way: null, days: EIGHTHS },
  threads: { way: 'threads', days: EIGHTHS },
  processes: { way: 'processes', days: EIGHTHS },
} as const satisfies Readonly<Record<string, { readonly way: Way | null; readonly days: readonly Days[] }>>

/**
 * Sums over a year of daily temperatures in NetCDF-4, beside h5py: of all days by one client, and of an eighth of the days by each of
 * eight clients at once. The file is in the page cache, the service has two workers and keeps nothing, and all answers are compared.
 * Then the most memory of the service in these, and in a sum over 6 GB of an array without chunks.
 */
export async function sst(scratch: string, root: string, rounds: number): Promise<Figure[]> {
  const data = { sst: arrayData(root, 'sst.nc'), contiguous: arrayData(root, 'contiguous.nc') }
  const path = join(root, data.sst)
  readFileSync(path)
  const h5py = await startH5py(path)
  const options = {
    dataDir: join(scratch, 'sst'),
    datasetsDir: root,
    workers: 2,
    keepsColumns: false,
    asksAnew: true,
  }
  try {
    return await withService(options, async (service) => {
      await service.ready()
      service.peakBytes()
      const times = await timesOf(service, data.sst, h5py, rounds)
      const inSums = service.peakBytes()
      const contiguous = await timed(() => contiguousSum(service, data.contiguous))
      const inContiguous = service.peakBytes()
      const peer = `h5py ${h5py.version}`
      const clients = `${CLIENTS} clients, an eighth of the days each`
      const ms = (key: string, what: string, value: number): Figure => ({ key, what, value, unit: 'ms' })
      const ratio = (key: string, what: string, value: number): Figure => ({ key, what, value, unit: '×' })
      const megabytes = (key: string, what: string, bytes: number): Figure => ({
        key,
        what,
        value: bytes / 1e6,
        unit: 'MB',
      })
      return [
        ms('sst_sum_service', 'sum of a year of daily temperatures in NetCDF-4', times.sum),
        ms('sst_sum_peer', `the same by ${peer}, 1 thread`, times.oneSum),
        ratio(
          'sst_sum',
          `sum of a year of daily temperatures in NetCDF-4, against ${peer}`,
          times.sum / times.oneSum,
        ),
        ms('sst_eight_service', clients, times.eight),
        ms('sst_eight_threads', `the same by ${peer}, ${CLIENTS} threads`, times.threads),
        ms('sst_eight_processes', `the same by ${peer}, ${CLIENTS} processes`, times.processes),
        ratio(
          'sst_threads',
          `${clients}: times as fast as ${peer} in ${CLIENTS} threads`,
          times.threads / times.eight,
        ),
        ratio(
          'sst_processes',
          `${clients}: times as fast as ${peer} in ${CLIENTS} processes`,
          times.processes / times.eight,
        ),
        ms('sst_contiguous', 'sum of 6 GB without chunks', contiguous),
        megabytes('sst_rss_sums', 'most resident during the sums over chunks', inSums),
        megabytes('sst_rss_contiguous', 'most resident during the sum of 6 GB without chunks', inContiguous),
        megabytes('sst_rss', 'most resident during all of these', Math.max(inSums, inContiguous)),
      ]
    })
  } finally {
    h5py.close()
  }
}

/** The median time of each run, of which all are made by turns. Throws when sums differ. */
async function timesOf(
  service: Service,
  path: string,
  h5py: H5py,
  rounds: number,
): Promise<Record<keyof typeof RUNS, number>> {
  const times = new Map<string, number[]>()
  const first = new Map<readonly Days[], readonly number[]>()
  // The first round is not timed.
  for (let round = -1; round < rounds; round++) {
    for (const [key, { way, days }] of Object.entries(RUNS)) {
      const { ms, sums } = way === null ? await sumsOf(service, path, days) : await h5py.sums(way, days)
      const expected = first.get(days) ?? sums
      first.set(days, expected)
      const isEqual = sums.length === days.length && sums.every((sum, at) => isClose(sum, expected[at]))
      if (!isEqual) throw new Error(`${key}: the sums are ${sums.join()}, not ${expected.join()}`)
      if (round >= 0) times.set(key, [...(times.get(key) ?? []), ms])
    }
  }
  const of = (key: keyof typeof RUNS) => median(times.get(key) ?? [])
  return {
    sum: of('sum'),
    oneSum: of('oneSum'),
    eight: of('eight'),
    threads: of('threads'),
    processes: of('processes'),
  }
}

/** The sums of all ranges of days, asked for at once. */
async function sumsOf(service: Service, path: string, ranges: readonly Days[]) {
  let answers: readonly Buffer[] = []
  const ms = await timed(async () => {
    answers = await Promise.all(ranges.map((days) => service.query({ sql: statement(path, days) })))
  })
  return { ms, sums: answers.map(firstNumber) }
}

function statement(path: string, [from, to]: Days): string {
  const where =
    to - from === DAYS ? '' : ` WHERE time >= TIMESTAMP '${date(from)}' AND time < TIMESTAMP '${date(to)}'`
  return `SELECT sum(sst) AS total FROM read_netcdf(['${path}'])${where}`
}

/** The date of a day of the file, which is counted from its first. */
function date(day: number): string {
  return new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)
}

async function contiguousSum(service: Service, path: string): Promise<void> {
  const sql = `SELECT sum(value) AS total, count(*) AS n FROM read_netcdf(['${path}'])`
  const { batches } = answerOfStream(await service.query({ sql }))
  const [total, count] = (batches[0] ?? []).map((column) => column.get(0))
  if (total !== 1 || Number(count) !== CONTIGUOUS_ELEMENTS)
    throw new Error(`the sum of ${count} elements is ${total}, not 1 of ${CONTIGUOUS_ELEMENTS}`)
}

function firstNumber(answer: Buffer): number {
  return Number(answerOfStream(answer).batches[0]?.[0]?.get(0))
}

function isClose(a: number, b: number | undefined): boolean {
  return b !== undefined && Math.abs(a - b) <= TOLERANCE * Math.abs(b)
}
