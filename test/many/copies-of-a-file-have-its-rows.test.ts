import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'
import { generator } from '../support/generate.ts'

const service = await startTestService(t)
const below = generator('copies')

/** A few more than are read as few. */
const FILES = 66

/** The fixtures of formats that are read in packs, with a function that reads them. */
const FIXTURES = [
  ['netcdf', 'read_netcdf'],
  ['netcdf4', 'read_netcdf'],
  ['hdf5', 'read_hdf5'],
  ['parquet', 'read_parquet'],
  ['arrow', 'read_arrow'],
  ['tiff', 'read_tiff'],
] as const

/** The longest answer of one file, in characters, so that those of all copies stay small. */
const MOST_TEXT = 30_000

/** One of so many fixtures is copied in a run, because each takes half a second. */
const PART = 12

t.test('copies of files of many writers', async (t) => {
  let compared = 0
  for (const [folder, reader] of FIXTURES) {
    const fixtures = join(import.meta.dirname, '../fixtures', folder)
    for (const file of readdirSync(fixtures)) {
      if (!statSync(join(fixtures, file)).isFile() || /\.(?:py|json|gz|md)$/.test(file)) continue
      // Each run compares some of them.
      if (below(PART) > 0) continue
      const copies = `copies-${folder}-${file}`
      mkdirSync(join(service.datasets, copies))
      const name = (nth: number) => `${copies}/${String(nth).padStart(3, '0')}-${file}`
      copyFileSync(join(fixtures, file), join(service.datasets, name(0)))
      const one = await textOf(`SELECT * FROM ${reader}('${name(0)}')`)
      if (one === null || one.length > MOST_TEXT || one.length === 0) continue
      for (let nth = 1; nth < FILES; nth++)
        copyFileSync(join(fixtures, file), join(service.datasets, name(nth)))
      t.equal(await textOf(`SELECT * FROM ${reader}('${copies}/*')`), one.repeat(FILES), copies)
      compared++
    }
  }
  t.ok(compared > 3, `${compared} files`)
})

/** The rows of a statement as lines of JSON. Null: it is a 400. */
async function textOf(sql: string): Promise<string | null> {
  const response = await service.query({ sql, output: { format: 'ndjson' } })
  const text = await response.text()
  return response.status === 200 ? text : null
}
