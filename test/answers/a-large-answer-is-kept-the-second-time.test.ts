import { join } from 'node:path'
import t from 'tap'
import { createKeptAnswers } from '../../src/main/answers/kept-answers.ts'
import { type WholeAnswer, wholeAnswer } from '../../src/main/answers/whole-answer.ts'
import { CATALOG, NO_LOOKUPS } from '../catalog/no-lookups.ts'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { startTestService } from '../e2e/service.ts'
import { untilSettled } from '../support/settled.ts'

function answerOf(bytes: number): WholeAnswer {
  const fingerprint = { realpaths: new Map(), versions: new Map(), lists: [], isVerifiable: true }
  const running = {
    id: 'a',
    contentType: 'text/csv',
    fileName: null,
    size: null,
    fingerprint,
    lookedUp: NO_LOOKUPS,
    notice: null,
    tag: null,
    body: null as never,
  }
  return wholeAnswer(running, [Buffer.alloc(bytes - 3), Buffer.alloc(3)])
}

t.test('a small answer is kept at once, a large one when it is asked for again', async (t) => {
  const kept = createKeptAnswers(CATALOG, 1 << 20, async () => true)
  t.equal(kept.keep('small', answerOf(1000))?.chunks[0]?.length, 1000)
  t.equal(kept.keep('large', answerOf(100_000)), null)
  t.equal(kept.keep('another', answerOf(100_000)), null)
  t.equal(kept.keep('large', answerOf(100_000))?.chunks[0]?.length, 100_000)
  t.equal(kept.keep('huge', answerOf(2 << 20)), null)
  t.equal(kept.keep('huge', answerOf(2 << 20)), null, 'it has no room')
})

t.test('a large answer is not kept if it comes again when it would have been evicted', async (t) => {
  const kept = createKeptAnswers(CATALOG, 1 << 20, async () => true)
  const turn = (keys: number): (number | undefined)[] =>
    Array.from({ length: keys }, (_, n) => kept.keep(`${keys} ${n}`, answerOf(100_000))?.chunks[0]?.length)
  turn(20)
  t.same(new Set(turn(20)), new Set([undefined]), '20 of them have no room')
  t.equal(kept.figures().entries, 0)
  turn(8)
  t.same(new Set(turn(8)), new Set([100_000]))
})

t.test('large answers are right, whether they are run, shared or kept', async (t) => {
  const service = await startTestService(t, { workers: 2 })
  writeParquetFile(join(service.datasets, 'a.parquet'), numberedRows(20_000), 5000)
  await untilSettled(service.datasets)
  const body = (text: string) => ({
    from: { parquet: { paths: ['a.parquet'] } },
    select: ['id', 'noise', 'name'],
    filters: [{ column: 'noise', min: Number(`-0.${text}`), max: 0.5 }],
  })
  const ask = async (text: string, headers = {}): Promise<Buffer> => {
    const response = await service.query(body(text), {
      headers: { 'content-type': 'application/json', ...headers },
    })
    t.equal(response.status, 200)
    return Buffer.from(await response.arrayBuffer())
  }
  const expected = await ask('1', { 'cache-control': 'no-store' })
  t.ok(expected.length > 100_000)
  for (let time = 0; time < 4; time++) t.ok((await ask('1')).equals(expected))
  const together = await Promise.all(Array.from({ length: 24 }, (_, n) => ask(String(1 + (n % 8)))))
  t.ok(together.every((bytes) => bytes.equals(expected)))
})
