import t from 'tap'
import { encodedFile } from '../../../src/main/output/files/encoded-file.ts'
import { writtenFile } from '../../../src/main/output/files/written-file.ts'
import { ServiceError } from '../../../src/plan/errors.ts'
import type { Part } from '../../../src/plan/task/part.ts'
import { field } from '../../../src/plan/types/schema.ts'
import { partsOf } from './arrow-parts.ts'
import { bytesOf, startSinks } from './delivery.ts'

const FIELDS = [field('a', { kind: 'int', bits: 32, signed: true })]
const ROWS = Array.from({ length: 1000 }, (_, row) => row)
const LINES = ROWS.map((row) => `${row}\n`).join('')

const sinks = startSinks(t)

async function* rows(...counts: number[]): AsyncGenerator<Part> {
  yield* partsOf({ a: Int32Array.from(ROWS) }, counts)
}

const encoded = (run: { rows: number; bytes: number }) =>
  encodedFile({ kind: 'parquet', points: null }, { head: Buffer.from('head\n'), run })
const written = writtenFile(
  { kind: 'netcdf', variables: [], attributes: [], compression: 0 },
  { hasSpool: true },
)

t.test('an encoded file has the runs in their order, and an end that tells of them', async (t) => {
  const output = encoded({ rows: 300, bytes: 1 << 20 })
  for (const counts of [[1000], [1, 999], [250, 250, 500], [300, 300, 400]]) {
    const delivered = await sinks.deliver(output, FIELDS, rows(...counts))
    const file = String(await bytesOf(delivered))
    t.equal(delivered.size, file.length, 'the size is known before the first byte is sent')
    const [at1, at2, at3] = [300, 600, 900].map((row) => 5 + LINES.indexOf(`\n${row}\n`) + 1)
    t.equal(file, `head\n${LINES}5+300 ${at1}+300 ${at2}+300 ${at3}+100 of ${5 + LINES.length}\n`)
  }
})

t.test('without rows it has head and end', async (t) => {
  const delivered = await sinks.deliver(encoded({ rows: 300, bytes: 1 << 20 }), FIELDS, rows())
  t.equal(String(await bytesOf(delivered)), 'head\n of 5\n')
})

t.test('a written file is made by one worker', async (t) => {
  for (const counts of [[1000], [1, 999], []]) {
    const delivered = await sinks.deliver(written, FIELDS, rows(...counts))
    const file = String(await bytesOf(delivered))
    t.equal(file, counts.length === 0 ? '' : LINES)
    t.equal(delivered.size, file.length)
  }
})

t.test('an error among the rows leaves no file', async (t) => {
  async function* failing(): AsyncGenerator<Part> {
    yield* rows(400)
    throw new ServiceError('unreadable_file', 'no more rows')
  }
  for (const output of [encoded({ rows: 300, bytes: 1 << 20 }), written])
    await t.rejects(sinks.deliver(output, FIELDS, failing()), { code: 'unreadable_file' })
  t.equal(sinks.folder.bytes, 0)
})

t.test('files that workers write count toward the limits', async (t) => {
  const small = startSinks(t, { outputBytes: 1000 })
  await t.rejects(small.deliver(written, FIELDS, rows(1000)), { code: 'output_too_large' })
  await t.rejects(small.deliver(encoded({ rows: 300, bytes: 1 << 20 }), FIELDS, rows(1000)), {
    code: 'output_too_large',
  })
  t.equal(small.folder.bytes, 0)
})
