import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import t from 'tap'
import type { OffsetSpans } from '../../src/plan/zones/offset-spans.ts'
import { findZone, unknownZone } from '../../src/plan/zones/zones.ts'
import { fc } from '../support/generate.ts'

/** What Python's zoneinfo says (scripts/make-zone-fixtures.py). */
const FIXTURE: {
  readonly version: string
  readonly from: number
  readonly to: number
  /** The number of spans of each zone, and the CRC-32 of their text. */
  readonly zones: Readonly<Record<string, readonly [count: number, crc: number]>>
  readonly localTimes: readonly (readonly [zone: string, local: number, instant: number])[]
} = JSON.parse(readFileSync(new URL('../fixtures/zones.json', import.meta.url), 'utf8'))

/** Versions of the database differ in a few zones. */
const isSameVersion = process.versions.tz === FIXTURE.version
const LEAST_EQUAL = 0.9

function zoneOf(name: string): OffsetSpans {
  const zone = findZone(name)
  if (zone === null) throw new Error(`no zone ${name}`)
  return zone
}

/** The begin and the offset of each span in the fixture's years. */
function spansIn(zone: OffsetSpans): readonly (readonly [from: number, offset: number])[] {
  const spans: [number, number][] = []
  for (let at = FIXTURE.from; at < FIXTURE.to; ) {
    const { to, offset } = zone.atInstant(at)
    if (spans.at(-1)?.[1] !== offset) spans.push([at, offset])
    at = to
  }
  return spans
}

t.test('each zone changes its offset when zoneinfo says so, from 1800 to 2200', async (t) => {
  const entries = Object.entries(FIXTURE.zones)
  t.ok(entries.length > 400)
  const others = entries.filter(([name, [count, crc]]) => {
    const spans = spansIn(zoneOf(name))
    return spans.length !== count || crc32(spans.map((each) => each.join(':')).join(';')) !== crc
  })
  if (isSameVersion) t.same(others, [])
  else t.ok(others.length < (1 - LEAST_EQUAL) * entries.length, String(others))
})

t.test('local times that clocks skip or repeat are the instants that zoneinfo gives', async (t) => {
  const others = FIXTURE.localTimes.filter(
    ([name, local, instant]) => local - zoneOf(name).atLocal(local, 'last').offset !== instant,
  )
  if (isSameVersion) t.same(others, [])
  else t.ok(others.length < (1 - LEAST_EQUAL) * FIXTURE.localTimes.length, String(others))
})

const ANY_ZONE = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), '+02:00', 'UTC-11:30')
/** The seconds of a TIMESTAMP: the years -290 307 to 294 246. */
const ANY_SECOND = fc.oneof(
  fc.integer({ min: -5_500_000_000, max: 5_500_000_000 }),
  fc.integer({ min: -9_223_372_000_000, max: 9_223_372_000_000 }),
)

/** The offset that ECMA-402 prints for an instant. */
function printedOffset(zone: string, second: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    era: 'short',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' },
  })
  const parts = Object.fromEntries(
    format.formatToParts(second * 1_000).map(({ type, value }) => [type, value]),
  )
  const year = parts['era'] === 'BC' ? 1 - Number(parts['year']) : Number(parts['year'])
  const local = new Date(0)
  local.setUTCFullYear(year, Number(parts['month']) - 1, Number(parts['day']))
  local.setUTCHours(Number(parts['hour']), Number(parts['minute']), Number(parts['second']))
  return local.getTime() / 1_000 - second
}

t.test('any instant has the offset that Intl prints, also where the years repeat', async () => {
  const seconds = fc.oneof(
    fc.integer({ min: -12_000_000_000, max: 12_000_000_000 }),
    fc.integer({ min: 0, max: 8_000_000_000_000 }),
  )
  fc.assert(
    fc.property(fc.constantFrom(...Intl.supportedValuesOf('timeZone')), seconds, (name, second) => {
      return zoneOf(name).atInstant(second).offset === printedOffset(name, second)
    }),
    { numRuns: 300 },
  )
})

t.test('spans have the times that they are given for, and there and back is the same', async () => {
  fc.assert(
    fc.property(ANY_ZONE, ANY_SECOND, (name, second) => {
      const zone = zoneOf(name)
      const span = zone.atInstant(second)
      if (!(span.from <= second && second < span.to)) return false
      const local = second + span.offset
      const [first, last] = (['first', 'last'] as const).map((each) => zone.atLocal(local, each))
      if (first === undefined || last === undefined) return false
      const isInside = [first, last].every(({ from, to }) => from <= local && local < to)
      // One of both occurrences is the instant, and the last is not before the first.
      const instants = [local - first.offset, local - last.offset]
      return isInside && instants.includes(second) && (instants[0] ?? 0) <= (instants[1] ?? 0)
    }),
    { numRuns: 500 },
  )
})

t.test('zones are found in any case and by their offset, and others by nothing', async (t) => {
  t.equal(zoneOf('europe/PARIS').atInstant(0).offset, 3_600)
  for (const [name, offset] of [
    ...(['+02:00', 'UTC+2', 'gmt+02', '+0200'] as const).map((name) => [name, 7_200] as const),
    ['-05:30', -19_800],
    ['GMT-11:30', -41_400],
    ['+00:00:01', 1],
    ['UTC', 0],
    ['Etc/GMT+5', -18_000],
  ] as const) {
    t.equal(findZone(name)?.atInstant(1e9).offset, offset, name)
    t.equal(findZone(name)?.atLocal(-1e11, 'first').offset, offset, name)
  }
  for (const name of ['', 'Z', '+24:00', '+1:2', 'Europe', 'Europe/Paris ', '+02:60', 'a'.repeat(1e6), '\0'])
    t.equal(findZone(name), null, name.slice(0, 20))
  t.match(unknownZone('Europe/Pariss'), /"Europe\/Pariss".*"Europe\/Paris"/)
  t.ok(unknownZone('a'.repeat(1e6)).length < 300)
})
