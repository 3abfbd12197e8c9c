import { median, timed } from '../../report/statistics.ts'
import type { Service } from '../../service/service.ts'
import type { Figure } from '../figure.ts'

/** A join of a thousand rows with a Parquet file, the rows in a database and in a file, by turns. Both answers are equal. */
export async function joined(
  service: Service,
  parquet: string,
  few: string,
  rounds: number,
): Promise<Figure> {
  const join = (from: string): object => ({
    sql: `SELECT f.platform, count(*) AS n, sum(o.platform_id) AS ids FROM ${from} f
      JOIN read_parquet('${parquet}') o ON f.id = o.platform_id GROUP BY ALL ORDER BY ALL`,
  })
  const [inDatabase, inFile] = [join('few'), join(`read_parquet('${few}')`)]
  const [one, other] = [await service.query(inDatabase), await service.query(inFile)]
  if (!one.equals(other)) throw new Error('a join has other rows if they are in a database')
  const more: number[] = []
  for (let round = 0; round < rounds * 3; round++) {
    const file = await timed(() => service.query(inFile))
    more.push((await timed(() => service.query(inDatabase))) - file)
  }
  return {
    key: 'remotes_join',
    what: 'a join of 1 000 rows of PostgreSQL with Parquet: more than if they are in a file',
    value: median(more),
    unit: 'ms',
  }
}
