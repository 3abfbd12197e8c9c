import { ServiceError } from '../../plan/errors.ts'
import { CLOCK_TICK_MS, millisecondsOf } from '../../plan/source/version.ts'
import { changed } from './planned.ts'

/**
 * Throws `file_changed` for what changed after the query was planned, milliseconds since 1970: other tasks may have read
 * what was there before. The kernel notes times by its tick, so a change shortly before may have come after: that is
 * `file_in_writing`, and a query planned a tick later will know.
 */
export function requirePlanned(path: string, changedAtNs: bigint, plannedAt: number): void {
  const changedAt = millisecondsOf(changedAtNs)
  if (changedAt <= plannedAt - CLOCK_TICK_MS) return
  if (changedAt > plannedAt) throw changed(path)
  throw new ServiceError('file_in_writing', `"${path}" was written to just when the query began; ask again.`)
}
