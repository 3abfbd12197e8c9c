import t from 'tap'
import { createStationOrder, type RunBorders } from '../../../src/main/output/files/odv/order-stations.ts'
import {
  CHANGED,
  type FeatureType,
  featureType,
  fileOf,
  type RowIdentity,
  type RunStations,
} from '../../../src/plan/output/odv-stations.ts'
import {
  kindsOf,
  profileNumbers,
  rowNumbers,
  stationsOf,
} from '../../../src/workers/writers/odv/station-runs.ts'
import { fc } from '../../support/generate.ts'

interface Row extends RowIdentity {
  readonly word: string | null
}

/** Rows as they are once they are sorted, with few distinct values, so that stations are long and of all kinds. */
const few = fc.constantFrom('0', '0', '0', '1')
const row = fc.record({
  key: fc.constantFrom('a', 'a', 'a', 'b'),
  position: few,
  time: few,
  depth: few,
  word: fc.constantFrom(null, null, 'profile', 'trajectoryProfile', 'timeSeriesProfile', 'other'),
})
const rowsInRuns = fc.array(fc.array(row, { minLength: 1, maxLength: 12 }), { maxLength: 12 })

/** Where a row belongs: its file, its number in a trajectory, and the number of its profile. */
type Place = readonly [file: number, number: number, profile: number | null]

t.test('rows belong to the same station, however they are cut into runs', async (t) => {
  const property = fc.property(rowsInRuns, (runs) => {
    t.strictSame(placesInRuns(runs), placesOfAll(runs.flat()))
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test('a run waits only for a station whose kind may change', async (t) => {
  const order = createStationOrder()
  const known = (key: string, time: string, depth: string, word: string | null) =>
    order.add(told([{ key, position: time, time, depth, word }])).length
  t.equal(known('a', '0', '0', null), 0)
  t.equal(known('a', '1', '0', null), 0)
  t.equal(known('a', '2', '1', null), 3, 'all have changed')
  t.equal(known('a', '2', '1', null), 1)
  t.equal(known('b', '2', '1', 'trajectory'), 1, 'its first row says what it is')
  t.equal(known('b', '2', '1', null), 1)
  t.equal(known('c', '2', '1', null), 0)
  t.equal(known('d', '2', '1', null), 1)
  t.same(order.rest(), [{ head: null, tail: 'profile' }])
})

function placesInRuns(runs: readonly (readonly Row[])[]): Place[] {
  const order = createStationOrder()
  const borders: RunBorders[] = []
  for (const rows of runs) borders.push(...order.add(told(rows)))
  borders.push(...order.rest())
  if (borders.length !== runs.length) throw new RangeError(`${borders.length} of ${runs.length} runs`)
  return runs.flatMap((rows, index) => placed(rows, borders[index] ?? { head: null, tail: null }))
}

/** Where the rows of a run belong. */
function placed(rows: readonly Row[], borders: RunBorders): Place[] {
  const changes = changesOf(rows)
  const stations = kindsOf(stationsOf(changes, named(rows)), borders)
  const numbers = rowNumbers(stations, rows.length)
  const profiles = profileNumbers(stations, changes)
  return stations.flatMap(({ station, kind }) =>
    rows.slice(station.from, station.to).map((_, index): Place => {
      const row = station.from + index
      const isKnown = profiles !== null && ((profiles.validity[row >> 3] ?? 0) & (1 << (row & 7))) !== 0
      return [fileOf(kind), numbers?.[row] ?? 1, isKnown ? (profiles.numbers[row] ?? -1) : null]
    }),
  )
}

/** The same, by the words of docs/reference/odv.md and from all rows at once. */
function placesOfAll(rows: readonly Row[]): Place[] {
  const places: Place[] = []
  for (let from = 0; from < rows.length; ) {
    let to = from
    while (to < rows.length && rows[to]?.key === rows[from]?.key) to++
    const station = rows.slice(from, to)
    const word = featureType(station[0]?.word ?? null)
    const changes = (of: keyof RowIdentity) => new Set(station.map((each) => each[of])).size > 1
    const [position, time, depth] = [changes('position'), changes('time'), changes('depth')]
    const byChanges = !time ? 0 : depth ? (position ? 3 : 0) : position ? 2 : 1
    const files = { profile: 0, timeSeries: 1, trajectory: 2, trajectoryProfile: 0, timeSeriesProfile: 0 }
    const file = word === null ? byChanges : files[word]
    let profile = 0
    for (const [index, each] of station.entries()) {
      const before = station[index - 1] ?? each
      const isOther =
        each.time !== before.time || (word === 'trajectoryProfile' && each.position !== before.position)
      if (isOther) profile++
      const isSeries = word === 'trajectoryProfile' || word === 'timeSeriesProfile'
      places.push([file, file === 2 ? index + 1 : 1, isSeries ? profile : null])
    }
    from = to
  }
  return places
}

/** What a worker tells of a run. */
function told(rows: readonly Row[]): RunStations {
  const stations = stationsOf(changesOf(rows), named(rows))
  const [first, last, head] = [rows.at(0), rows.at(-1), stations.at(0)]
  if (first === undefined || last === undefined || head === undefined) throw new RangeError('no rows')
  return { batches: [], first, last, head, tail: stations.length > 1 ? (stations.at(-1) ?? null) : null }
}

function named(rows: readonly Row[]): (row: number) => FeatureType | null {
  return (row) => featureType(rows[row]?.word ?? null)
}

function changesOf(rows: readonly Row[]): Uint8Array {
  return Uint8Array.from(rows, (each, index) => {
    const before = rows[index - 1] ?? each
    return Object.entries(CHANGED).reduce(
      (bits, [key, bit]) =>
        bits | (each[key as keyof RowIdentity] === before[key as keyof RowIdentity] ? 0 : bit),
      0,
    )
  })
}
