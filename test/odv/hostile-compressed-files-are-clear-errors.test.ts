import { readFileSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { startOdvService } from '../output/odv/odv-service.ts'
import { fc } from '../support/generate.ts'
import { skipWithout } from '../support/python.ts'
import { compressed, odvText } from './compressed.ts'

const KINDS = ['gz', 'zst', 'xz', 'bz2'] as const
/** What a worker inflates where it reads it, and what it inflates into a file. */
const TEXTS = { small: odvText(2), large: odvText(400) }
const SUM = 'SELECT count(*) AS n, sum("Temp") AS temp'

const skip = skipWithout('lzma, bz2')

t.test('members count, and what is behind them is no data', { skip }, async (t) => {
  const { ask, write } = await startOdvService(t)
  const answer = async (name: string): Promise<string> => {
    const response = await ask({ sql: `${SUM} FROM read_odv('${name}')`, output: { format: 'csv' } })
    return `${response.status} ${await response.text()}`
  }
  for (const [size, text] of Object.entries(TEXTS)) {
    const half = text.lastIndexOf('\n', text.length / 2) + 1
    const [first, second] = [await compressed(text.slice(0, half)), await compressed(text.slice(half))]
    write(`${size}.txt`, text)
    const expected = await answer(`${size}.txt`)
    t.match(expected, /^200 n,temp\n/)
    for (const kind of KINDS) {
      const parts = [first[kind] ?? Buffer.of(), second[kind] ?? Buffer.of()]
      const stored = Buffer.concat(parts)
      const name = `${size}.txt.${kind}`
      write(name, stored)
      t.equal(await answer(name), expected, `${name}: two members`)
      for (const [what, bytes] of [
        ['cut in its last member', stored.subarray(0, stored.length - 3)],
        ['cut at half', stored.subarray(0, stored.length >> 1)],
        ['with bytes behind it', Buffer.concat([stored, Buffer.from('and more')])],
      ] as const) {
        write(name, bytes)
        t.match(await answer(name), new RegExp(`^400 .*${name}.* cannot be inflated`), `${name}: ${what}`)
      }
    }
  }
  const [zip] = [Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0])]
  write('a.zip', zip)
  t.match(await answer('a.zip'), /^400 .*a\.zip.* it is a ZIP archive.*; unpack it/)
  write('twice.txt.gz', gzipSync(gzipSync(TEXTS.small)))
  t.match(await answer('twice.txt.gz'), /^400 .*twice\.txt\.gz.* it is compressed with gzip.*; unpack it/)
  write('none.txt.gz', gzipSync(''))
  t.match(await answer('none.txt.gz'), /^(?:200|400) /)
  write(
    'huge.txt.xz',
    readFileSync(new URL('../fixtures/compressed/huge-dictionary.csv.xz', import.meta.url)),
  )
  t.match(await answer('huge.txt.xz'), /^400 .*huge\.txt\.xz.* the memory of a codec/)
})

t.test('damaged bytes are an error, or change nothing', { skip }, async (t) => {
  const { ask, write } = await startOdvService(t)
  const files = await compressed(TEXTS.small)
  const answer = async (name: string): Promise<string> => {
    const response = await ask({ sql: `${SUM} FROM read_odv('${name}')`, output: { format: 'csv' } })
    return `${response.status} ${await response.text()}`
  }
  write('a.txt', TEXTS.small)
  const expected = await answer('a.txt')
  let number = 0
  for (const kind of KINDS) {
    const stored = Buffer.from(files[kind] ?? Buffer.of())
    await fc.assert(
      fc.asyncProperty(fc.nat(stored.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const damaged = Buffer.from(stored)
        damaged[at] = (damaged[at] ?? 0) ^ change
        const name = `${number++}.txt`
        write(name, damaged)
        const found = await answer(name)
        return found === expected || found.startsWith('400 ')
      }),
      { numRuns: 12 },
    )
  }
})

t.test('a file that is larger than the temporary files may be is refused, and others answer', async (t) => {
  const limit = String(6 << 20)
  const env = { SERVICE_MAX_TEMP_BYTES: limit, SERVICE_MAX_OUTPUT_BYTES: limit }
  const bomb = zstdCompressSync(Buffer.concat([Buffer.from(TEXTS.small), Buffer.alloc(64 << 20, '\n')]))
  const files = {
    'bomb.txt.zst': bomb,
    'a.txt.gz': gzipSync(odvText(1500)),
    'b.txt.gz': gzipSync(odvText(1501)),
  }
  const { ask } = await startOdvService(t, files, env)
  const answer = async (sql: string): Promise<string> => {
    const response = await ask({ sql, output: { format: 'csv' } })
    return `${response.status} ${await response.text()}`
  }
  const count = (name: string): Promise<string> => answer(`SELECT count(*) AS n FROM read_odv('${name}')`)
  t.match(
    await count('bomb.txt.zst'),
    /^400 .*bomb\.txt\.zst.* is compressed.*SERVICE_MAX_TEMP_BYTES.*unpack it/,
  )
  // Each alone fits, and the other one is given up for it.
  for (let time = 0; time < 2; time++) {
    t.equal(await count('a.txt.gz'), '200 n\n75000\n')
    t.equal(await count('b.txt.gz'), '200 n\n75050\n')
  }
  t.match(
    await count('[ab].txt.gz'),
    /^400 .*is compressed.*other files of the query.*SERVICE_MAX_TEMP_BYTES/,
  )
  t.equal(await count('a.txt.gz'), '200 n\n75000\n')
})

t.test('a file that is replaced has its new rows', async (t) => {
  const { ask, write } = await startOdvService(t)
  const count = async (): Promise<string> => {
    const response = await ask({
      sql: "SELECT count(*) AS n FROM read_odv('a.txt.gz')",
      output: { format: 'csv' },
    })
    return `${response.status} ${await response.text()}`
  }
  for (const stations of [400, 401, 2, 402]) {
    write('a.txt.gz', gzipSync(odvText(stations)))
    t.equal(await count(), `200 n\n${50 * stations}\n`)
    t.equal(await count(), `200 n\n${50 * stations}\n`)
  }
})
