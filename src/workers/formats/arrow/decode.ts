import type { Column } from '../../../wasm/core/column.ts'
import { indexWidth } from '../../../wasm/core/layout.ts'
import { sliceBits, sliceBuffers } from '../../../wasm/core/slice-buffers.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { collect, join } from '../collect.ts'
import { fault } from '../fault.ts'
import type { ReadContext } from '../provider.ts'
import { type Body, openBody } from './body.ts'
import type { Dictionaries } from './dictionaries.ts'
import { heldBuffers, holdBuffers } from './held-buffers.ts'
import type { StoredBatch } from './message.ts'
import { readRecordBatch, type StoredArray } from './record-batch.ts'
import { type Storage, valuesOf } from './storage.ts'

export interface DecodeContext extends ReadContext {
  readonly source: ByteSource
  readonly dictionaries: Dictionaries
  /** The index of the record batch that is being read. */
  readonly position: number
}

/** Rows `from`..`to` of an array as a column of the core. Throws `unreadable_file`; callers add the file's name. */
export function decodeArray(
  array: StoredArray,
  body: Body,
  from: number,
  to: number,
  context: DecodeContext,
): Column {
  const { storage, buffers } = array
  const { core } = context
  const rows = to - from
  if (to > array.rows) throw fault(`an array holds ${array.rows} rows where its parent needs ${to}`)
  if (storage.dictionary !== null) return decodeIndices(array, storage.dictionary, body, from, to, context)
  // Some writers leave out the buffers of an array that has only nulls.
  if (array.nulls === array.rows) return core.constant(storage.type, null, rows)
  const validity = validityOf(array, body, from, rows)
  const [, second, third] = buffers
  const { layout } = storage
  const { buffers: values, children } = sliceBuffers(layout, from, rows, {
    bytes(index, at, length) {
      const buffer = index === 1 ? second : third
      return buffer === undefined ? new Uint8Array(0) : body.bytes(buffer, at, length)
    },
    viewData: () => buffers.slice(2).map(body.whole),
  })
  return core.assemble({
    layout: layout.layout,
    parameter: layout.width,
    rows,
    bit: from % 8,
    buffers: layout.layout === 'null' ? [] : [validity, ...values],
    // Evaluated last of the arguments, because from here on `assemble` frees the children if it fails.
    children: collect(core, (decodedChildren) => {
      for (const child of array.children) decodedChildren.push(decodeArray(child, body, ...children, context))
    }),
  })
}

/** The validity bits of rows. Null: no row is null. A writer may leave out the bitmap of an array without nulls. */
function validityOf(
  { nulls, buffers: [bitmap] }: StoredArray,
  body: Body,
  from: number,
  rows: number,
): Uint8Array | null {
  if (nulls === 0 || bitmap === undefined) return null
  if (bitmap.length === 0 && nulls === null) return null
  return sliceBits(from, rows, (at, length) => body.bytes(bitmap, at, length))
}

/**
 * A dictionary column of the rows. Its dictionary has all values, even if all of the rows are null, so that it is the same for
 * all rows of a file.
 */
function decodeIndices(
  array: StoredArray,
  { id, index }: NonNullable<Storage['dictionary']>,
  body: Body,
  from: number,
  to: number,
  context: DecodeContext,
): Column {
  const { core } = context
  const { storage } = array
  const rows = to - from
  const isNull = array.nulls === array.rows
  const batches = context.dictionaries.of(id, context.position)
  if (batches.length === 0) {
    if (isNull) return core.constant(storage.type, null, rows)
    throw fault(`dictionary ${id} is missing`)
  }
  const width = indexWidth(index)
  const [, indices] = array.buffers
  return core.assemble({
    layout: 'dictionary',
    parameter: index,
    rows,
    bit: from % 8,
    buffers:
      isNull || indices === undefined
        ? [sliceBits(from, rows, (_, length) => new Uint8Array(length)), new Uint8Array(rows * width)]
        : [validityOf(array, body, from, rows), body.bytes(indices, from * width, rows * width)],
    children: [decodeValues(valuesOf(storage), batches, context)],
  })
}

/** All values of a dictionary, those of its batches one after the other. */
function decodeValues(values: Storage, batches: readonly StoredBatch[], context: DecodeContext): Column {
  const { core, source } = context
  const parts = collect(core, (decodedParts) => {
    for (const batch of batches) {
      context.checkCancelled()
      const { arrays, codec } = readRecordBatch(batch, [values])
      // Buffers that are not compressed are views of a larger read, which keeping them would keep too. They are read again.
      const held = codec === null ? null : heldBuffers(batch)
      const body = openBody(arrays, codec, source, context, held)
      for (const array of arrays) decodedParts.push(decodeArray(array, body, 0, array.rows, context))
      if (held !== null) holdBuffers(batch, held)
    }
  })
  return join(core, parts)
}
