import { BATCH_BYTES, BATCH_ROWS } from '../../plan/limits.ts'
import type { Encoding } from '../../plan/task/encoding.ts'
import type { Part } from '../../plan/task/part.ts'
import type { RowsTask, ScanAnswer, ScanTask } from '../../plan/task/task.ts'
import type { DataType } from '../../plan/types/schema.ts'
import type { Core, EncodedRows } from '../../wasm/core/core.ts'
import type { ReadContext } from '../formats/provider.ts'
import type { DecodedUnit, DecodedUnits } from '../state/decoded-units.ts'
import { encoderOf, payloadOf } from './encoder.ts'
import { dictionariesOf } from './part-dictionaries.ts'
import { takeRows } from './take-rows.ts'

type Encoded = Pick<ScanAnswer, 'parts' | 'skipped' | 'resume'>

/**
 * Encodes the rows of a unit, up to about `answerBytes` of them. If some are left, the unit is kept in `units`, and the answer
 * says at which row to resume. Takes over the unit.
 */
export function encodeRows(
  task: RowsTask & Pick<ScanTask, 'cancel'>,
  unit: DecodedUnit,
  types: readonly DataType[],
  units: DecodedUnits,
  context: ReadContext,
): Encoded {
  const { core } = context
  let isRetained = false
  try {
    const { row, skipped } = core.advance(unit.mask, unit.rows, task.resume - unit.from, task.skip)
    const { parts, next } = encodeParts(task, unit, types, row, context)
    isRetained = next !== null
    if (isRetained) units.keep(task.key, unit, task.cancel)
    return { parts, skipped, resume: next === null ? restOf(unit, parts, task) : unit.from + next }
  } finally {
    if (!isRetained) units.release(unit)
  }
}

/** The row at which the part of the unit begins that is not decoded yet. Null: there is none, or it is not wanted. */
function restOf({ next }: DecodedUnit, parts: readonly Part[], { take }: RowsTask): number | null {
  return parts.reduce((sum, { rows }) => sum + rows, 0) < take ? (next ?? null) : null
}

/** Encodes rows from `row` on. `next` is the row to go on from. Null: there are no more rows, or as many as were wanted. */
export function encodeParts(
  { take, encoding, answerBytes }: Pick<RowsTask, 'take' | 'encoding' | 'answerBytes'>,
  unit: DecodedUnit,
  types: readonly DataType[],
  row: number,
  { core, stopwatch, checkCancelled }: ReadContext,
): { readonly parts: readonly Part[]; readonly next: number | null } {
  const dictionaries = dictionariesOf(core, unit.columns, types, encoding)
  const parts: Part[] = []
  let bytes = 0
  let remainingRows = take
  let next = row
  while (next < unit.rows && remainingRows > 0 && bytes < answerBytes) {
    checkCancelled()
    const encoded = stopwatch.time('encode', () =>
      encode(encoding, unit, types, next, Math.min(remainingRows, BATCH_ROWS), core),
    )
    if (encoded.rows > 0) {
      const payload = payloadOf(encoding, encoded, dictionaries)
      parts.push({ rows: encoded.rows, from: unit.from + next, payload })
    }
    bytes += encoded.bytes.byteLength
    remainingRows -= encoded.rows
    next = encoded.next
  }
  return { parts, next: next < unit.rows && remainingRows > 0 ? next : null }
}

function encode(
  encoding: Encoding,
  { columns, rows, mask, order }: DecodedUnit,
  types: readonly DataType[],
  row: number,
  maxRows: number,
  core: Core,
): EncodedRows {
  const encoder = encoderOf(core, encoding)
  if (order === null) return encoder(columns, types, rows, mask, row, maxRows, BATCH_BYTES)
  const to = Math.min(rows, row + maxRows)
  const taken = takeRows(core, columns, order, row, to)
  try {
    const encoded = encoder(taken, types, to - row, null, 0, to - row, BATCH_BYTES)
    return { ...encoded, next: row + encoded.next }
  } finally {
    for (const column of new Set(taken)) core.free(column)
  }
}
