import type { BenchData } from '../input/data.ts'
import { benchQueries } from '../queries/queries.ts'
import { median, timed } from '../report/statistics.ts'
import type { Services } from '../service/service.ts'
import type { Figure } from './figure.ts'

/** How much faster two workers filter one file of 50 row groups than one. Throws when their answers have different bytes. */
export async function parallel(services: Services, data: BenchData, rounds: number): Promise<Figure[]> {
  const filters = benchQueries(data.once).filter(({ key }) => key === 'filter_multi' || key === 'spatial_box')
  const figures: Figure[] = []
  for (const { key, json } of filters) {
    const body = { ...json, from: { parquet: { paths: [data.groups] } } }
    const [one, two] = [await services.one.query(body), await services.two.query(body)]
    if (!one.equals(two)) throw new Error(`${key}: 1 and 2 workers gave different bytes`)
    const times: { one: number[]; two: number[] } = { one: [], two: [] }
    for (let round = 0; round < rounds; round++) {
      times.one.push(await timed(() => services.one.drain(body)))
      times.two.push(await timed(() => services.two.drain(body)))
    }
    figures.push({
      key: `parallel_${key}`,
      what: `${key} over 50 row groups: 2 workers against 1, identical bytes`,
      value: median(times.one) / median(times.two),
      unit: '×',
    })
  }
  return figures
}
