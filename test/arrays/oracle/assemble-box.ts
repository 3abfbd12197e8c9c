import type { Column } from '../../../src/wasm/core/column.ts'
import type { Core } from '../../../src/wasm/core/core.ts'
import { cellsIn } from './copy-slab.ts'
import type { Decoded, Values } from './decode-numbers.ts'
import { forEachRowRun, isWhole, type Spread } from './spread.ts'
import type { Texts } from './texts.ts'

/** A column of the rows of a box, from the decoded cells of an array. */
export function assembleNumbers(core: Core, { values, isThere }: Decoded, spread: Spread): Column {
  const rows = cellsIn(spread.extent)
  const placed = isWhole(spread) ? values : spreadValues(values, spread, rows)
  const bytes = new Uint8Array(placed.buffer, placed.byteOffset, placed.byteLength)
  const validity = isThere === null ? null : validityOf(isThere, spread, rows)
  return core.assemble({
    layout: 'fixed',
    parameter: values.BYTES_PER_ELEMENT,
    rows,
    buffers: [validity, bytes],
  })
}

/** The same of texts. */
export function assembleTexts(core: Core, { offsets, bytes, isThere }: Texts, spread: Spread): Column {
  const rows = cellsIn(spread.extent)
  const validity = isThere === null ? null : validityOf(isThere, spread, rows)
  if (isWhole(spread))
    return core.assemble({ layout: 'utf8', rows, buffers: [validity, bytesOf(offsets), bytes] })
  const placed = new Int32Array(rows + 1)
  const cells = new Int32Array(rows)
  let end = 0
  forEachRowRun(spread, (row, cell, stride, count) => {
    for (let each = 0; each < count; each++) {
      const at = cell + each * stride
      cells[row + each] = at
      end += (offsets[at + 1] ?? 0) - (offsets[at] ?? 0)
      placed[row + each + 1] = end
    }
  })
  const text = new Uint8Array(end)
  for (let row = 0; row < rows; row++) {
    const at = cells[row] ?? 0
    text.set(bytes.subarray(offsets[at], offsets[at + 1]), placed[row])
  }
  return core.assemble({ layout: 'utf8', rows, buffers: [validity, bytesOf(placed), text] })
}

function spreadValues(values: Values, spread: Spread, rows: number): Values {
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
    const placed = values instanceof BigInt64Array ? new BigInt64Array(rows) : new BigUint64Array(rows)
    forEachRowRun(spread, (row, cell, stride, count) => {
      for (let each = 0; each < count; each++) placed[row + each] = values[cell + each * stride] ?? 0n
    })
    return placed
  }
  const placed = emptyLike(values, rows)
  forEachRowRun(spread, (row, cell, stride, count) => {
    for (let each = 0; each < count; each++) placed[row + each] = values[cell + each * stride] ?? 0
  })
  return placed
}

type Numbers = Exclude<Values, BigInt64Array | BigUint64Array>

function emptyLike(values: Numbers, length: number): Numbers {
  if (values instanceof Int8Array) return new Int8Array(length)
  if (values instanceof Uint8Array) return new Uint8Array(length)
  if (values instanceof Int16Array) return new Int16Array(length)
  if (values instanceof Uint16Array) return new Uint16Array(length)
  if (values instanceof Int32Array) return new Int32Array(length)
  if (values instanceof Uint32Array) return new Uint32Array(length)
  return values instanceof Float32Array ? new Float32Array(length) : new Float64Array(length)
}

/** A bitmap of the rows whose cell is not null. */
function validityOf(isThere: Uint8Array, spread: Spread, rows: number): Uint8Array {
  const bitmap = new Uint8Array(Math.ceil(rows / 8))
  forEachRowRun(spread, (row, cell, stride, count) => {
    for (let each = 0; each < count; each++) {
      const at = row + each
      if (isThere[cell + each * stride] !== 0) bitmap[at >> 3] = (bitmap[at >> 3] ?? 0) | (1 << (at & 7))
    }
  })
  return bitmap
}

function bytesOf(values: Int32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}
