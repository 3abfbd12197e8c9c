import { readFileSync } from 'node:fs'
import { tableFromIPC } from 'apache-arrow'
import { readParquet } from 'parquet-wasm'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import {
  PhysicalType,
  Repetition,
  type SchemaElement,
} from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { createParquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { fixture } from '../formats/fixtures.ts'
import { segmentsIn } from '../formats/segments.ts'
import { memorySource } from '../formats/source.ts'
import { columnValues, readValues, type Value } from '../formats/values.ts'
import { fc, generator } from '../support/generate.ts'
import { type Level, type TestPage, writeParquet } from './write-parquet.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)
const provider = createParquet({ smallChunk: 0, indexedChunk: 0, together: 32 << 20 })

/** Each column as parquet-wasm reads it, by name. */
function readByParquetWasm(bytes: Uint8Array): Map<string, Value[]> {
  const table = tableFromIPC(readParquet(bytes).intoIPCStream())
  const values = columnValues(table)
  return new Map(table.schema.fields.map(({ name }, i) => [name, values[i] ?? []]))
}

const WRITTEN = [
  ...['texts-v1', 'texts-v2', 'dictionary-then-plain', 'delta-lengths', 'pages-v1-index', 'pages-v2'],
  ...['flat-none', 'flat-required', 'flat-v1-snappy', 'flat-v2-zstd'],
  ...['duckdb-v1', 'duckdb-v2', 'duckdb-texts-v1', 'duckdb-texts-v2'],
]

for (const name of WRITTEN)
  t.test(`any rows of ${name}`, async (t) => {
    const bytes = readFileSync(fixture('parquet', name))
    const source = memorySource(bytes)
    const file = provider.open(source, context)
    const texts = file.schema.fields.filter(({ type }) => type.kind === 'utf8' || type.kind === 'binary')
    const names = texts.map((field) => field.name)
    const expected = readByParquetWasm(bytes)
    const random = generator(name)
    let begin = 0
    for (const [segment, { rows }] of segmentsIn(file).entries()) {
      const total = rows ?? 0
      for (let round = 0; round < 20; round++) {
        const from = round === 0 ? 0 : random(total)
        const to = round === 0 ? total : from + 1 + random(Math.min(total - from, round % 2 ? 9 : total))
        t.strictSame(
          readValues(file, source, segment, from, to, names, context),
          names.map((each) => expected.get(each)?.slice(begin + from, begin + to)),
          `${from} to ${to} of row group ${segment}`,
        )
      }
      begin += total
    }
    t.ok(names.length > 0)
    t.equal(core.usedBytes(), 0)
  })

const SCHEMA: readonly SchemaElement[] = [
  { name: 'schema', children: 2 },
  {
    name: 'optional',
    type: PhysicalType.byteArray,
    repetition: Repetition.optional,
    logicalType: { string: {} },
  },
  { name: 'required', type: PhysicalType.byteArray, repetition: Repetition.required },
]
const WORDS = ['', 'a', 'ctd', 'twelve bytes', 'thirteen byte', 'Ærø', 'a text of more than thirty-two bytes']

const page = fc.record({
  words: fc.array(fc.option(fc.constantFrom(...WORDS), { nil: null, freq: 3 }), { maxLength: 40 }),
  version: fc.constantFrom(1 as const, 2 as const),
  isDictionary: fc.boolean(),
})

t.test('any pages of text, some of a dictionary and some plain', async (t) => {
  const dictionary = WORDS.map((word) => Buffer.from(word))
  fc.assert(
    fc.property(
      fc.array(page, { minLength: 1, maxLength: 6 }),
      fc.tuple(fc.nat(), fc.nat()),
      (pages, [start, length]) => {
        const words = pages.flatMap((each) => each.words)
        fc.pre(words.length > 0)
        const pagesOf = (level: (word: string | null) => Level): TestPage[] =>
          pages
            .filter((each) => each.words.length > 0)
            .map(({ words, ...rest }) => ({ ...rest, levels: words.map(level) }))
        const required = (word: string | null) => ({
          repetition: 0,
          definition: 0,
          value: Buffer.from(word ?? 'ctd'),
        })
        const optional = (word: string | null) =>
          word === null ? { repetition: 0, definition: 0 } : { ...required(word), definition: 1 }
        const leaf = { type: PhysicalType.byteArray, maxRepetition: 0, dictionary }
        const bytes = writeParquet(
          SCHEMA,
          [
            { ...leaf, path: ['optional'], maxDefinition: 1, pages: pagesOf(optional) },
            { ...leaf, path: ['required'], maxDefinition: 0, pages: pagesOf(required) },
          ],
          words.length,
        )
        const from = start % words.length
        const to = from + 1 + (length % (words.length - from))
        const source = memorySource(bytes)
        const file = provider.open(source, context)
        const read = readValues(file, source, 0, from, to, ['optional', 'required'], context)
        const rows = words.slice(from, to)
        t.strictSame(read, [rows, rows.map((word) => Buffer.from(word ?? 'ctd').toString('hex'))])
        const expected = readByParquetWasm(bytes)
        t.strictSame(
          read,
          ['optional', 'required'].map((name) => expected.get(name)?.slice(from, to)),
        )
      },
    ),
    { numRuns: 300 },
  )
  t.equal(core.usedBytes(), 0)
})

t.test('a dictionary stays one, until rows are plain', async (t) => {
  const source = memorySource(readFileSync(fixture('parquet', 'duckdb-texts-v1')))
  const file = provider.open(source, context)
  const values = (name: string): number => {
    const field = file.schema.fields.find((each) => each.name === name)
    const range = { kind: 'rows', segment: 0, from: 0, to: segmentsIn(file)[0]?.rows ?? 0 } as const
    const [column] = field === undefined ? [] : file.read(source, range, [field], context).columns
    if (column === undefined) throw new Error(`no column ${name}`)
    const count = core.duckDictionary(column)
    core.free(column)
    return count
  }
  t.equal(values('one'), 1)
  t.equal(values('few'), 5, 'four, and an empty one for null rows')
  t.equal(values('all'), 0)
  t.equal(core.usedBytes(), 0)
})
