import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { bbf } from '../../src/workers/formats/bbf/bbf.ts'
import { answersOf } from '../e2e/answers.ts'
import { startTestService } from '../e2e/service.ts'
import { readContext } from '../formats/context.ts'
import { rangesOf } from '../formats/segments.ts'
import { memorySource } from '../formats/source.ts'
import { readAll } from '../formats/values.ts'
import { fc, generator } from '../support/generate.ts'
import { createArchiveWriter, writeTable } from './archive-writer.ts'
import { models } from './generated.ts'
import { encoded, fileOf } from './model.ts'
import { sampleFile, sampleNames } from './samples.ts'
import { type WrittenArray, type WrittenFile, writeBbf } from './writer.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)

/** A file of one entry. */
function oneEntry(columns: Readonly<Record<string, WrittenArray>>): WrittenFile {
  const named = Object.entries(columns)
  return {
    columns: named.map(([name, { code }]) => ({ name, code })),
    entries: [{ name: 'e' }],
    array: (column) => named[column]?.[1] ?? null,
    groups: () => [1],
    compression: () => 'none',
  }
}

const NULLS = 1_000_000_000

/** An array that claims many elements in a few bytes. */
const claiming = (name: string, size: number): WrittenArray => ({
  ...encoded('Null', []),
  length: size,
  dimensions: [{ name, size }],
})

t.test('the writer of the tests makes hash tables as the reference writer does', async (t) => {
  const writer = createArchiveWriter()
  const { at, buckets } = writeTable(
    writer,
    ['__entry_key', 'v'].map((each) => Buffer.from(each)),
  )
  // The worked dump of the format.
  t.equal(buckets, 3)
  t.equal(
    Buffer.from(writer.finish().subarray(0, at + 8)).toString('hex'),
    '000000000000000000000000000000000100000000000000047cff047cffffff',
  )
})

t.test('what claims many rows costs only those that are read', async (t) => {
  const service = await startTestService(t)
  const put = (name: string, file: WrittenFile): void =>
    writeFileSync(join(service.datasets, name), writeBbf(file))
  const { rowsOf, scalarOf, failure } = answersOf(service)
  put('nulls.bbf', oneEntry({ v: claiming('x', NULLS), s: encoded('Int32', [7]) }))
  t.equal(await scalarOf("SELECT count(*) FROM read_bbf('nulls.bbf')"), NULLS)
  t.equal(await scalarOf("SELECT sum(s) FROM read_bbf('nulls.bbf')"), 7, 'a scalar alone is one row')
  t.strictSame(await rowsOf({ sql: "SELECT v, s FROM read_bbf('nulls.bbf') LIMIT 2 OFFSET 999999998" }), [
    { v: null, s: 7 },
    { v: null, s: 7 },
  ])
  put('nulls-2.bbf', oneEntry({ v: claiming('x', NULLS), s: encoded('Int32', [8]) }))
  const both = "SELECT v, s FROM read_bbf('nulls*.bbf') LIMIT 2 OFFSET 999999999"
  t.strictSame(
    new Set((await rowsOf({ sql: both })).map(({ s }) => s)),
    new Set([7, 8]),
    'small files of many rows follow each other',
  )
  put(
    'runs.bbf',
    oneEntry({
      r: {
        ...encoded('Int32', [5, null]),
        length: 1_000_000_000,
        dimensions: [{ name: 'x', size: 1_000_000_000 }],
        ends: [3, 1_000_000_000],
      },
    }),
  )
  t.strictSame(await rowsOf({ sql: "SELECT r FROM read_bbf('runs.bbf') LIMIT 3 OFFSET 1" }), [
    { r: 5 },
    { r: 5 },
    { r: null },
  ])
  const many = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`c${index}`, claiming(`d${index}`, NULLS)]),
  )
  put('product.bbf', oneEntry(many))
  t.match(
    await failure({ sql: "SELECT * FROM read_bbf('product.bbf')" }),
    /too many rows; name fewer columns/,
  )
  t.equal(await scalarOf("SELECT count(c3) FROM read_bbf('product.bbf')"), 0)
})

t.test('an array whose dimension has one element is repeated along the grid', async (t) => {
  const one = { ...encoded('Int32', [4]), dimensions: [{ name: 'x', size: 1 }] }
  const two = { ...encoded('Int32', [1, 2]), dimensions: [{ name: 'x', size: 2 }] }
  const read = (columns: Readonly<Record<string, WrittenArray>>) => {
    const store = memorySource(writeBbf(oneEntry(columns)))
    return readAll(bbf.open(store, context), store, context)
  }
  t.strictSame(read({ one, two }), [
    [4n, 4n],
    [1n, 2n],
  ])
  t.throws(() => read({ two, one }), {
    code: 'unreadable_file',
    message: /cannot broadcast \(x=2\) to \(x=1\)/,
  })
})

t.test('bombs are refused before memory is taken', async (t) => {
  const bytes = writeBbf({ ...oneEntry({ v: encoded('Int32', [1]) }), compression: () => 'zstd' })
  const claims = (size: bigint): Buffer => {
    const copy = Buffer.from(bytes)
    // The root of the footer's block, and in it the size of the payload.
    copy.writeBigUInt64LE(size, bytes.length - 12 - 64 + 40)
    return copy
  }
  for (const size of [1n << 40n, (1n << 64n) - 8n, 1n << 28n, 8n]) {
    const store = memorySource(claims(size))
    t.throws(() => bbf.open(store, context), { code: /unreadable_file|memory_limit/ }, `${size} bytes`)
  }
})

const MUTATIONS = 400

t.test('mutated files give a table or a clean error', async (t) => {
  const random = generator('mutations')
  const files = [
    ...sampleNames().map((name) => readFileSync(sampleFile(name))),
    ...fc.sample(models, 12).map((model) => writeBbf({ ...fileOf(model), compression: () => 'none' })),
  ]
  const interesting = [0, 1, 2, 7, 8, 0x7f, 0x80, 0xfe, 0xff]
  for (let round = 0; round < MUTATIONS; round++) {
    const copy = Buffer.from(files[random(files.length)] ?? [])
    for (let changes = 1 + random(4); changes > 0; changes--) {
      const at = random(copy.length)
      if (random(4) === 0 && at + 8 <= copy.length)
        copy.writeBigUInt64LE(BigInt(random(1 << 20)) << BigInt(random(44)), at)
      else copy[at] = random(2) === 0 ? (interesting[random(interesting.length)] ?? 0) : random(256)
    }
    const store = memorySource(copy, 'mutated')
    try {
      const file = bbf.open(store, context)
      const names = file.schema.fields.map(({ name }) => name)
      file.segments(names, store, context, names)
      for (const name of names) file.statistics(name)
      for (const range of rangesOf(file.segments([], store, context))) {
        if (range.kind !== 'run') throw new TypeError(`a ${range.kind} of a file of entries`)
        const located = file.locate?.(
          store,
          range,
          { from: 0, asked: file.schema.fields, pruning: null },
          context,
        )
        for (const column of located?.read(file.schema.fields) ?? []) core.free(column)
      }
    } catch (error) {
      const isClean =
        isServiceError(error) && /^(unreadable_file|memory_limit|unknown_column)$/.test(error.code)
      if (!isClean) t.fail(`round ${round}: ${error instanceof Error ? error.stack : error}`)
    }
    if (core.isDead() || core.usedBytes() > 0) t.fail(`round ${round} harms the core`)
  }
  t.equal(core.usedBytes(), 0)
})
