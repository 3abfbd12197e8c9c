import type { BenchData } from '../../input/data.ts'
import { NUMBER } from '../../load/load.ts'
import { smallQueries } from '../../queries/small-queries.ts'
import { median, timed } from '../../report/statistics.ts'
import { type Service, withService } from '../../service/service.ts'
import type { Figure } from '../figure.ts'

/** Users that ask for the first time. */
const USERS = 9

/** Wrong passwords that are sent at once, and how often. */
const WRONG = 1000
const FLOODS = 3

/** Queries whose time is normal, before each flood. */
const QUERIES = 40

/** How long the first request of a user takes, and how long queries of others take beside a thousand wrong passwords at once. */
export async function floods(dataDir: string, { root, small }: BenchData): Promise<Figure[]> {
  const [query] = smallQueries(small).filter(({ key }) => key === 'groups')
  let asked = 0
  const body = (): string => query?.body(String(asked++).padStart(NUMBER.length, '0')) ?? ''
  return withService({ dataDir, datasetsDir: root, workers: 2 }, async (service) => {
    await service.ready()
    for (let user = 0; user < USERS; user++)
      await service.command(`CREATE USER u${user} WITH PASSWORD 'p${user}'`)
    const ask = (): Promise<number> => timed(() => service.drain(JSON.parse(body())))
    for (let warmUp = 0; warmUp < QUERIES; warmUp++) await ask()
    const first: number[] = []
    for (let user = 0; user < USERS; user++)
      first.push(await timed(() => status(service, `u${user}`, `p${user}`, 200)))
    const ratios: number[] = []
    for (let flood = 0; flood < FLOODS; flood++) {
      const normal: number[] = []
      for (let each = 0; each < QUERIES; each++) normal.push(await ask())
      let isOver = false
      const wrong = Promise.all(
        Array.from({ length: WRONG }, (_, each) => status(service, 'u0', `wrong ${flood} ${each}`, null)),
      ).finally(() => {
        isOver = true
      })
      const beside: number[] = []
      while (!isOver) beside.push(await ask())
      await wrong
      ratios.push(median(beside) / median(normal))
    }
    return [
      { key: 'rights_first', what: 'the first request of a user', value: median(first), unit: 'ms' },
      {
        key: 'rights_flood',
        what: 'small queries beside 1000 wrong passwords at once, against alone',
        value: median(ratios),
        unit: '×',
      },
    ]
  })
}

/** Asks for the tables. Throws if the status is another one; null: 401 or 503. */
async function status(
  { port }: Service,
  name: string,
  password: string,
  expected: 200 | null,
): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  const response = await fetch(`http://127.0.0.1:${port}/api/tables`, { headers: { authorization } })
  await response.arrayBuffer()
  const isExpected =
    expected === null ? response.status === 401 || response.status === 503 : response.status === expected
  if (!isExpected) throw new Error(`${name} with ${password}: ${response.status}`)
}
