import { isDeepStrictEqual } from 'node:util'
import type { Test } from 'tap'
import { columnsAlong, faultOfGrid, type Grid } from '../../src/plan/source/grid.ts'
import type { BoxRange } from '../../src/plan/source/range.ts'
import type { OpenFile, ReadContext } from '../../src/workers/formats/provider.ts'
import type { Store } from '../../src/workers/store/store.ts'
import { layoutOf, wholeGrid } from './segments.ts'
import { scalarsIn, statisticsConform } from './statistics-conform.ts'
import { readSegment, type Value } from './values.ts'

interface GridCase {
  readonly file: OpenFile
  readonly source: Store
  /** Of all columns. */
  readonly grid: Grid
  /** All rows in C order, column by column. */
  readonly columns: readonly (readonly Value[])[]
  readonly names: readonly string[]
  readonly random: (below: number) => number
  readonly context: ReadContext
}

/** Whether each so many neighbouring values are equal. */
function areShared(values: readonly Value[], each: number): boolean {
  return values.every((value, row) => isDeepStrictEqual(value, values[row - (row % each)]))
}

/** What a provider of arrays promises besides. */
export function gridConforms(
  t: Test,
  { file, source, grid, columns, names, random, context }: GridCase,
): void {
  const { shape, axes } = grid
  t.equal(faultOfGrid(grid), null, 'the grid is sound')
  t.equal(grid.decodedBytes.length, names.length, 'estimates sizes')
  t.ok(grid.decodedBytes.every((each) => Number.isFinite(each) && each >= 0))
  const shared = grid.sharedAxes ?? names.map(() => 0)
  t.equal(shared.length, names.length, 'says which values rows share')
  for (const [index, count] of shared.entries())
    t.ok(
      areShared(
        columns[index] ?? [],
        shape.slice(shape.length - count).reduce((all, each) => all * each, 1),
      ),
      `${names[index]} has one value along the last ${count} axes`,
    )

  for (let round = 0; round < 16; round++) {
    const box = randomBox(grid, random)
    const wanted = file.schema.fields.filter(() => random(2) === 0).toSorted(() => random(3) - 1)
    const cells = cellsOf(box, shape)
    t.strictSame(
      readSegment(file, source, box, wanted, context).values,
      wanted.map(({ name }) => cells.map((cell) => columns[names.indexOf(name)]?.[cell])),
      `the box of ${box.extent} from ${box.origin}, in any order of columns, is that of the whole`,
    )
  }

  const known = axes.flatMap((axis, place) => columnsAlong(axis).map((each) => ({ ...axis, ...each, place })))
  for (const { place, column, block, statistics, dimension } of known) {
    const field = file.schema.fields.find(({ name }) => name === column)
    if (field === undefined) continue
    const along = { kind: 'box', dimensions: [dimension], origin: [0], extent: [shape[place] ?? 0] } as const
    const values = scalarsIn(file, source, along, field, context) ?? []
    t.equal(values.length, shape[place], `${column} has a value for each index of its axis`)
    for (const [index, told] of statistics.entries())
      statisticsConform(t, field.name, told, values.slice(index * block, (index + 1) * block))
  }

  for (const { name } of file.schema.fields) {
    const own = layoutOf(file, [name], source, context)
    if (own.kind !== 'grid') throw new TypeError('rows of one column that are no grid')
    const [field] = file.schema.fields.filter((each) => each.name === name)
    const alone = readSegment(file, source, wholeGrid(own), field ? [field] : [], context)
    const cells = own.shape.reduce((all, each) => all * each, 1)
    t.equal(alone.rows, cells, `${name} alone has the rows of its own axes`)
    t.ok(
      own.axes.every((each) => axes.some(({ dimension }) => dimension === each.dimension)),
      'which are among those of all',
    )
  }
}

function randomBox({ shape, axes }: Grid, random: (below: number) => number): BoxRange {
  const origin = shape.map((size) => random(Math.max(1, size)))
  return {
    kind: 'box',
    dimensions: axes.map(({ dimension }) => dimension),
    origin,
    extent: shape.map((size, place) => Math.min(size, 1 + random(Math.max(1, size - (origin[place] ?? 0))))),
  }
}

/** Places in the whole grid of the cells of a box, in C order. */
function cellsOf({ origin, extent }: BoxRange, shape: readonly number[]): number[] {
  return extent.reduce<number[]>(
    (places, length, axis) =>
      places.flatMap((place) =>
        Array.from({ length }, (_, index) => place * (shape[axis] ?? 1) + (origin[axis] ?? 0) + index),
      ),
    [0],
  )
}
