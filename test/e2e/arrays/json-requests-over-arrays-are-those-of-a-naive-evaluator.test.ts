import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { grids, type MadeGrid, rowsOf, withoutNan } from '../../arrays/made-grid.ts'
import { namedInJson } from '../../arrays/named-columns.ts'
import { classicFile, LIBRARIES, writeHdf5 } from '../../arrays/write-grid.ts'
import { layouts, writeZarrGrid } from '../../arrays/write-zarr-grid.ts'
import { columnValues, type Value } from '../../formats/values.ts'
import { toValue } from '../../query/arrow-table.ts'
import { keysOf, queriesOver } from '../../query/generated/generators.ts'
import { evaluate } from '../../query/generated/oracle.ts'
import { fc } from '../../support/generate.ts'
import { startTestService } from '../service.ts'
import { SERVICES } from './services.ts'

type Json = Readonly<Record<string, unknown>>

/** A request over all columns of a grid, or over those that some dimensions keep. */
interface Asked {
  readonly request: Json
  /** Names. Null: none are given. */
  readonly dimensions: readonly string[] | null
}

/** The arrays of some dimensions alone. The attributes of the others are columns all the same. */
function within(grid: MadeGrid, dimensions: readonly string[] | null): MadeGrid {
  if (dimensions === null) return grid
  const isAsked = (index: number): boolean => dimensions.includes(grid.dimensions[index]?.name ?? '')
  return { ...grid, dropped: grid.arrays.filter((each) => !each.dimensions.every(isAsked)) }
}

function requests(grid: MadeGrid): fc.Arbitrary<Asked> {
  const names = grid.dimensions.map(({ name }) => name)
  return fc.option(fc.shuffledSubarray(names, { minLength: 1 }), { freq: 3 }).chain((dimensions) => {
    const table = rowsOf(within(grid, dimensions), null)
    return fc.boolean().chain((withPatterns) =>
      queriesOver(table, withPatterns).chain(({ request }) => {
        const outputs = request.select.map((each) => (typeof each === 'string' ? each : each.alias))
        const { key, some } = keysOf(outputs, table)
        return fc
          .record({
            sort_by: fc.option(fc.array(key, { maxLength: 3 })),
            distinct: fc.option(fc.record({ on: some, select: some }), { nil: undefined, freq: 3 }),
            offset: fc.option(fc.integer({ min: 0, max: 4 })),
            isFiltered: fc.boolean(),
          })
          .map(({ sort_by, distinct, offset, isFiltered }): Asked => {
            const filters = isFiltered ? {} : { filter: null, filters: null }
            const given = { ...request, ...filters, sort_by, offset, ...(distinct && { distinct }) }
            return { request: given, dimensions }
          })
      }),
    )
  })
}

const cases = grids.chain((grid) =>
  fc.record({
    grid: fc.constant(grid),
    asked: fc.array(requests(grid), { minLength: 8, maxLength: 8 }),
    library: fc.constantFrom(...LIBRARIES),
    hasRecords: fc.boolean(),
    isNanValue: fc.boolean(),
    layout: layouts,
  }),
)

/** The files that each grid is written to. */
const FILES = {
  'classic.nc': { format: 'netcdf', isChunked: false },
  'chunks.h5': { format: 'hdf5', isChunked: true },
  'store.zarr': { format: 'zarr', isChunked: true, isJson: true },
} as const

/** DuckDB returns 0.0 for −0.0 in columns by which rows are distinct; they are equal. */
function distinctValue(value: Value): Value {
  return value === '-0' ? '0' : value
}

for (const [name, options] of Object.entries(SERVICES))
  t.test(name, async (t) => {
    const { datasets, rows } = await startTestService(t, options)
    let count = 0
    const seen = { rows: 0, sorted: 0, distinct: 0, chosen: 0 }
    const property = fc.asyncProperty(cases, async (made) => {
      const { grid, asked, library, hasRecords, layout, isNanValue } = made
      const folder = `case-${count++}`
      mkdirSync(join(datasets, folder))
      writeFileSync(join(datasets, folder, 'classic.nc'), classicFile(grid, hasRecords))
      await writeHdf5(join(datasets, folder, 'chunks.h5'), grid, library)
      writeZarrGrid(join(datasets, folder, 'store.zarr'), grid, layout)
      for (const each of asked)
        for (const [file, options] of Object.entries(FILES))
          await compare(each, grid, `${folder}/${file}`, { ...options, isNanValue })
    })

    async function compare(
      { request, dimensions }: Asked,
      grid: MadeGrid,
      path: string,
      options: (typeof FILES)[keyof typeof FILES] & { readonly isNanValue: boolean },
    ): Promise<void> {
      const names = namedInJson(request)
      const read = options.isNanValue ? grid : withoutNan(grid)
      const table = rowsOf(within(read, dimensions), names, options)
      const json = JSON.stringify(request)
      const { rows: places, columns } = evaluate(json, table)
      const expected = places.map((row) =>
        columns.map(({ cell, type }) => distinctValue(toValue(cell(row), type))),
      )
      const nan = options.isNanValue ? { nan: 'value' } : {}
      const source = { [options.format]: { paths: [path], ...(dimensions && { dimensions }), ...nan } }
      const found = columnValues(await rows({ ...request, from: source }))
      const values = Array.from({ length: found[0]?.length ?? 0 }, (_, row) =>
        found.map((column) => distinctValue(column[row] ?? null)),
      )
      assert.deepEqual(values, expected, `${json} over ${JSON.stringify(source)}`)
      seen.rows += places.length
      if (request['sort_by']) seen.sorted += places.length
      if (request['distinct']) seen.distinct += places.length
      if (dimensions) seen.chosen += places.length
    }

    await fc.assert(property, { numRuns: 16, endOnFailure: true })
    t.ok(seen.sorted > 20 && seen.distinct > 10 && seen.chosen > 10 && seen.rows > 80, JSON.stringify(seen))
  })
