import { writeFileSync } from 'node:fs'
import t from 'tap'
import { field, type Schema } from '../../src/plan/types/schema.ts'
import { startAskedService } from '../answers/asking.ts'
import { csvFormat } from '../formats/product.ts'
import { post } from '../http/test-server.ts'
import { changingCatalog } from './two-tables.ts'

const INT: Schema['fields'][number]['type'] = { kind: 'int', bits: 64, signed: true }

/** A table of three folders, whose name is the year; one has none. The file of 2023 has a column `year` of its own. */
const COLUMNS: Schema = { fields: [field('n', INT), field('year', INT)], metadata: {} }

const year = (value: number | null) => ({
  year: value === null ? null : ({ kind: 'int', value: BigInt(value) } as const),
})

t.test('a table of folders with values', async (t) => {
  const catalog = changingCatalog()
  const service = await startAskedService(t, { catalog })
  writeFileSync(service.at('2023.csv'), 'n,year\n1,1900\n2,1900\n')
  writeFileSync(service.at('2024.csv'), 'n\n3\n')
  writeFileSync(service.at('none.csv'), 'n\n4\n')
  const format = csvFormat()
  const parts = [
    { paths: ['2023.csv'], constants: year(2023) },
    { paths: ['2024.csv'], constants: year(2024) },
    { paths: ['none.csv'], constants: year(null) },
  ]
  const missing = { paths: ['no-such-folder/*.csv'], constants: year(1999) }
  catalog.define('obs', { kind: 'parts', format, parts }, COLUMNS)
  catalog.define('holes', { kind: 'parts', format, parts: [...parts, missing] }, COLUMNS)
  await service.settle()
  const rows = async (query: object): Promise<unknown> => {
    const response = await service.post({ ...query, output: { format: 'csv' } })
    return response.status === 200
      ? (await response.text()).trim().split('\n').slice(1)
      : await response.json()
  }
  const all = { from: 'obs', select: ['n', 'year'] }

  t.same(
    await rows(all),
    ['1,2023', '2,2023', '3,2024', '4,'],
    'the value of the folder, not that of the file',
  )
  t.same(await rows({ ...all, filters: [{ column: 'year', eq: 2023 }] }), ['1,2023', '2,2023'])
  t.same(await rows({ ...all, filters: [{ column: 'year', eq: 1900 }] }), [])
  t.same(await rows({ ...all, filters: [{ is_null: { column: 'year' } }] }), ['4,'])
  t.same(
    await rows({
      ...all,
      filters: [
        { column: 'year', gt_eq: 2024 },
        { column: 'n', gt: 0 },
      ],
    }),
    ['3,2024'],
  )
  t.same(await rows({ ...all, sort_by: [{ Desc: 'year' }, { Asc: 'n' }], limit: 2 }), ['3,2024', '1,2023'])
  t.same(await rows({ from: 'obs', distinct: { on: ['year'], select: ['year'] } }), ['2023', '2024', '""'])
  t.same(
    await rows({
      ...all,
      select: [{ function: 'abs', args: ['year'], alias: 'y' }],
      filters: [{ column: 'year', eq: 2024 }],
    }),
    ['2024'],
    'in DuckDB',
  )

  t.match(
    await rows({ ...all, from: 'holes' }),
    /No file matched "no-such-folder/,
    'without a filter all are listed',
  )
  t.same(
    await rows({ ...all, from: 'holes', filters: [{ column: 'year', gt: 2000 }] }),
    ['1,2023', '2,2023', '3,2024'],
    'a folder that the filter leaves out is not listed',
  )
  const explained = await post(`${service.url}/api/explain-query`, {
    ...all,
    from: 'holes',
    filters: [{ column: 'year', eq: 2024 }],
  })
  t.match(await explained.text(), /"File Count": 1/)
})

t.test('a file that does not fit into the columns of its table is named', async (t) => {
  const catalog = changingCatalog()
  const service = await startAskedService(t, { catalog })
  writeFileSync(service.at('a.csv'), 'n\nx\n')
  catalog.define(
    'obs',
    { kind: 'parts', format: csvFormat(), parts: [{ paths: ['a.csv'], constants: {} }] },
    COLUMNS,
  )
  const response = await service.post({ from: 'obs', select: ['n'] })
  t.equal(response.status, 400)
  t.match(
    await response.json(),
    /Column "n" is Utf8 in "a\.csv", which does not fit into Int64, its type in the table obs/,
  )
})
