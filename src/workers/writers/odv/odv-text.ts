import { constants, crc32, deflateRawSync } from 'node:zlib'
import { BATCH_BYTES } from '../../../plan/limits.ts'
import type { OdvCompression, OdvTextPlan } from '../../../plan/output/odv-plan.ts'
import { fileOf, ODV_FILES } from '../../../plan/output/odv-stations.ts'
import type { RunText } from '../../../plan/output/odv-text.ts'
import type { IndexRange } from '../../../plan/source/unit.ts'
import type { ReadContext } from '../../formats/provider.ts'
import { rowTable } from '../../rows/row-table.ts'
import type { FileEncoder } from '../file-encoder.ts'
import { changesOf, namedBy } from './compared-rows.ts'
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

/** Text as it goes into the archive. */
interface PackedText {
  readonly chunks: readonly ArrayBuffer[]
  readonly size: number
  readonly crc: number
}

/**
 * Packs texts, which follow each other. Deflated blocks end with a full flush, at a whole byte and without references to what
 * came before, so that those of several tasks follow each other in one stream. A frame of Zstandard has to be made in one go: it is left
 * to main.
 */
function packText(texts: Iterable<ArrayBuffer>, compression: OdvCompression): PackedText {
  const chunks: ArrayBuffer[] = []
  let [size, crc] = [0, 0]
  for (const text of texts) {
    const bytes = new Uint8Array(text)
    size += bytes.length
    crc = crc32(bytes, crc)
    chunks.push(compression === 'deflate' ? deflate(bytes) : text)
  }
  return { chunks, size, crc }
}

function deflate(bytes: Uint8Array): ArrayBuffer {
  const packed = deflateRawSync(bytes, DEFLATE)
  return packed.buffer.byteLength === packed.length && packed.buffer instanceof ArrayBuffer
    ? packed.buffer
    : new Uint8Array(packed).buffer
}

/** Level 5 takes little more than half the time of the default, 6, for 1 % more bytes of sorted rows of stations. */
const DEFLATE = Object.freeze({ level: 5, finishFlush: constants.Z_FULL_FLUSH, chunkSize: 1 << 20 })
