import { ServiceError } from '../../../plan/errors.ts'

/** Where an `ArrowArray` of 32-bit addresses has its buffers. */
const BUFFERS = 40

/** An interval of Arrow: months and days of 32 bits, and nanoseconds of 64 bits. */
const INTERVAL = Object.freeze({ bytes: 16, days: 4, nanoseconds: 8 })
const DURATION_BYTES = 8

const DAY_MICROSECONDS = 86_400_000_000n

/**
 * Makes durations in microseconds of an array of intervals without months, in place in DuckDB's memory. Throws `invalid_sql` for what is
 * no duration: an interval with months, or one of more than 64 bits.
 */
export function toDurations(memory: ArrayBufferLike, array: number, rows: number, column: string): void {
  const view = new DataView(memory)
  const buffers = view.getUint32(array + BUFFERS, true)
  const [validity, data] = [view.getUint32(buffers, true), view.getUint32(buffers + 4, true)]
  for (let row = 0; row < rows; row++) {
    const isNull = validity !== 0 && ((view.getUint8(validity + (row >> 3)) >> (row & 7)) & 1) === 0
    const from = data + INTERVAL.bytes * row
    const micros = isNull
      ? 0n
      : BigInt(view.getInt32(from + INTERVAL.days, true)) * DAY_MICROSECONDS +
        view.getBigInt64(from + INTERVAL.nanoseconds, true) / 1000n
    if (!isNull && (view.getInt32(from, true) !== 0 || BigInt.asIntN(64, micros) !== micros))
      throw new ServiceError(
        'invalid_sql',
        `Out of Range Error: a value of column "${column}" is no Duration in microseconds: add INTERVAL 0 DAY, so that it is an interval.`,
      )
    view.setBigInt64(data + DURATION_BYTES * row, micros, true)
  }
}
