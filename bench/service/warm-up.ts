import type { Case } from '../compare/cases.ts'
import { timed } from '../report/statistics.ts'
import type { Service } from './service.ts'

/** Queries that take less than this are asked again and again, milliseconds. */
const SHORT_MS = 20

/** For so long: some 3000 queries, after which V8 compiles a function that each of them calls for good. */
const WARM_UP_MS = 10_000

/** Has a service answer each case once, and then as many short ones as a dashboard asks of it in a minute. */
export async function warmUp(service: Service, cases: readonly Case[]): Promise<void> {
  const short: Case[] = []
  for (const each of cases) if ((await timed(() => service.drain(each.body))) < SHORT_MS) short.push(each)
  const end = performance.now() + WARM_UP_MS
  while (short.length > 0 && performance.now() < end) for (const { body } of short) await service.drain(body)
}
