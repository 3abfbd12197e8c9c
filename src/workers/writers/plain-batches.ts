import { PREFIX_BYTES } from '../../plan/arrow/ipc.ts'
import { type Part, payloadAs } from '../../plan/task/part.ts'
import { type DataType, type Field, valueType } from '../../plan/types/schema.ts'
import { shapeOf } from '../../wasm/core/layout.ts'
import { parseMessage } from '../formats/arrow/message.ts'
import { readRecordBatch } from '../formats/arrow/record-batch.ts'
import type { Storage } from '../formats/arrow/storage.ts'
import type { ReadContext } from '../formats/provider.ts'
import { encodeParts } from '../rows/encode-rows.ts'
import { rowTable } from '../rows/row-table.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'

/** Rows of columns of fixed width or of text, as their buffers in Arrow's layout. */
export interface PlainBatch {
  readonly rows: number
  readonly arrays: readonly PlainArray[]
}

export interface PlainArray {
  /** A bit for each row, which is 0 where it is null. Null: no row is. */
  readonly validity: Uint8Array | null
  /** The values one after the other, or the bytes of all texts. */
  readonly values: Uint8Array
  /** Of texts where each begins, and where the last one ends. Null: values of fixed width. */
  readonly offsets: Int32Array | null
}

/** The rows of parts, with values in the place of dictionaries. No column is nested or of booleans. */
export function* plainBatches(
  parts: readonly Part[],
  fields: readonly Field[],
  context: ReadContext,
): Generator<PlainBatch, void> {
  const types = fields.map(({ type }) => valueType(type))
  const storages = types.map(storageOf)
  for (const part of parts) {
    const { dictionaries } = payloadAs(part, 'arrow')
    const plain = dictionaries.length === 0 ? [part] : withoutDictionaries(part, fields, types, context)
    for (const each of plain) yield batchOf(each, storages)
  }
}

/** The rows of a table whose columns have these types. It stays the caller's. */
export function* plainTable(
  table: DecodedUnit,
  types: readonly DataType[],
  context: ReadContext,
): Generator<PlainBatch, void> {
  const storages = types.map(storageOf)
  for (const part of encodePlain(table, types, context)) yield batchOf(part, storages)
}

function encodePlain(table: DecodedUnit, types: readonly DataType[], context: ReadContext): readonly Part[] {
  const all = { take: table.rows, encoding: 'arrow', answerBytes: Number.POSITIVE_INFINITY } as const
  return encodeParts(all, table, types, 0, context).parts
}

function withoutDictionaries(
  part: Part,
  fields: readonly Field[],
  types: readonly DataType[],
  context: ReadContext,
): readonly Part[] {
  const { table } = rowTable([part], fields, context)
  try {
    return encodePlain(table, types, context)
  } finally {
    for (const column of table.columns) context.core.free(column)
  }
}

/** The buffers of a message that a core has encoded without compression. */
function batchOf(part: Part, storages: readonly Storage[]): PlainBatch {
  const { bytes, metadataBytes } = payloadAs(part, 'arrow')
  const { header, bodyBytes } = parseMessage(
    new Uint8Array(bytes, PREFIX_BYTES, metadataBytes - PREFIX_BYTES),
  )
  const { rows, arrays } = readRecordBatch(
    { header, body: { offset: metadataBytes, length: bodyBytes } },
    storages,
  )
  return {
    rows,
    arrays: arrays.map(({ nulls, storage, buffers }) => {
      const [validity, first, second] = buffers.map(
        ({ offset, length }) => new Uint8Array(bytes, offset, length),
      )
      const isText = storage.layout.shape === 'utf8'
      return {
        validity: nulls === 0 || validity === undefined || validity.length === 0 ? null : validity,
        values: (isText ? second : first) ?? new Uint8Array(),
        offsets:
          isText && first !== undefined ? new Int32Array(bytes, first.byteOffset, first.length >> 2) : null,
      }
    }),
  }
}

function storageOf(type: DataType): Storage {
  const shape = shapeOf(type)
  return { type, layout: { layout: shape.shape, ...shape }, children: [], dictionary: null }
}

/** Whether a row is not null. */
export function isValid({ validity }: PlainArray, row: number): boolean {
  return validity === null || (((validity[row >> 3] ?? 0) >> (row & 7)) & 1) === 1
}

/** Calls `visit` with each of the rows `from`..`from + rows` that is null. */
export function forEachNull(
  { validity }: PlainArray,
  from: number,
  rows: number,
  visit: (row: number) => void,
): void {
  if (validity === null) return
  const to = from + rows
  for (let row = from; row < to; row++) {
    const bits = validity[row >> 3] ?? 0
    // Most often no row of eight is null.
    if (bits === 0xff) row |= 7
    else if (((bits >> (row & 7)) & 1) === 0) visit(row)
  }
}
