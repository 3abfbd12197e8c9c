import { BATCH_BYTES, BATCH_ROWS } from '../../../plan/limits.ts'
import type { OdvStationsPlan } from '../../../plan/output/odv-plan.ts'
import type { RunStations } from '../../../plan/output/odv-stations.ts'
import { rowTable } from '../../rows/row-table.ts'
import type { FileEncoder } from '../file-encoder.ts'
import { changesOf, identityOf, namedBy } from './compared-rows.ts'
import { stationsOf } from './station-runs.ts'
import { freeTable } from './text-columns.ts'

/** Looks for stations in sorted rows, and encodes the rows again: what is left of their columns goes to the next task. */
export const odvStations: FileEncoder<OdvStationsPlan> = {
  encode({ plan: { odv }, parts, fields, from, rows }, context) {
    const { core } = context
    const typed = rowTable(parts, fields, context)
    try {
      const { table, types } = typed
      const changes = changesOf(core, odv, typed).subarray(from, from + rows)
      const named = namedBy(core, odv, typed)
      const stations = stationsOf(changes, (row) => named(from + row))
      const [head, tail] = [stations.at(0), stations.length > 1 ? stations.at(-1) : undefined]
      if (head === undefined) throw new RangeError('a run without rows')
      const chunks: ArrayBuffer[] = []
      const batches: { rows: number; metadataBytes: number }[] = []
      for (let next = from; next < from + rows; ) {
        context.checkCancelled()
        const most = Math.min(BATCH_ROWS, from + rows - next)
        const batch = core.encodeBatch(table.columns, types, table.rows, null, next, most, BATCH_BYTES)
        chunks.push(batch.bytes)
        batches.push({ rows: batch.rows, metadataBytes: batch.metadataBytes })
        next = batch.next
      }
      const summary: RunStations = {
        batches,
        first: identityOf(core, odv, typed, from),
        last: identityOf(core, odv, typed, from + rows - 1),
        head,
        tail: tail ?? null,
      }
      return { chunks, summary: Buffer.from(JSON.stringify(summary)) }
    } finally {
      freeTable(core, typed)
    }
  },
  end: () => [],
}
