import t from 'tap'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../../src/workers/formats/arrays/array-provider.ts'
import { placesIn, runsOf } from '../../../src/workers/formats/arrays/ragged/index-runs.ts'
import { netcdf3 } from '../../../src/workers/formats/netcdf3/netcdf3.ts'
import { readContext } from '../../formats/context.ts'
import { wholeGrid } from '../../formats/segments.ts'
import { memorySource } from '../../formats/source.ts'
import { readSegment, type Value } from '../../formats/values.ts'
import { fc } from '../../support/generate.ts'
import { type RaggedVariable, writeRagged } from './write-ragged.ts'

const context = readContext(createCore({ maximumBytes: 1 << 26 }))

/** Casts with the number of observations of each along two sample dimensions, and the index of a station. */
const CASTS = fc.array(
  fc.record({ a: fc.nat({ max: 5 }), b: fc.nat({ max: 5 }), station: fc.integer({ min: -2, max: 4 }) }),
  { minLength: 1, maxLength: 12 },
)
const STATIONS = 3

t.test('contiguous arrays, in whole and in parts', async (t) => {
  fc.assert(
    fc.property(CASTS, fc.nat(), fc.nat(), fc.boolean(), (casts, first, last, hasTwo) => {
      const sum = (of: 'a' | 'b'): number => casts.reduce((all, cast) => all + cast[of], 0)
      const upTo = (size: number): number[] => Array.from({ length: size }, (_, index) => index)
      // Room for one more, as an empty dimension would be the unlimited one.
      const sizes = { a: sum('a') + 1, b: sum('b') + 1 }
      const variables: RaggedVariable[] = [
        { name: 'cast', dimensions: ['cast'], values: upTo(casts.length) },
        { name: 'height', dimensions: ['station'], values: [7, 8, 9] },
        { name: 'once', dimensions: [], values: [5] },
        { name: 'va', dimensions: ['a'], values: upTo(sizes.a) },
        {
          name: 'which',
          dimensions: ['cast'],
          values: casts.map(({ station }) => station),
          attributes: { instance_dimension: 'station' },
        },
        ...(['a', 'b'] as const).slice(0, hasTwo ? 2 : 1).map((of) => ({
          name: `of_${of}`,
          dimensions: ['cast'],
          values: casts.map((cast) => cast[of]),
          attributes: { sample_dimension: of },
        })),
      ]
      if (hasTwo) variables.push({ name: 'vb', dimensions: ['b'], values: upTo(sizes.b) })
      const bytes = writeRagged({ cast: casts.length, station: STATIONS, ...sizes }, variables)
      const expected = oracle(casts, hasTwo)
      const read = rowsOf(bytes, first, last)
      const part = expected.slice(read.from, read.to)
      for (const [name, of] of Object.entries(read.columns))
        t.same(
          of,
          part.map((row) => row[name]),
          name,
        )
      t.equal(read.rows, expected.length)
    }),
    { numRuns: 60 },
  )
  t.equal(context.core.usedBytes(), 0)
})

/** The rows, by the definition: those of one cast after the other, as many as the longest count of each. */
function oracle(
  casts: readonly { readonly a: number; readonly b: number; readonly station: number }[],
  hasTwo: boolean,
): readonly Readonly<Record<string, number | null>>[] {
  let [a, b] = [0, 0]
  return casts.flatMap((cast, index) => {
    const rows = Array.from({ length: Math.max(cast.a, hasTwo ? cast.b : 0) }, (_, nth) => ({
      cast: index,
      height: [7, 8, 9][cast.station] ?? null,
      once: 5,
      va: nth < cast.a ? a + nth : null,
      vb: nth < cast.b ? b + nth : null,
    }))
    a += cast.a
    b += cast.b
    return rows
  })
}

/** The columns of a part of the rows of a file, and the number of all. */
function rowsOf(
  bytes: Buffer,
  first: number,
  last: number,
): { from: number; to: number; rows: number; columns: Record<string, Value[]> } {
  const store = memorySource(bytes)
  const file = createArrayProvider(netcdf3, { dimensions: null }).open(store, context)
  const grid = file.segments([], store, context)
  if (grid.kind !== 'grid') throw new TypeError('no grid')
  const rows = grid.shape[0] ?? -1
  const [from = 0, to = 0] = [first % (rows + 1), last % (rows + 1)].toSorted((a, b) => a - b)
  const fields = file.schema.fields.filter(({ name }) => !name.includes('.'))
  const range = { ...wholeGrid(grid), origin: [from], extent: [to - from] }
  const { values } = readSegment(file, store, range, fields, context)
  return {
    from,
    to,
    rows,
    columns: Object.fromEntries(fields.map(({ name }, at) => [name, values[at] ?? []])),
  }
}

t.test('runs have each index once, in order, and few others', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -3, max: 400 }), { maxLength: 60 }), (list) => {
      const indexes = Float64Array.from(list)
      const runs = runsOf(indexes)
      const all = runs.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, each) => from + each))
      t.same(
        all,
        [...new Set(all)].toSorted((a, b) => a - b),
      )
      const placeOf = placesIn(runs)
      for (const index of list) if (index >= 0) t.equal(all[placeOf(index)], index)
      t.ok(all.length <= 16 * new Set(list.filter((each) => each >= 0)).size)
    }),
  )
})
