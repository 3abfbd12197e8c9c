import type { Question } from './question.ts'

/** Indices along an axis, from the first to before the last. */
type Range = readonly [from: number, to: number]

/** A box of `sst(time = 365, lat = 360, lon = 720)`. */
export type Box = readonly [time: Range, lat: Range, lon: Range]

export const WHOLE: Box = [
  [0, 365],
  [0, 360],
  [0, 720],
]

/** A month in 40° x 30°: 31 chunks of 365 x 4. Each number to 10 is another month, so that a peer has none of its chunks in its cache. */
export function month(number: number): Box {
  const day = 31 * (number % 11)
  return [
    [day, day + 31],
    [220, 280],
    [240, 320],
  ]
}

/** A place on all days: 365 chunks, the same ones for each number to 80. */
export function point(number: number): Box {
  const [lat, lon] = [200 + number, 500 + number]
  return [
    [0, 365],
    [lat, lat + 1],
    [lon, lon + 1],
  ]
}

/** The question for the number and the mean of the values in a box. `source` is a table function with its arguments. */
export function boxQuestion(source: string, box: Box, aggregate: 'avg' | 'sum' = 'avg'): Question {
  const [time, lat, lon] = box
  const conditions = [
    ...within('time', time, WHOLE[0], (day) => `TIMESTAMP '${date(day)}'`),
    ...within('lat', lat, WHOLE[1], (index) => String(index / 2 - 90)),
    ...within('lon', lon, WHOLE[2], (index) => String(index / 2 - 180)),
  ]
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  const sql = `SELECT count(sst) AS n, ${aggregate}(sst) AS value FROM ${source}${where}`
  return { sql, isSum: aggregate === 'sum', request: box }
}

function within(column: string, [from, to]: Range, whole: Range, valueAt: (index: number) => string) {
  if (from === whole[0] && to === whole[1]) return []
  return [`${column} >= ${valueAt(from)}`, `${column} < ${valueAt(to)}`]
}

/** The date of a day of the array, which is counted from its first. */
function date(day: number): string {
  return new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)
}
