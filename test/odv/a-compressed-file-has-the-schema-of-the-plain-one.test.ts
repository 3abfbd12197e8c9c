import { gzipSync } from 'node:zlib'
import t from 'tap'
import { startOdvService } from '../output/odv/odv-service.ts'

/** Rows of some bytes, with columns that are empty, and one of numbers that has a word in a certain row. */
function text(rows: number, rowBytes: number, wordAt: number): string {
  const note = 'n'.repeat(rowBytes)
  const lines = Array.from(
    { length: rows },
    (_, row) => `C1\tS${row >> 5}\t\t${row === wordAt ? 'word' : row}\t\t${note}`,
  )
  return `Cruise\tStation\tType\tValue\tEmpty\tNote\n${lines.join('\n')}\n`
}

t.test('whatever part of it shows the schema', async (t) => {
  const files = {
    // As many bytes as each worker inflates where it reads it.
    small: text(2000, 200, 1500),
    // More, and fewer records than types are inferred from: these are all that there are.
    whole: text(5000, 400, 4900),
    // More records than that.
    long: text(12_000, 200, 11_000),
    // So large that it is inflated before its schema is known.
    wide: text(9000, 5000, 8900),
  }
  const stored = Object.entries(files).flatMap(([name, content]) => [
    [`${name}.txt`, content],
    [`${name}.txt.gz`, gzipSync(content, { level: 1 })],
  ])
  const { ask, get } = await startOdvService(t, Object.fromEntries(stored))
  const answer = async (sql: string): Promise<string> => {
    const response = await ask({ sql, output: { format: 'csv' } })
    return `${response.status} ${(await response.text()).replaceAll('.txt.gz', '.txt')}`
  }
  for (const name of Object.keys(files)) {
    const [plain, compressed] = [`${name}.txt`, `${name}.txt.gz`]
    for (const queryOf of [
      (path: string) => `SELECT * FROM read_odv_schema('${path}')`,
      (path: string) => `DESCRIBE SELECT * FROM read_odv('${path}')`,
      (path: string) => `SELECT count("Value") AS n, max("Station") AS last FROM read_odv('${path}')`,
    ])
      t.equal(await answer(queryOf(compressed)), await answer(queryOf(plain)), `${name}: ${queryOf('')}`)
    const [one, other] = [
      await get(`/api/dataset-schema?file=${plain}`),
      await get(`/api/dataset-schema?file=${compressed}`),
    ]
    t.same(await other.json(), await one.json(), name)
  }
  // Asked again, of files that the workers have open by then.
  for (const path of ['long.txt', 'long.txt.gz'])
    t.match(await answer(`SELECT count("Value") FROM read_odv('${path}')`), /^400 .*line 11002: .*word/)
})
