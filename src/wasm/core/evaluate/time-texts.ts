import { isTime, TIMESTAMP, type TimestampType } from '../../../plan/kernels/calendar.ts'
import { type DataType, SECOND_DIGITS } from '../../../plan/types/schema.ts'
import type { Emit, Emitter } from './emitter.ts'
import { castOfDay } from './failures.ts'
import type { Value } from './program.ts'
import { beginningOf, inUnit } from './time-casts.ts'

const SECONDS: TimestampType = Object.freeze({ kind: 'timestamp', unit: 'second', zone: null })

/** The formats of casts, with codes of `src/evaluate/kernels/time_texts.rs`. */
const OF_DATE = '%D'
const OF_TIMESTAMP = '%D %T'

/** A time as text in a format. */
function written(emitter: Emitter, value: Value, type: DataType | null | undefined, format: Value): Value {
  if (!isTime(type)) throw new TypeError('the text of what is no time')
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
  if (to.kind !== 'utf8' || !isTime(from)) return null
  const format = Buffer.from(from.kind === 'date' ? OF_DATE : OF_TIMESTAMP)
  return written(emitter, value, from, emitter.constant('text', { kind: 'bytes', value: format }))
}

const formatted: Emit = (emitter, args, _, types) => {
  const [time, format] = args.map((arg) => arg(emitter))
  if (time === undefined || format === undefined) throw new TypeError('strftime has too few arguments')
  return written(emitter, time, types[0], format)
}

/** What is written for the kernels of texts of times (`src/plan/kernels/time-kernels.ts`). */
export const EMITTED_TIME_TEXTS: readonly (readonly [name: string, emit: Emit])[] = [['strftime', formatted]]
