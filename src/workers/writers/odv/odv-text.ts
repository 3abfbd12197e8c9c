import { BATCH_BYTES } from '../../../plan/limits.ts'
import type { OdvTextPlan } from '../../../plan/output/odv-plan.ts'
import { fileOf, ODV_FILES } from '../../../plan/output/odv-stations.ts'
import type { RunText } from '../../../plan/output/odv-text.ts'
import type { IndexRange } from '../../../plan/source/unit.ts'
import type { ReadContext } from '../../formats/provider.ts'
import { rowTable } from '../../rows/row-table.ts'
import type { FileEncoder } from '../file-encoder.ts'
import { changesOf, namedBy } from './compared-rows.ts'
import { packText } from './pack-text.ts'
import { type KindOfStation, kindsOf, profileNumbers, rowNumbers, stationsOf } from './station-runs.ts'
import { freeTable, type TextColumns, textColumns } from './text-columns.ts'

/** Writes sorted rows as lines of the files that their stations belong to. */
export const odvText: FileEncoder<OdvTextPlan> = {
  encode({ plan, parts, fields }, context) {
    const { core, stopwatch } = context
    const { odv } = plan
    const typed = rowTable(parts, fields, context)
    try {
      const changes = changesOf(core, odv, typed)
      const stations = kindsOf(stationsOf(changes, namedBy(core, odv, typed)), plan)
      const { rows } = typed.table
      const text = textColumns(
        core,
        odv,
        typed,
        rowNumbers(stations, rows),
        profileNumbers(stations, changes),
      )
      try {
        const chunks: ArrayBuffer[] = []
        const texts: RunText[] = []
        for (const file of ODV_FILES.keys()) {
          const runs = rowsOf(stations, file)
          if (runs.length === 0) continue
          const lineTexts = lines(text, rows, runs, context)
          const packed = stopwatch.time('encode', () => packText(lineTexts, odv.compression))
          chunks.push(...packed.chunks)
          texts.push({ file, chunks: packed.chunks.length, size: packed.size, crc: packed.crc })
        }
        return { chunks, summary: Buffer.from(JSON.stringify(texts)) }
      } finally {
        text.free()
      }
    } finally {
      freeTable(core, typed)
    }
  },
  end: () => [],
}

/** The rows of a file, as runs that do not touch. */
function rowsOf(stations: readonly KindOfStation[], file: number): readonly IndexRange[] {
  const runs: { from: number; to: number }[] = []
  for (const { station, kind } of stations) {
    if (fileOf(kind) !== file) continue
    const last = runs.at(-1)
    if (last?.to === station.from) last.to = station.to
    else runs.push({ from: station.from, to: station.to })
  }
  return runs
}

/** The lines of some rows, in texts of at most 16 MiB. */
function* lines(
  { columns, types, profiles }: TextColumns,
  rows: number,
  runs: readonly IndexRange[],
  { core, checkCancelled }: ReadContext,
): Generator<ArrayBuffer, void> {
  const mask = core.inRuns(rows, runs)
  try {
    for (let next = 0; next < rows; ) {
      checkCancelled()
      const encoded = core.encodeOdv(profiles, columns, types, rows, mask, next, rows, BATCH_BYTES)
      next = encoded.next
      if (encoded.rows > 0) yield encoded.bytes
    }
  } finally {
    core.freeMask(mask)
  }
}
