import { join } from 'node:path'
import { DateDay, Table, TimestampMicrosecond, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { writeParquetFile } from '../../e2e/parquet-file.ts'
import { startTestService } from '../../e2e/service.ts'
import { askBoth, sameAnswers, show } from '../../sql/select/both-engines.ts'

const DAYS = [
  '2020-01-01',
  '2020-01-02',
  '2019-12-31',
  '2024-02-29',
  '1969-12-31',
  '1700-01-01',
  '2022-05-31',
].map((day) => new Date(`${day}T00:00:00Z`))
const WIDTHS = ['10 YEAR', '1 MONTH', '1 DAY', '36 HOUR', '1 WEEK']
const OFFSETS = ['1 hour', '-1 hours', '25 hours', '-25 hours', '2 mons', '2 mons 1 hour', '1 day -1 hours']

t.test('dates and times are divided from an offset as by DuckDB', async (t) => {
  const service = await startTestService(t, { workers: 1 })
  const table = new Table({
    day: vectorFromArray(DAYS, new DateDay()),
    time: vectorFromArray(
      DAYS.map((day) => day.getTime()),
      new TimestampMicrosecond(),
    ),
  })
  writeParquetFile(join(service.datasets, 't.parquet'), table, 3)
  for (const width of WIDTHS)
    for (const offset of OFFSETS) {
      const bucket = (column: string) => `time_bucket(INTERVAL ${width}, ${column}, INTERVAL '${offset}')`
      const { engine, core, duck } = await askBoth(
        service,
        `SELECT ${bucket('day')} AS d, ${bucket('time')} AS t, ${bucket('day')} >= DATE '2020-01-01' AS c FROM read_parquet('t.parquet') ORDER BY day`,
      )
      t.equal(engine, 'core', `${width}, ${offset}`)
      t.ok(sameAnswers(core, duck, true), `${width}, ${offset}\n${show(core)}\n${show(duck)}`)
    }
})
