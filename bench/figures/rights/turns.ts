import { load } from '../../load/load.ts'
import { median } from '../../report/statistics.ts'

const CLIENTS = 64

/** How long clients ask in one turn, and how often it is each way's turn. */
const SECONDS = 2
const ROUNDS = 5

/** A way in which clients ask. */
export interface Way {
  readonly port: number
  readonly authorization?: string
}

/** Requests per second of 64 clients that ask one query again and again, in each way by turns: one list for each way. */
export async function byTurns(body: string, ways: readonly Way[]): Promise<readonly (readonly number[])[]> {
  const rates: number[][] = ways.map(() => [])
  for (let round = 0; round < ROUNDS; round++)
    for (const [index] of ways.entries()) {
      // Each of them is the first one in some rounds.
      const at = (index + round) % ways.length
      const way = ways[at]
      if (way === undefined) continue
      const request = { method: 'POST', path: '/api/query', body, sampleEvery: null } as const
      const result = await load({ ...request, ...way, clients: CLIENTS, seconds: SECONDS })
      if (result.failures > 0) throw new Error(`${result.failures} answers were refused or cut short`)
      rates[at]?.push(result.perSecond)
    }
  return rates
}

/** The median of the ratios of each round. */
export function ratioOf(rates: readonly number[] = [], others: readonly number[] = []): number {
  return median(rates.map((rate, round) => rate / (others[round] ?? Number.NaN)))
}
