import { ServiceError } from '../../../plan/errors.ts'
import type { PlannedAttributes } from '../../../plan/output/attribute-plan.ts'
import { productOf } from '../../../plan/product-of.ts'
import { GRID_UNITS, type Grid } from '../../../wasm/core/kernels/grid.ts'
import type { Box } from '../../formats/arrays/array-file.ts'
import { elementsOf } from '../../formats/arrays/boxes.ts'
import { alignedTo, type BoxSplit, boxAt, cutBox, splitBox } from '../../formats/arrays/split-box.ts'
import { plannedAttributes } from '../netcdf/nc4-attributes.ts'
import type { Nc4Attribute, Nc4File } from '../netcdf/nc4-file.ts'
import type { GridColumn, GridColumns } from './grid-columns.ts'
import type { GridConstants } from './grid-constants.ts'
import { checkGridBytes } from './grid-limit.ts'
import type { Spool } from './spool.ts'
import type { Block, SpooledRows } from './spooled-rows.ts'

/** A grid all of whose rows are spooled, and the file that it becomes. */
export interface GridParts {
  readonly columns: GridColumns
  readonly grid: Grid
  readonly file: Nc4File
  readonly spool: Spool
  readonly rows: SpooledRows
  readonly constants: Pick<GridConstants, 'write'>
  readonly maximumBytes: number
  /** As in `GridPlan`. */
  readonly compression: number
}

/** The bytes of the values of all variables in a box. */
const BOX_BYTES = 64 << 20

/**
 * Completes the file, step by step. Throws `output_too_large` if the grid is larger than it may be, and `type_mismatch` if a variable
 * has both empty elements and the value that would mark them.
 */
export function* completeGrid(parts: GridParts): Generator<void, void, undefined> {
  const { columns, grid, file, maximumBytes } = parts
  const { dimensions, variables } = columns
  const shape = dimensions.map((_, index) => grid.size(index))
  checkGridBytes(columns, shape, maximumBytes, true)
  const sorted: { readonly values: ArrayBuffer; readonly unit: number }[] = []
  for (const index of dimensions.keys()) {
    sorted.push(grid.sort(index))
    yield
  }
  define(parts, shape, sorted)
  for (const [index, { values }] of sorted.entries()) {
    const box = { origin: [0], extent: [shape[index] ?? 0] }
    writeBox(file, { variable: index, width: dimensions[index]?.width ?? 1 }, box, new Uint8Array(values))
    yield
  }
  const hasEmpty = variables.map(() => false)
  if (productOf(shape) > 0 && variables.length > 0) yield* values(parts, shape, hasEmpty)
  for (const [index, { type, fill }] of variables.entries())
    if (hasEmpty[index] === true)
      file.addAttribute(dimensions.length + index, { name: '_FillValue', type, value: fill })
  parts.constants.write(file)
  file.close()
}

/** Makes the dimensions, then the coordinate variables, then the variables. */
function define(
  { columns, grid, file, compression }: GridParts,
  shape: readonly number[],
  sorted: readonly { readonly unit: number }[],
): void {
  const axes = [...shape.keys()]
  // A dimension without values has to be unlimited: NetCDF has no other of that length. What is unlimited is stored in chunks.
  const isEmpty = shape.includes(0)
  const chunk = compression > 0 && !isEmpty ? boxAt(shape, chunksOf(shape, columns), 0).extent : null
  file.define(
    columns.dimensions.map(({ name }, index) => {
      const length = shape[index] ?? 0
      return { name, length, isUnlimited: length === 0 }
    }),
    [
      ...columns.dimensions.map((column, index) => ({
        name: column.name,
        type: column.type,
        dimensions: [index],
        chunks: shape[index] === 0 ? [1] : null,
        compression: 0,
        attributes: attributesOf(column, sorted[index]?.unit ?? 0),
      })),
      ...columns.variables.map((column, index) => ({
        name: column.name,
        type: column.type,
        dimensions: axes,
        chunks: isEmpty ? axes.map(() => 1) : chunk,
        compression,
        attributes: attributesOf(column, grid.unit(index)),
      })),
    ],
  )
}

/** The most bytes of a chunk, which the library holds while it is written. */
const CHUNK_BYTES = 1 << 20

/** How the variables are cut into chunks: all alike, and each in one box. A chunk is never larger than a box. */
function chunksOf(shape: readonly number[], columns: GridColumns): BoxSplit {
  const widest = Math.max(...columns.variables.map(({ width }) => width))
  return splitBox(shape, Math.max(1, Math.min(CHUNK_BYTES / widest, elementsOfBox(columns))))
}

/** The most elements of a box. */
function elementsOfBox({ variables }: GridColumns): number {
  return Math.max(1, Math.floor(BOX_BYTES / variables.reduce((sum, { width }) => sum + width, 0)))
}

/** Puts the values of all rows into their places, and writes box after box. */
function* values(
  { columns, grid, file, spool, rows }: GridParts,
  shape: readonly number[],
  hasEmpty: boolean[],
): Generator<void, void, undefined> {
  const { dimensions, variables } = columns
  const boxes = alignedTo(splitBox(shape, elementsOfBox(columns)), chunksOf(shape, columns), shape)
  grid.arrange(boxes.split, boxes.rows)
  const isDistributed = boxes.count > 1
  const blocks = isDistributed ? yield* distribute(grid, spool, rows, boxes) : [rows.blocks]
  for (let boxIndex = 0; boxIndex < boxes.count; boxIndex++) {
    const box = boxAt(shape, boxes, boxIndex)
    grid.begin(elementsOf(box))
    for (const block of blocks[boxIndex] ?? []) {
      grid.put({ ...block, fill: (target) => spool.read(block.position, target) }, isDistributed)
      yield
    }
    for (const [index, column] of variables.entries()) {
      const { bytes, empty, holdsFill } = grid.values(index)
      if (empty > 0 && holdsFill) refuseFill(column)
      if (empty > 0) hasEmpty[index] = true
      writeBox(file, { variable: dimensions.length + index, width: column.width }, box, bytes)
      yield
    }
  }
}

/** Splits all blocks by boxes: the blocks of each box, in their order. */
function* distribute(
  grid: Grid,
  spool: Spool,
  rows: SpooledRows,
  { count }: BoxSplit,
): Generator<void, Block[][], undefined> {
  const byBox: Block[][] = Array.from({ length: count }, () => [])
  for (const block of rows.blocks) {
    const { blocks, counts } = grid.distribute({
      ...block,
      fill: (target) => spool.read(block.position, target),
    })
    let position = spool.append(blocks)
    for (const [boxIndex, rowCount] of counts.entries()) {
      if (rowCount === 0) continue
      const length = rows.blockBytes(1, rowCount)
      byBox[boxIndex]?.push({ position, length, rows: rowCount })
      position += length
    }
    yield
  }
  return byBox
}

function refuseFill({ name, type }: GridColumn): never {
  throw new ServiceError(
    'type_mismatch',
    `Column ${JSON.stringify(name)} has the greatest value of its type (${type}), which in a file marks cells without a value, and ` +
      'the grid has such cells. Cast the column to a wider type, or leave out the rows with that value.',
  )
}

/** By these programs know longitude and latitude (CF conventions, 4.1 and 4.2). */
const DEGREES = Object.freeze({ longitude: 'degrees_east', latitude: 'degrees_north' })

/** The attributes of a variable, without those that columns of attributes become. `unit`: that of its times, of `GRID_UNITS`. */
function attributesOf(column: GridColumn, unit: number): readonly Nc4Attribute[] {
  return plannedAttributes({ ...madeOf(column, unit), ...column.attributes }, column.type)
}

/** Those that follow from the type and the name. What says what it is by attributes of its own gets none but those that it needs. */
function madeOf({ values, axis, isDescribed }: GridColumn, unit: number): PlannedAttributes {
  if (axis !== null) return isDescribed ? {} : { standard_name: axis, units: DEGREES[axis] }
  if (values.kind !== 'timestamp' && values.kind !== 'date') return {}
  const units = `${GRID_UNITS[unit] ?? 'days'} since 1970-01-01T00:00:00Z`
  return { calendar: 'gregorian', ...(!isDescribed && { standard_name: 'time' }), units }
}

/** The bytes that are copied into the memory of the library at once. */
const WRITTEN_BYTES = 8 << 20

/** Writes the values of a box of a variable, whose values have `width` bytes. Calls nothing of the core, so they may lie there. */
function writeBox(
  { memory, write }: Pick<Nc4File, 'memory' | 'write'>,
  { variable, width }: { readonly variable: number; readonly width: number },
  box: Box,
  values: Uint8Array,
): void {
  if (values.length === 0) return
  const pointer = memory.allocate(Math.min(values.length, Math.max(WRITTEN_BYTES, width)))
  try {
    let at = 0
    for (const part of cutBox(box, WRITTEN_BYTES / width)) {
      const end = at + elementsOf(part) * width
      memory.heap().set(values.subarray(at, end), pointer)
      write(variable, part.origin, part.extent, pointer)
      at = end
    }
  } finally {
    memory.free(pointer)
  }
}
