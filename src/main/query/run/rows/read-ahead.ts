import { ANSWER_BYTES, READ_AHEAD_BYTES } from '../../../../plan/limits.ts'

/** Bytes that all queries together may hold decoded ahead. They are divided equally among the queries. */
const TOTAL_READ_AHEAD_BYTES = 256 << 20

/** The bytes that one of `active` queries may decode ahead: at least those of one answer. */
export function readAheadShare(active: number): number {
  return Math.max(ANSWER_BYTES, Math.min(READ_AHEAD_BYTES, TOTAL_READ_AHEAD_BYTES / Math.max(1, active)))
}
