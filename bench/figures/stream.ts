import { rowCount } from '../compare/answer.ts'
import { answerOfStream } from '../compare/arrow.ts'
import { type BenchData, GROUPS_ROWS } from '../input/data.ts'
import { load } from '../load/load.ts'
import { median } from '../report/statistics.ts'
import type { Services } from '../service/service.ts'
import type { Figure } from './figure.ts'

/**
 * Streams four columns of all rows: the bytes per second that a client gets that only counts them, with and without a cache of
 * decoded columns, and the time to the first byte.
 */
export async function stream(services: Services, data: BenchData, rounds: number): Promise<Figure[]> {
  const body = {
    select: ['time', 'latitude', 'longitude', 'temperature'],
    from: { parquet: { paths: [data.groups] } },
  }
  for (const service of [services.two, services.keptTwo]) {
    const rows = rowCount(answerOfStream(await service.query(body)))
    if (rows !== GROUPS_ROWS) throw new Error(`an answer of ${rows} rows, not ${GROUPS_ROWS}`)
  }
  const gigabytes = async (port: number) => {
    const asked = { port, method: 'POST', path: '/api/query', body: JSON.stringify(body) } as const
    const { bytesPerSecond, failures } = await load({
      ...asked,
      clients: 1,
      seconds: 3,
      sampleEvery: null,
    })
    if (failures > 0) throw new Error(`${failures} answers were refused or cut short`)
    return bytesPerSecond / 1e9
  }
  const firstBytes: number[] = []
  for (let round = 0; round < rounds; round++) firstBytes.push(await services.two.firstByte(body))
  const what = 'Arrow stream of 4 columns of 5 M rows'
  return [
    { key: 'stream', what, value: await gigabytes(services.two.port), unit: 'GB/s' },
    {
      key: 'stream_kept',
      what: 'the same, decoded columns kept',
      value: await gigabytes(services.keptTwo.port),
      unit: 'GB/s',
    },
    { key: 'first_byte', what: 'the same, its first byte', value: median(firstBytes), unit: 'ms' },
  ]
}
