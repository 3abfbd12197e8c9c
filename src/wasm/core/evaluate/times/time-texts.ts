import { isAnyTime, isZonedTime, TIMESTAMP, type TimestampType } from '../../../../plan/kernels/calendar.ts'
import { type DataType, SECOND_DIGITS } from '../../../../plan/types/schema.ts'
import type { Emit, Emitter } from '../emitter.ts'
import { castOfDay } from '../failures.ts'
import type { Value } from '../program.ts'
import { beginningOf, inUnit } from './time-casts.ts'

const SECONDS: TimestampType = Object.freeze({ kind: 'timestamp', unit: 'second', zone: null })

/** The formats of casts, with codes of `src/evaluate/kernels/time_texts.rs`. */
const OF_DATE = '%D'
const OF_TIMESTAMP = '%D %T'
const OF_ZONED = '%D %T+00'

/** Codes of `strftime` that stand for several others. Times have no zone here, or are in UTC. */
const WHOLE_CODES: Readonly<Record<string, string>> = Object.freeze({
  '%c': '%Y-%m-%d %H:%M:%S',
  '%x': '%Y-%m-%d',
  '%X': '%H:%M:%S',
  '%T': '%H:%M:%S',
  '%z': '+00',
  '%Z': '',
})

/** A time as text in a format. */
function written(emitter: Emitter, value: Value, type: DataType | null | undefined, format: Value): Value {
  if (!isAnyTime(type)) throw new TypeError('the text of what is no time')
  // DuckDB has formats of microseconds and nanoseconds only. Each day begins with a second.
  const isFine = type.kind === 'timestamp' && type.unit === 'nanosecond'
  const unit = type.kind === 'date' ? SECONDS : isFine ? type : TIMESTAMP
  const time =
    type.kind === 'date' ? beginningOf(emitter, value, unit, castOfDay) : inUnit(emitter, value, type, unit)
  return emitter.operate('write_time', [time, format, SECOND_DIGITS[unit.unit]], { to: 'text' })
}

/** A cast of a time to text. Null: it is none. */
export function textOfTime(
  emitter: Emitter,
  value: Value,
  from: DataType | null | undefined,
  to: DataType,
): Value | null {
  if (to.kind !== 'utf8' || !isAnyTime(from)) return null
  const format = Buffer.from(from.kind === 'date' ? OF_DATE : isZonedTime(from) ? OF_ZONED : OF_TIMESTAMP)
  return written(emitter, value, from, emitter.constant('text', { kind: 'bytes', value: format }))
}

const formatted: Emit = (emitter, args, _, types) => {
  const [time, format] = args.map((arg) => arg(emitter))
  if (time === undefined || format === undefined) throw new TypeError('strftime has too few arguments')
  const text = emitter.textOf(format).replaceAll(/%./gs, (code) => WHOLE_CODES[code] ?? code)
  return written(
    emitter,
    time,
    types[0],
    emitter.constant('text', { kind: 'bytes', value: Buffer.from(text) }),
  )
}

/** What is written for the kernels of texts of times (`src/plan/kernels/time-kernels.ts`). */
export const EMITTED_TIME_TEXTS: readonly (readonly [name: string, emit: Emit])[] = [['strftime', formatted]]
