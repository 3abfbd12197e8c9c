import { isServiceError } from '../plan/errors.ts'
import { BATCH_BYTES, BATCH_ROWS } from '../plan/limits.ts'
import type { DataType } from '../plan/schema.ts'
import { CLAIM } from '../plan/sql.ts'
import type { Encoding, Part, ScanAnswer, ScanTask } from '../plan/task.ts'
import type { Core, EncodedRows } from '../wasm/core.ts'
import type { DecodedUnit } from './decoded-units.ts'
import type { ReadContext } from './formats/provider.ts'
import { dictionariesOf, heldTypes } from './part-dictionaries.ts'
import { readUnit } from './read-unit.ts'
import type { Workshop } from './workshop.ts'

/**
 * Rows of one unit as encoded parts, at most about `answerBytes` of them: then the decoded unit is kept and the
 * answer says where to go on.
 */
export function scan(task: ScanTask, workshop: Workshop, context: ReadContext): ScanAnswer {
  const { core, stopwatch } = context
  const isTaken = task.claim !== null && !claim(task.claim)
  const unit = isTaken ? null : (workshop.units.take(task.key) ?? readOrGuess(task, workshop, context))
  if (unit === null)
    return { kind: 'rows', parts: [], span: null, skipped: 0, resume: null, metrics: stopwatch.metrics() }
  let kept = false
  try {
    const types = typesOf(task, unit, core)
    const dictionaries = task.encoding === 'arrow' ? dictionariesOf(core, unit.columns, types) : []
    const parts: Part[] = []
    let bytes = 0
    let { row, skipped } = core.advance(unit.mask, unit.rows, task.resume - unit.from, task.skip)
    let left = task.take
    while (row < unit.rows && left > 0 && bytes < task.answerBytes) {
      context.checkCancelled()
      const encoded = stopwatch.time('encode', () =>
        encode(task.encoding, unit, types, row, Math.min(left, BATCH_ROWS), core),
      )
      if (encoded.rows > 0) {
        parts.push({
          bytes: encoded.bytes,
          rows: encoded.rows,
          from: unit.from + row,
          metadataBytes: encoded.metadataBytes,
          dictionaries,
        })
      }
      bytes += encoded.bytes.byteLength
      left -= encoded.rows
      row = encoded.next
    }
    kept = row < unit.rows && left > 0
    if (kept) workshop.units.keep(task.key, unit)
    return {
      kind: 'rows',
      parts,
      span: unit.span,
      skipped,
      resume: kept ? unit.from + row : null,
      metrics: stopwatch.metrics(),
    }
  } finally {
    if (!kept) workshop.units.release(unit)
  }
}

/** What the parts hold; those for another worker stay as they are held. */
function typesOf({ scan, claim }: ScanTask, { columns, rows, mask }: DecodedUnit, core: Core) {
  const types = scan.projection.map((each) => each.field.type)
  if (claim === null) return types
  return heldTypes(core, columns, types, mask === null ? rows : core.count(mask))
}

/** Whether the unit is this worker's to decode. */
function claim({ words, index }: NonNullable<ScanTask['claim']>): boolean {
  return Atomics.compareExchange(new Int32Array(words), index, CLAIM.free, CLAIM.assistant) === CLAIM.free
}

/** Null: of a text file, read from a guessed beginning, which led nowhere: only the right one tells whether it is damaged. */
function readOrGuess(task: ScanTask, workshop: Workshop, context: ReadContext): DecodedUnit | null {
  const { segment, to } = task.unit
  const isGuess = task.begin === null && segment > 0 && to === Number.POSITIVE_INFINITY
  try {
    return readUnit(task, workshop, context)
  } catch (error) {
    if (isGuess && isServiceError(error) && error.code === 'unreadable_file') return null
    throw error
  }
}

function encode(
  encoding: Encoding,
  { columns, rows, mask }: DecodedUnit,
  types: readonly DataType[],
  row: number,
  maxRows: number,
  core: Core,
): EncodedRows {
  const encoder = encoding === 'csv' ? core.encodeCsv : core.encodeBatch
  return encoder(columns, types, rows, mask, row, maxRows, BATCH_BYTES)
}
