import { join } from 'node:path'
import { difference } from '../compare/answer.ts'
import { answerOfStream } from '../compare/arrow.ts'
import { native } from '../compare/native.ts'
import type { BenchData } from '../input/data.ts'
import { type LoadResult, load, NUMBER, type Sample } from '../load/load.ts'
import { type Peer, startPeer, WAYS, type Way } from '../peer/peer.ts'
import { type SmallQuery, smallQueries } from '../queries/small-queries.ts'
import type { Service } from '../service/service.ts'
import type { Figure } from './figure.ts'

const CLIENTS = 64

const SECONDS = 3

/** Queries before the load, after which the columns are cached. */
const WARM_UPS = 5

/** How long each format of the peer is tried to find the fastest. */
const TRIAL_SECONDS = 1

/** One of so many answers is compared. A prime number, so that answers of all connections are. */
const SAMPLE_EVERY = 61

/** Throws when one of the answers to a query is not what native DuckDB gives. */
type Check = (query: SmallQuery, samples: readonly Sample[]) => Promise<void>

/** 64 clients with kept-alive connections send small queries, no two of which are equal, so that each is computed. */
export function computedSmall(service: Service, data: BenchData): Promise<Figure[]> {
  return bySmallQuery(data, (query, peer, check) => computed(query, tableOf(data), service, peer, check))
}

/** The same with one query again and again, which is answered from the cache. */
export function readySmall(service: Service, data: BenchData): Promise<Figure[]> {
  return bySmallQuery(data, (query, peer, check) => ready(query, service, peer, check))
}

async function bySmallQuery(
  data: BenchData,
  measure: (query: SmallQuery, peer: Peer, check: Check) => Promise<Figure[]>,
): Promise<Figure[]> {
  const peer = await startPeer()
  const duckdb = await native(2)
  const check: Check = async (query, samples) => {
    if (samples.length === 0) throw new Error(`${query.key}: no answer to compare`)
    for (const { number, body } of samples) {
      const expected = await duckdb.answer(query.sql(number, tableOf(data)))
      const fault = difference(expected, answerOfStream(body), query.agreement)
      if (fault !== null) throw new Error(`${query.key} with ${number}: ${fault}`)
    }
  }
  try {
    const figures: Figure[] = []
    for (const query of smallQueries(data.small)) figures.push(...(await measure(query, peer, check)))
    return figures
  } finally {
    duckdb.close()
    peer.stop()
  }
}

function tableOf({ root, small }: BenchData): string {
  return `read_parquet('${join(root, small)}')`
}

async function computed(
  query: SmallQuery,
  table: string,
  service: Service,
  peer: Peer,
  check: Check,
): Promise<Figure[]> {
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp++)
    await service.query(JSON.parse(query.body(String(warmUp).padStart(NUMBER.length, '0'))))
  const ofService = await asked({ port: service.port, path: '/api/query', body: query.body(NUMBER) })
  await check(query, ofService.samples)
  const statement = JSON.stringify({ sql: query.sql(NUMBER, table) })
  const ask = (way: Way, seconds: number) => asked({ port: peer.port, path: way, body: statement, seconds })
  const trials: { way: Way; perSecond: number }[] = []
  for (const way of WAYS) trials.push({ way, perSecond: (await ask(way, TRIAL_SECONDS)).perSecond })
  const { way } = trials.toSorted((a, b) => b.perSecond - a.perSecond)[0] ?? { way: WAYS[0] }
  const ofPeer = await ask(way, SECONDS)
  if (way === '/arrow') await check(query, ofPeer.samples)
  return against(
    `computed_${query.key}`,
    `${query.what}, computed`,
    ofService,
    ofPeer,
    way === '/arrow' ? 'DuckDB over HTTP in Arrow' : 'DuckDB over HTTP in JSON',
  )
}

async function ready(query: SmallQuery, service: Service, peer: Peer, check: Check): Promise<Figure[]> {
  const number = '1'.repeat(NUMBER.length)
  const body = query.body(number)
  const posted = await asked({ port: service.port, path: '/api/query', body })
  const got = await asked({
    port: service.port,
    method: 'GET',
    path: `/api/query?q=${encodeURIComponent(body)}`,
    body,
  })
  const [first] = posted.samples
  if (first === undefined) throw new Error(`${query.key}: no answer to compare`)
  await check(query, [{ number, body: first.body }])
  for (const sample of [...posted.samples, ...got.samples])
    if (!sample.body.equals(first.body)) throw new Error(`${query.key}: two answers to one question differ`)
  const ofPeer = await asked({ port: peer.port, path: `/ready/${first.body.length}`, body })
  const key = `ready_${query.key}`
  return [
    ...against(key, `${query.what}, kept`, posted, ofPeer, 'ready bytes'),
    perSecond(`${key}_get`, `${query.what}, kept: by GET`, got),
  ]
}

async function asked(
  options: Pick<Parameters<typeof load>[0], 'port' | 'path' | 'body'> & {
    readonly method?: 'GET'
    readonly seconds?: number
  },
): Promise<LoadResult> {
  const result = await load({
    method: 'POST',
    clients: CLIENTS,
    seconds: SECONDS,
    sampleEvery: SAMPLE_EVERY,
    ...options,
  })
  if (result.failures > 0)
    throw new Error(`${options.path}: ${result.failures} answers were refused or cut short`)
  return result
}

function against(key: string, what: string, service: LoadResult, peer: LoadResult, name: string): Figure[] {
  return [
    {
      key,
      what: `${what}, ${CLIENTS} clients, against ${name}`,
      value: service.perSecond / peer.perSecond,
      unit: '×',
    },
    perSecond(`${key}_service`, `${what}: the service`, service),
    perSecond(`${key}_peer`, `${what}: ${name}`, peer),
  ]
}

function perSecond(key: string, what: string, { perSecond, p50, p99, cpu }: LoadResult): Figure {
  const times = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  return { key, what: `${what} (${times}; clients' CPU ${cpu.toFixed(2)})`, value: perSecond, unit: 'req/s' }
}
