import { answerOfStream } from '../compare/arrow.ts'
import { median, timed } from '../report/statistics.ts'
import type { Service } from '../service/service.ts'
import type { Figure } from './figure.ts'

/** The first two columns of the answer to a statement with one row. */
export async function firstTwo(service: Service, sql: string): Promise<readonly number[]> {
  const columns = answerOfStream(await service.query({ sql })).batches[0] ?? []
  return columns.slice(0, 2).map((column) => Number(column.get(0)))
}

/** The ratio of two statements whose first two columns are equal. The first round is not timed. */
export async function ratio(
  service: Service,
  key: string,
  what: string,
  rounds: number,
  one: string,
  other: string,
): Promise<Figure> {
  const [expected, actual] = [await firstTwo(service, other), await firstTwo(service, one)]
  const isEqual = actual.every(
    (value, at) => Math.abs(value - (expected[at] ?? Number.NaN)) <= 1e-9 * Math.abs(value),
  )
  if (!isEqual) throw new Error(`${key}: ${actual.join()} is not ${expected.join()}`)
  return { key, what, value: await timeRatio(service, rounds, one, other), unit: '×' }
}

/** The median of the ratios of times of two statements, asked by turns, of which the first round is not timed. */
export async function timeRatio(
  service: Service,
  rounds: number,
  one: string,
  other: string,
): Promise<number> {
  const ratios = []
  for (let round = -1; round < rounds; round++) {
    const order = round % 2 === 0 ? [one, other] : [other, one]
    const times = new Map<string, number>()
    for (const sql of order) times.set(sql, await timed(() => service.drain({ sql })))
    if (round >= 0) ratios.push((times.get(one) ?? Number.NaN) / (times.get(other) ?? Number.NaN))
  }
  return median(ratios)
}
