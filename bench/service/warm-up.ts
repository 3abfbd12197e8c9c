import type { Case } from '../compare/cases.ts'
import { timed } from '../report/statistics.ts'
import type { Service } from './service.ts'

/** Queries of fewer milliseconds are repeated. */
const SHORT_MS = 20

/**
 * How long questions are repeated: some 3000 short queries, or 500 boxes of many chunks, after which V8 has optimized the functions that each
 * of them calls. Milliseconds.
 */
export const WARM_UP_MS = 10_000

/** Runs each case once, and then the short ones again and again, as a dashboard does. */
export async function warmUp(service: Service, cases: readonly Case[]): Promise<void> {
  const short: Case[] = []
  for (const each of cases) if ((await timed(() => service.drain(each.body))) < SHORT_MS) short.push(each)
  const end = performance.now() + WARM_UP_MS
  while (short.length > 0 && performance.now() < end) for (const { body } of short) await service.drain(body)
}
