import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import t from 'tap'
import { untilSettled } from '../../support/settled.ts'
import { startTestService } from '../service.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'hdf5')

interface Line {
  readonly file?: string
  readonly omitted?: string
}

const lines: Line[] = []
const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line) as Line) })
const service = await startTestService(t, { log })
mkdirSync(join(service.datasets, 'made'))
for (const [from, to] of [
  ['kinds-v200', 'kinds'],
  ['types', 'types'],
  ['packed', 'plain'],
  ['links', 'links'],
] as const)
  copyFileSync(join(FIXTURES, `${from}.h5`), join(service.datasets, 'made', `${to}.h5`))

await untilSettled(join(service.datasets, 'made'))

async function schemaOf(path: string): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`${service.url}/api/dataset-schema?file=${path}`)
  return ((await response.json()) as { metadata: Readonly<Record<string, string>> }).metadata
}

async function failure(query: object): Promise<string> {
  const response = await service.query(query)
  t.equal(response.status, 400)
  return response.text()
}

t.test('in the schema of the dataset', async (t) => {
  const { omitted = '' } = await schemaOf('made/kinds.h5')
  t.match(omitted, '"omitted_bits" (bit fields)')
  t.match(omitted, '"compound/note" (texts of variable length in compounds)')
  t.match(omitted, /^"compound\/list" \(sequences\), .*"omitted_time" \(times of HDF5\)$/)
  t.notOk('omitted' in (await schemaOf('made/plain.h5')))
  t.match(await schemaOf('made/links.h5'), { dimensions: '(phony_len_3)' }, 'of links')
})

t.test('to a query that asks for one, in JSON and in SQL', async (t) => {
  const wanted = /omitted_bits.*made\/kinds\.h5.*holds what no column has: bit fields/
  t.match(await failure({ select: ['omitted_bits'], from: { hdf5: { paths: ['made/kinds.h5'] } } }), wanted)
  const from = "FROM read_hdf5('made/kinds.h5')"
  t.match(await failure({ sql: `SELECT omitted_bits ${from}` }), wanted)
  t.match(await failure({ sql: `SELECT abs(omitted_bits) ${from}` }), wanted)
  t.equal((await service.rows({ sql: `SELECT "compound/first" ${from}` })).numRows, 4)
})

t.test('in the log, once for a version of a file', async (t) => {
  for (let query = 0; query < 3; query++)
    await service.rows({
      sql: `SELECT count(*) AS n FROM read_hdf5('made/types.h5') WHERE scalar > ${query}`,
    })
  const told = lines.filter(({ omitted }) => omitted !== undefined)
  t.equal(told.filter(({ file }) => file === 'made/types.h5').length, 1)
  t.equal(told.filter(({ file }) => file === 'made/kinds.h5').length, 1)
  t.equal(told.filter(({ file }) => file === 'made/plain.h5').length, 0)
  t.match(told.find(({ file }) => file === 'made/types.h5')?.omitted, '"reference" (references)')
})
