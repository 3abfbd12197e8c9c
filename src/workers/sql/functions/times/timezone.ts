import { ServiceError } from '../../../../plan/errors.ts'
import type { OffsetSpan } from '../../../../plan/zones/offset-spans.ts'
import { findZone, unknownZone } from '../../../../plan/zones/zones.ts'
import { castArguments } from '../../../../wasm/duckdb/catalog/cast-arguments.ts'
import type { FunctionCatalog } from '../../../../wasm/duckdb/catalog/function-catalog.ts'
import type { Overload } from '../../../../wasm/duckdb/catalog/overload.ts'
import {
  addScalarCode,
  hasValue,
  type ScalarVector,
  setNull,
} from '../../../../wasm/duckdb/catalog/scalar-code.ts'
import { argumentVector } from '../../../../wasm/duckdb/functions/argument-vector.ts'
import type { Duck } from '../../../../wasm/duckdb/instance.ts'
import {
  type Direction,
  MICROSECONDS,
  NANOSECONDS,
  type ShiftedZone,
  shiftTime,
  type TimeUnit,
} from './zone-shift.ts'

/**
 * Gives `timezone(zone, time)`, which `time AT TIME ZONE zone` calls, code for each zone that ECMA-402 knows. Of a time without a zone, which
 * is local there, it makes one with a zone, and the other way round. Throws `internal`.
 */
export function addTimezone(duck: Duck, catalog: FunctionCatalog): void {
  const find = (name: string, parameters: string): Overload => {
    const overloads = catalog.overloads('scalar', name)
    const match = overloads.find((overload) => overload.parameters.join() === parameters)
    if (match === undefined) throw new ServiceError('internal', `DuckDB has no ${name}(${parameters})`)
    return match
  }
  // A function that gives null for null, the same for the same, and may fail.
  const like = find('date_trunc', 'varchar,timestamp')
  const ofLocal = find('timezone', 'varchar,timestamp')
  const ofZoned = find('timezone', 'varchar,timestamp_tz')
  const toUtc = shiftTimes(duck, 'to UTC', MICROSECONDS)
  const cast = castArguments(duck, ['varchar', 'timestamp'])
  catalog.register('timezone', [
    { of: ofLocal, like, bind: 0, code: toUtc },
    // DuckDB would cast these to nanoseconds, where few years have room.
    ...(['date', 'timestamp_s', 'timestamp_ms'] as const).map((type) => ({
      ...{ of: ofLocal, parameters: ['varchar', type] as const, like, bind: cast, code: toUtc },
    })),
    { of: ofZoned, like, bind: 0, code: shiftTimes(duck, 'to local', MICROSECONDS) },
    { of: find('timezone', 'varchar,time_tz'), like, bind: 0, code: turnTimes(duck) },
    {
      ...{ of: ofLocal, parameters: ['varchar', 'timestamp_ns'], returns: 'timestamptz_ns' },
      ...{ like, bind: 0, code: shiftTimes(duck, 'to UTC', NANOSECONDS) },
    },
    {
      ...{ of: ofZoned, parameters: ['varchar', 'timestamptz_ns'], returns: 'timestamp_ns' },
      ...{ like, bind: 0, code: shiftTimes(duck, 'to local', NANOSECONDS) },
    },
  ])
}

/** Code that moves each time by the offset of its zone. */
function shiftTimes(duck: Duck, direction: Direction, unit: TimeUnit): number {
  return perZone(duck, (words, from, to, zone) => shiftTime(words, from, to, zone, direction, unit))
}

/** Code that gives each time of day with an offset that of its zone now. */
function turnTimes(duck: Duck): number {
  return perZone(duck, (words, from, to, zone) => {
    const now = zone.zone.atInstant(Math.floor(Date.now() / 1_000)).offset
    const time = (BigInt(words[from + 1] ?? 0) << 32n) | BigInt(words[from] ?? 0)
    const offset = MOST_OFFSET - Number(time & 0xff_ffffn)
    const day = BigInt(now - offset) * 1_000_000n + (time >> 24n)
    const turned = ((day % DAY_US) + DAY_US) % DAY_US
    const result = (turned << 24n) | BigInt(MOST_OFFSET - now)
    words[to] = Number(result & 0xffff_ffffn)
    words[to + 1] = Number(result >> 32n)
  })
}

/** A TIMETZ is the microseconds of the local time, and behind them in 24 bits the difference of its offset from this one, in seconds. */
const MOST_OFFSET = 16 * 3_600 - 1
const DAY_US = 86_400_000_000n

/** Makes the 64-bit value at index `to` of that at `from`, which are indexes of words, in a zone. */
type Move = (words: Uint32Array, from: number, to: number, zone: ShiftedZone) => void

/** Code for a function of a zone and a value of 64 bits. Rows in which one of both is null have null. */
function perZone(duck: Duck, move: Move): number {
  const { api, memory } = duck
  const zones = createZones(duck)
  return addScalarCode(duck, 2, ({ rows, parameters: [names, values], result }) => {
    if (names === undefined || values === undefined) return
    const to = api.duckdb_vector_get_data(result) >>> 2
    const from = values.data >>> 2
    const step = values.isConstant ? 0 : 2
    const zoneAt = zones(names)
    let words = memory.views().u32
    for (let row = 0; row < rows; row++) {
      if (hasValue(words, names, row) && hasValue(words, values, row))
        move(words, from + step * row, to + 2 * row, zoneAt(row))
      else {
        setNull(duck, result, row)
        words = memory.views().u32
      }
    }
  })
}

const NO_SPAN: OffsetSpan = Object.freeze({ from: 0, to: 0, offset: 0 })

/** Bytes of a text in a vector: its length, and the text itself or its address. */
const TEXT_WORDS = 4

/** The most zones of a vector that are known by where their names are. */
const MOST_RECENT = 16

/** A reader of the zones of a vector of names. Names that are those of rows before are not looked up again. */
function createZones(duck: Duck): (names: ScalarVector) => (row: number) => ShiftedZone {
  return (names) => {
    const { text } = argumentVector(duck, names.vector)
    const words = duck.memory.views().u32
    const first = names.data >>> 2
    const byName = new Map<string, ShiftedZone>()
    const recent: { readonly at: number; readonly zone: ShiftedZone }[] = []
    return (row) => {
      const at = names.isConstant ? first : first + TEXT_WORDS * row
      for (const { at: other, zone } of recent) if (isSameText(words, at, other)) return zone
      const name = text(names.isConstant ? 0 : row)
      const zone = byName.get(name) ?? openZone(name)
      byName.set(name, zone)
      if (recent.length < MOST_RECENT) recent.push({ at, zone })
      return zone
    }
  }
}

/** Whether two texts in a vector are known to be equal: short ones with the same bytes, or long ones at the same address. */
function isSameText(words: Uint32Array, one: number, other: number): boolean {
  return (
    words[one] === words[other] &&
    words[one + 1] === words[other + 1] &&
    words[one + 2] === words[other + 2] &&
    words[one + 3] === words[other + 3]
  )
}

function openZone(name: string): ShiftedZone {
  const zone = findZone(name)
  if (zone === null) throw new ServiceError('invalid_sql', unknownZone(name))
  return { zone, last: NO_SPAN }
}
