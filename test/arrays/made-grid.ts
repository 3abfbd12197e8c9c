import type { DataType } from '../../src/plan/types/schema.ts'
import { cells, NAMES } from '../query/generated/generators.ts'
import type { Cell, TestColumn, TestTable } from '../query/table.ts'
import { fc } from '../support/generate.ts'

/** Arrays over some of the dimensions of a file, as a test defines them. */
export interface MadeGrid {
  readonly dimensions: readonly { readonly name: string; readonly size: number }[]
  /** The first one has all dimensions, and a value of its own in each cell. */
  readonly arrays: readonly MadeArray[]
  /** Those that are no columns, because other dimensions are asked for. Their attributes are. */
  readonly dropped?: readonly MadeArray[]
}

export interface MadeArray {
  readonly name: string
  readonly type: DataType
  /** Indexes of the dimensions of the file, in any order. */
  readonly dimensions: readonly number[]
  /** Of each of its dimensions. Null: it is stored in one piece. */
  readonly chunk: readonly number[] | null
  /** Whether its chunks are compressed. */
  readonly isDeflated: boolean
  readonly cells: readonly Cell[]
}

/** Types that files of arrays have. */
const TYPES: readonly DataType[] = [
  ...([8, 16, 32, 64] as const).flatMap((bits): DataType[] => [
    { kind: 'int', bits, signed: true },
    { kind: 'int', bits, signed: false },
  ]),
  { kind: 'float', bits: 32 },
  { kind: 'float', bits: 64 },
  { kind: 'utf8' },
  { kind: 'timestamp', unit: 'nanosecond', zone: null },
]

/** The value that means null. No generated cell has it. */
export function fillOf(type: DataType): Exclude<Cell, null> {
  if (type.kind === 'utf8') return '~'
  return type.kind === 'float' ? 1e10 : 77n
}

/** The units of an array of timestamps. */
export const UNITS = 'nanoseconds since 1970-01-01'

/** The name of no generated column. */
const ID = 'row id'

/** Beyond the value that means null. */
const FIRST_ID = 100n

const NAMES_IN_FILES = NAMES.filter((name) => !/[\n/]|^ | $|^\.+$/.test(name))

export const grids: fc.Arbitrary<MadeGrid> = fc
  .array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 })
  .chain((sizes) => {
    const all = sizes.map((_, index) => index)
    const orders = fc.shuffledSubarray(all, { minLength: all.length })
    const others = fc.uniqueArray(
      fc.tuple(fc.constantFrom(...NAMES_IN_FILES), fc.constantFrom(...TYPES), someOf(all)),
      { selector: ([name]) => name, minLength: 2, maxLength: 6 },
    )
    return fc.tuple(orders, others).chain(([order, others]) => {
      const id = arrayOf(ID, { kind: 'int', bits: 32, signed: true }, order, sizes)
      return fc
        .tuple(id, ...others.map(([name, type, dimensions]) => arrayOf(name, type, dimensions, sizes)))
        .map(([first, ...rest]): MadeGrid => {
          const numbered = { ...first, cells: first.cells.map((_, index) => FIRST_ID + BigInt(index)) }
          const dimensions = sizes.map((size, index) => ({ name: `d${index}`, size }))
          return { dimensions, arrays: [numbered, ...rest] }
        })
    })
  })

/** Coordinates prune, so there are many arrays of one dimension. */
function someOf(dimensions: readonly number[]): fc.Arbitrary<readonly number[]> {
  return fc.oneof(
    fc.constantFrom(...dimensions).map((each) => [each]),
    fc.shuffledSubarray([...dimensions]),
  )
}

function arrayOf(
  name: string,
  type: DataType,
  dimensions: readonly number[],
  sizes: readonly number[],
): fc.Arbitrary<MadeArray> {
  const shape = dimensions.map((each) => sizes[each] ?? 0)
  const chunk = fc.tuple(...shape.map((size) => fc.integer({ min: 1, max: size })))
  return fc.record({
    name: fc.constant(name),
    type: fc.constant(type),
    dimensions: fc.constant(dimensions),
    chunk: dimensions.length === 0 ? fc.constant(null) : fc.option(chunk, { freq: 3 }),
    isDeflated: fc.boolean(),
    cells: cells(
      type,
      shape.reduce((product, size) => product * size, 1),
    ),
  })
}

/**
 * The rows that some columns of a grid have together, as docs/reference/netcdf.md says: in the order of the array that leads, chunk
 * by chunk. `isChunked`: the file has the chunks of the grid. `isJson`: all numbers of attributes are of one type. Null: the rows of no
 * column in particular, which are those of all.
 */
export function rowsOf(
  grid: MadeGrid,
  names: ReadonlySet<string> | null,
  { isChunked = false, isJson = false } = {},
): TestTable {
  const columns = columnsOf(grid, isJson)
  const wanted = names === null || names.size === 0 ? columns : columns.filter(({ name }) => names.has(name))
  const arrays = wanted.flatMap(({ array }) => array ?? [])
  const leader = arrays.reduce<MadeArray | null>(
    (most, each) => (most === null || each.dimensions.length >= most.dimensions.length ? each : most),
    null,
  )
  const axes = [...new Set([leader, ...arrays].flatMap((each) => each?.dimensions ?? []))]
  const sizes = axes.map((axis) => grid.dimensions[axis]?.size ?? 0)
  const chunk = sizes.map((size, place) => (isChunked ? (leader?.chunk?.[place] ?? size) : size))
  const cells = inChunks(sizes, chunk)
  const table = wanted.map(({ name, type, array, constant }): TestColumn => {
    if (array === undefined) return { name, type, cells: cells.map(() => constant ?? null) }
    const places = array.dimensions.map((dimension) => axes.indexOf(dimension))
    const placeOf = (cell: readonly number[]): number =>
      places.reduce((at, place) => at * (sizes[place] ?? 1) + (cell[place] ?? 0), 0)
    return { name, type, cells: cells.map((cell) => array.cells[placeOf(cell)] ?? null) }
  })
  return { rows: cells.length, columns: table }
}

/** The grid as it is read where each NaN is null. */
export function withoutNan(grid: MadeGrid): MadeGrid {
  const arrays = grid.arrays.map((array) => ({
    ...array,
    cells: array.cells.map((cell) => (Number.isNaN(cell) ? null : cell)),
  }))
  return { ...grid, arrays }
}

interface GridColumn {
  readonly name: string
  readonly type: DataType
  readonly array?: MadeArray
  readonly constant?: Cell
}

/** The columns in the order of the bytes of their names: arrays, and the attributes that the writers give them. */
function columnsOf({ arrays, dropped = [] }: MadeGrid, isJson: boolean): readonly GridColumn[] {
  const columns = arrays.flatMap((array): GridColumn[] => {
    const { name, type } = array
    const fill = { name: `${name}._FillValue`, ...(isJson ? inJson(type) : constantFill(type)) }
    const units = { name: `${name}.units`, type: { kind: 'utf8' } as const, constant: UNITS }
    return [
      ...(dropped.includes(array) ? [] : [{ name, type, array }]),
      fill,
      ...(type.kind === 'timestamp' ? [units] : []),
    ]
  })
  const byName = new Map(columns.toReversed().map((each) => [each.name, each]))
  return [...byName.values()].toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
}

function constantFill(type: DataType): Pick<GridColumn, 'type' | 'constant'> {
  return { type: storedType(type), constant: fillOf(type) }
}

function inJson(type: DataType): Pick<GridColumn, 'type' | 'constant'> {
  const fill = fillOf(type)
  if (typeof fill === 'string') return constantFill(type)
  return { type: { kind: 'float', bits: 64 }, constant: Number(fill) }
}

/** The type of the numbers that a column of arrays is made of. */
export function storedType(type: DataType): DataType {
  return type.kind === 'timestamp' ? { kind: 'int', bits: 64, signed: true } : type
}

/** The indexes of all cells, chunk by chunk: chunks in C order, and C order inside of each. */
function inChunks(sizes: readonly number[], chunk: readonly number[]): readonly number[][] {
  const counts = sizes.map((size, axis) => Math.ceil(size / (chunk[axis] ?? 1)))
  return inOrder(counts).flatMap((at) => {
    const origin = at.map((each, axis) => each * (chunk[axis] ?? 1))
    const extent = origin.map((from, axis) => Math.min(chunk[axis] ?? 1, (sizes[axis] ?? 0) - from))
    return inOrder(extent).map((cell) => cell.map((each, axis) => each + (origin[axis] ?? 0)))
  })
}

/** The indexes of all cells in C order. */
export function inOrder(sizes: readonly number[]): number[][] {
  return sizes.reduce<number[][]>(
    (all, size) => all.flatMap((cell) => Array.from({ length: size }, (_, index) => [...cell, index])),
    [[]],
  )
}
