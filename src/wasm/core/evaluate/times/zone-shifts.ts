import { isZonedTime } from '../../../../plan/kernels/calendar.ts'
import { createLru } from '../../../../plan/lru.ts'
import { REPEATED_SECONDS, REPEATING_FROM } from '../../../../plan/zones/offset-spans.ts'
import { findZone, unknownZone } from '../../../../plan/zones/zones.ts'
import type { Emit } from '../emitter.ts'
import { zoneOutOfRange } from '../failures.ts'

type Direction = 'to local' | 'to UTC'
type Unit = 'microsecond' | 'nanosecond'

const PER_SECOND = Object.freeze({ microsecond: 1_000_000n, nanosecond: 1_000_000_000n })
/** The numbers of units in `src/evaluate/kernels/zones.rs`. */
const UNITS: readonly Unit[] = ['microsecond', 'nanosecond']

const [LEAST, GREATEST] = [-(2n ** 63n), 2n ** 63n - 1n]

/** Tables by their direction, unit and zone. One takes some 20 KB, and a service asks for few at a time. */
const tables = createLru<Uint8Array>(64)

/** The offsets of a zone as the core reads them. Throws `TypeError` for a zone that there is not. */
function tableOf(name: string, direction: Direction, unit: Unit): Uint8Array {
  const key = `${direction} ${unit} ${name}`
  const table = tables.get(key) ?? writeTable(name, direction, unit)
  tables.put(key, table)
  return table
}

/**
 * Numbers of 64 bits, in a unit: where spans begin to repeat and after how much they do, which is 0 if they do not, and of each span its
 * begin and what is added to a time in it.
 */
function writeTable(name: string, direction: Direction, unit: Unit): Uint8Array {
  const zone = findZone(name)
  if (zone === null) throw new TypeError(unknownZone(name))
  const perSecond = PER_SECOND[unit]
  const spans: bigint[] = []
  const end = REPEATING_FROM + REPEATED_SECONDS
  let last: number | null = null
  for (let second = Number.NEGATIVE_INFINITY; second < end; ) {
    const { to, offset } = direction === 'to local' ? zone.atInstant(second) : zone.atLocal(second, 'last')
    const begin = second === Number.NEGATIVE_INFINITY ? LEAST : BigInt(second) * perSecond
    // Times in nanoseconds end before the spans do.
    if (begin > GREATEST) break
    if (offset !== last) spans.push(begin, BigInt(direction === 'to local' ? offset : -offset) * perSecond)
    last = offset
    second = to
  }
  const repeats = unit === 'microsecond'
  const numbers = [
    repeats ? BigInt(REPEATING_FROM) * perSecond : GREATEST,
    repeats ? BigInt(REPEATED_SECONDS) * perSecond : 0n,
    ...spans,
  ]
  return new Uint8Array(BigInt64Array.from(numbers).buffer)
}

/** A time with a zone as the local time in another zone, or a local time as one with a zone. */
const shifted: Emit = (emitter, args, _, types) => {
  const [zone, time] = args
  const type = types[1]
  if (zone === undefined || time === undefined || type?.kind !== 'timestamp')
    throw new TypeError('timezone of what is no time')
  const unit: Unit = type.unit === 'nanosecond' ? 'nanosecond' : 'microsecond'
  const value = tableOf(emitter.textOf(zone(emitter)), isZonedTime(type) ? 'to local' : 'to UTC', unit)
  const table = emitter.constant('text', { kind: 'bytes', value })
  return emitter.operate('shift_zone', [time(emitter), table, UNITS.indexOf(unit)], {
    tellFailure: zoneOutOfRange(unit === 'nanosecond' ? 'TIMESTAMP_NS' : 'TIMESTAMP'),
  })
}

/** What is written for the kernel of time zones (`src/plan/kernels/time-kernels.ts`). */
export const EMITTED_ZONES: readonly (readonly [name: string, emit: Emit])[] = [['timezone', shifted]]
