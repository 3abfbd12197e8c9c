import type { Test } from 'tap'
import { generator } from '../support/generate.ts'
import type { Row } from './row.ts'
import { CONTRACT, isLater, nameOf, rowsOf } from './table.ts'
import { answerTo, answerToHead, answerUnderAlias, type Target } from './walk.ts'
import { startWorld } from './worlds.ts'

/** Rows that are on their way at once. */
const AT_ONCE = 24

/** Starts a world and sends it its rows, in an order of their own, as they are, by HEAD and under the alias. */
export async function walkWorld(t: Test, world: string, isShared: boolean): Promise<void> {
  const rows = rowsOf(world, isShared)
  const waiting = CONTRACT.filter((row) => isLater(row) && (row.world === world || row.world === null))
  t.comment(`${world}: ${rows.length} rows, ${isShared ? waiting.length : 0} later`)
  if (rows.length === 0) return
  const target = await startWorld(t, world)
  const queue = inAnyOrder(rows)
  const walkers = Array.from({ length: AT_ONCE }, async () => {
    for (let row = queue.pop(); row !== undefined; row = queue.pop()) await walkRow(t, row, target)
  })
  await Promise.all(walkers)
}

async function walkRow(t: Test, row: Row, target: Target): Promise<void> {
  const { method, path } = row.request
  const check = (wrong: string | null, how: string): void => {
    t.ok(wrong === null, `${how}${nameOf(row)}${wrong === null ? '' : `: ${wrong}`}`)
  }
  check(await answerTo(row, target), '')
  if (method === 'GET' && row.expected.status === 200) check(await answerToHead(row, target), 'HEAD, ')
  if (path.startsWith('/api/') && method !== 'OPTIONS')
    check(await answerUnderAlias(row, target), 'under /admin, ')
}

/** Another order for each seed: no row may need another one. */
function inAnyOrder(rows: readonly Row[]): Row[] {
  const next = generator('the order of rows')
  const shuffled = [...rows]
  for (const [index] of rows.entries()) {
    const other = next(index + 1)
    const [a, b] = [shuffled[index], shuffled[other]]
    if (a !== undefined && b !== undefined) [shuffled[index], shuffled[other]] = [b, a]
  }
  return shuffled
}
