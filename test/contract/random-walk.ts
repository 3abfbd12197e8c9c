import { tableFromIPC } from 'apache-arrow'
import { nameOf, rowsOf } from './table.ts'
import { answerTo, answerToHead, answerUnderAlias, type Target } from './walk.ts'

interface RandomWalk {
  readonly requests: number
  /** Requests that are on their way at once. */
  readonly atOnce: number
  /** Clients that read a long stream meanwhile, one after the other. */
  readonly streams: number
  /** A number below another one. */
  readonly next: (below: number) => number
}

interface Walked {
  /** What is wrong with answers. */
  readonly faults: readonly string[]
  /** Streams that were read to their end. */
  readonly streams: number
}

/** More than one batch, in some megabytes. */
const STREAM_ROWS = 500_000

/** Sends rows of the contract at random, beside some streams, to a service without rules. */
export async function walkAtRandom(target: Target, walk: RandomWalk): Promise<Walked> {
  const rows = rowsOf('without rules', true)
  const faults: string[] = []
  let unsent = walk.requests
  let streams = 0

  async function send(): Promise<void> {
    while (unsent-- > 0) {
      const row = rows[walk.next(rows.length)]
      if (row === undefined) continue
      const { method, path } = row.request
      const way = walk.next(4)
      const isHead = way === 0 && method === 'GET' && row.expected.status === 200
      const isAliased = way === 1 && path.startsWith('/api/') && method !== 'OPTIONS'
      const answer = isHead ? answerToHead : isAliased ? answerUnderAlias : answerTo
      const fault = await answer(row, target).catch(String)
      if (fault !== null)
        faults.push(`${isHead ? 'HEAD, ' : isAliased ? 'under /admin, ' : ''}${nameOf(row)}: ${fault}`)
    }
  }

  async function stream(index: number): Promise<void> {
    do {
      const sql = `SELECT range + ${index} AS n FROM range(${STREAM_ROWS})`
      const response = await fetch(`${target.url}/api/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'cache-control': 'no-cache' },
        body: JSON.stringify({ sql }),
      })
      const bytes = new Uint8Array(await response.arrayBuffer())
      if (response.status !== 200) faults.push(`a stream: ${response.status} ${Buffer.from(bytes)}`)
      else if (tableFromIPC(bytes).numRows !== STREAM_ROWS) faults.push('a stream has lost rows')
      streams++
    } while (unsent > 0)
  }

  await Promise.all([
    ...Array.from({ length: walk.atOnce }, send),
    ...Array.from({ length: walk.streams }, (_, index) => stream(index)),
  ])
  return { faults, streams }
}
