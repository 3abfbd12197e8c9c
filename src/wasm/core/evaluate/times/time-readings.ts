import { type DataType, valueType } from '../../../../plan/types/schema.ts'
import type { Emitter } from '../emitter.ts'
import { readingFailure } from '../failures.ts'
import type { Value } from '../program.ts'

/** What texts are read as, in the order of `src/evaluate/kernels/time_reading.rs`, and the type that messages name. */
const FORMS = Object.freeze([
  ['date', 'DATE'],
  ['timestamp', 'TIMESTAMP'],
  ['timestamp_ns', 'TIMESTAMP_NS'],
  ['instant', 'TIMESTAMP'],
  ['time', 'TIME'],
] as const)

type Form = (typeof FORMS)[number][0]

function formOf(type: DataType): Form | null {
  switch (type.kind) {
    case 'date':
    case 'time':
      return type.kind
    case 'timestamp':
      if (type.zone !== null) return 'instant'
      return type.unit === 'nanosecond' ? 'timestamp_ns' : 'timestamp'
    default:
      return null
  }
}

/** A cast of a text to a time. Null: it is none. */
export function timeOfText(
  emitter: Emitter,
  name: 'cast' | 'try_cast',
  value: Value,
  from: DataType | null | undefined,
  type: DataType,
): Value | null {
  const form = formOf(type)
  if (!from || valueType(from).kind !== 'utf8' || form === null) return null
  const number = FORMS.findIndex(([each]) => each === form)
  const [, named] = FORMS[number] ?? FORMS[0]
  const to = form === 'date' ? 'i32' : 'i64'
  return name === 'cast'
    ? emitter.operate('read_time', [value, number], { to, tellFailure: readingFailure(named) })
    : emitter.operate('try_read_time', [value, number], { to })
}
