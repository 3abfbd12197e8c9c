import { memoize } from '../../../plan/memoize.ts'
import type { SourceColumn } from '../../../plan/scan.ts'
import { elementsOf } from '../../../plan/source/grid.ts'
import type { BoxSlab, BoxSpec } from '../../../wasm/core/boxes/box-column.ts'
import { elementWidth } from '../../../wasm/core/boxes/box-spec.ts'
import type { Column } from '../../../wasm/core/column.ts'
import { onlyObject } from '../../store/store.ts'
import { collect } from '../collect.ts'
import type { FilesTogether, ReadContext, RowSlab } from '../provider.ts'
import { boxSpecOf, type GridBox } from './box/box-spec.ts'
import type { Reading } from './box/read-array.ts'
import type { ArrayColumn, ArraysColumn } from './columns.ts'

/**
 * Reads columns of files of arrays together: their elements are put one behind the other, and decoded as one array. Files may have
 * other sizes, and other places of their arrays.
 */
export function createArraysTogether(columns: readonly SourceColumn[], context: ReadContext): FilesTogether {
  const slabs = columns.map((): BoxSlab[] => [])
  let keys: readonly string[] = []
  let specs: readonly RowSlab['spec'][] = []
  let rows = 0
  return {
    add(file) {
      const added = file.open().slabs?.(columns, file.range, file.store, context) ?? null
      if (added === null) return false
      if (rows === 0) {
        keys = added.map(({ key }) => key)
        specs = added.map(({ spec }) => spec)
      } else if (!added.every(({ key }, index) => key === keys[index])) return false
      for (const [index, { slab }] of added.entries()) slabs[index]?.push({ ...slab, origin: [rows] })
      rows += file.rows
      return true
    },
    take() {
      const taken = collect(context.core, (all: Column[]) => {
        for (const [index, spec] of specs.entries()) {
          const placed = { ...spec, shape: [rows], axes: [0], origin: [0] }
          all.push(context.core.boxColumn(placed, slabs[index] ?? []))
        }
      })
      for (const each of slabs) each.length = 0
      rows = 0
      return taken
    },
    [Symbol.dispose]() {},
  }
}

/**
 * The elements of a column over all rows of a file, which are those of a box. Null: it takes more to make rows of them, or they are not
 * stored one after the other in bytes that the store holds.
 */
export function rowSlab(reading: Reading, column: ArraysColumn, box: GridBox): RowSlab | null {
  if (column.kind !== 'array' || column.lookup !== undefined || column.content.kind !== 'numbers') return null
  const { array, dimensions } = column
  if (array.chunk !== null) return null
  const rows = elementsOf({ shape: box.extent })
  const sizes = dimensions.map(({ size }) => size)
  const elements = elementsOf({ shape: sizes })
  const isConstant = elements === 1
  const isLaidAlong =
    longAxes(
      dimensions.map(({ name }) => name),
      sizes,
    ) === longAxes(box.names, box.extent)
  if (!isConstant && (elements !== rows || !isLaidAlong)) return null
  const whole = { origin: sizes.map(() => 0), extent: sizes }
  const [slab] = reading.file.slabs(reading.store, array, whole, reading.context)
  if (slab?.kind !== 'elements' || slab.isShuffled || elementsOf({ shape: slab.extent }) !== elements)
    return null
  // Other bytes than those of the store are valid only until the reader of the slabs goes on.
  if (slab.bytes.buffer !== onlyObject(reading.store).view?.(0, 0).buffer) return null
  const { spec, key } = decodingOf(column)
  const placed = { origin: [0], extent: [rows] }
  if (!isConstant) return { spec, key, slab: { ...slab, ...placed } }
  const element = slab.bytes.slice(slab.offset, slab.offset + elementWidth(spec.element))
  const bytes = slab.isBigEndian ? element.toReversed() : element
  return { spec, key, slab: { kind: 'repeated', ...placed, bytes } }
}

/** The names of axes with more than one index, in their order. */
function longAxes(names: readonly string[], sizes: readonly number[]): string {
  return JSON.stringify(names.filter((_, axis) => sizes[axis] !== 1))
}

const NO_BOX: GridBox = Object.freeze({ names: [], origin: [], extent: [] })

/** How the elements of a column are decoded, and a key that is equal for equal decodings. */
const decodingOf = memoize(
  (column: ArrayColumn): { readonly spec: RowSlab['spec']; readonly key: string } => {
    const { element, decoding, fills }: BoxSpec = boxSpecOf(column, NO_BOX)
    const spec = { element, decoding, fills }
    const key = JSON.stringify([column.type, spec], (_, value) =>
      typeof value === 'bigint' || Object.is(value, Number.NaN) ? `${value}` : value,
    )
    return { spec, key }
  },
)
