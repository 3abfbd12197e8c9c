import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { send } from '../../http/test-server.ts'
import { startTestService } from '../service.ts'
import { IN_HTTP } from './in-http.ts'
import { IN_JSON, OBSERVATIONS } from './in-json.ts'
import { IN_SQL } from './in-sql.ts'

const { query, url, datasets, dataDir } = await startTestService(t)
execFileSync(process.execPath, [join(import.meta.dirname, '../../../src/sample/make-sample.ts'), datasets])
writeFiles(datasets)

/** Words that are true of any host and of this implementation, and not of what the client wrote. */
const INSIDE = [
  dataDir,
  'node_modules',
  '.ts:',
  '_scan_',
  '_rows',
  '_table(',
  'undefined',
  'LINE 1:',
  'Error: Error',
  '[object',
]

/** The most characters that a newcomer reads to the end. */
const MOST_CHARACTERS = 600

async function check(
  t: Test,
  answer: Response,
  status: number,
  names: readonly string[],
  what: string,
): Promise<void> {
  const text = await answer.text()
  t.equal(answer.status, status, `${what}: ${text.slice(0, 500)}`)
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  const message = isJson ? String(JSON.parse(text)) : text
  for (const name of names) t.ok(message.includes(name), `${what}: names ${name}`, { message })
  for (const inside of INSIDE) t.notOk(message.includes(inside), `${what}: has no ${inside}`, { message })
  t.ok(message.length <= MOST_CHARACTERS, `${what}: is not too long`, { message })
}

t.test('in SQL', async (t) => {
  for (const [sql, names] of IN_SQL) {
    const statement = sql
      .replaceAll(/\bO\b/g, "read_parquet('observations/*.parquet')")
      .replaceAll(/\bP\b/g, "read_csv('platforms.csv')")
    await check(t, await query({ sql: statement }), 400, names, sql)
  }
})

t.test('in JSON', async (t) => {
  for (const [members, names] of IN_JSON) {
    const isJson = 'select' in members && !('from' in members)
    await check(
      t,
      await query(isJson ? { from: OBSERVATIONS, ...members } : members),
      400,
      names,
      JSON.stringify(members),
    )
  }
})

t.test('in HTTP', async (t) => {
  for (const { method = 'GET', path, headers = {}, body = '', status, names } of IN_HTTP) {
    const { message, text } = await send(`${url}${path}`, { method, headers }, body)
    const answer = new Response(text, {
      status: message.statusCode ?? 0,
      headers: { 'content-type': message.headers['content-type'] ?? '' },
    })
    await check(t, answer, status, names, `${method} ${path.slice(0, 100)} ${body.slice(0, 60)}`)
  }
})

t.test('there are enough of them', async (t) => {
  t.ok(IN_SQL.length + IN_JSON.length + IN_HTTP.length > 250)
})

/** Files beside the sample that are not what they seem. */
function writeFiles(folder: string): void {
  const file = (name: string): string => join(folder, name)
  const parquet = file('observations/2024-01.parquet')
  copyFileSync(parquet, file('renamed.csv'))
  writeFileSync(file('cut.parquet'), readFileSync(parquet).subarray(0, -100))
  writeFileSync(file('semicolons.csv'), 'station;depth;temperature\nA;1,5;20,1\nB;2,5;19,8\n')
  writeFileSync(file('points.csv'), 'station;depth;temperature\nA;1.5;20.1\nB;2.5;19.8\n')
  writeFileSync(file('rows.csv.gz'), gzipSync('a,b\n1,2\n'))
  writeFileSync(file('empty.csv'), '')
  writeFileSync(file('units.csv'), 'time,sst,flag\nUTC,degree_C,\n2024-01-01,5.5,1\n2024-01-02,,2\n')
  writeFileSync(
    file('grid.nc'),
    Buffer.concat([Buffer.from('\x89HDF\r\n\x1a\n', 'latin1'), Buffer.alloc(200)]),
  )
}
