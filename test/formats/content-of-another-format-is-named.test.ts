import { readFileSync } from 'node:fs'
import t from 'tap'
import { FORMATS } from '../../src/plan/formats.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { PROVIDERS } from '../../src/workers/formats/providers.ts'
import { createReaders } from '../../src/workers/formats/readers.ts'
import { readContext } from './context.ts'
import { fixture } from './fixtures.ts'
import { ARROW, csvFormat, PARQUET } from './product.ts'
import { memorySource } from './source.ts'

const readers = createReaders(FORMATS, PROVIDERS)
const context = readContext(createCore({ maximumBytes: 64 << 20 }))

const CONTENT = {
  Parquet: readFileSync(fixture('parquet', 'duckdb-v2')),
  Arrow: readFileSync(fixture('arrow', 'flat-file')),
  'an Arrow stream': readFileSync(fixture('arrow', 'flat-stream-lz4')),
  CSV: Buffer.from('a,b\n1,2\n'),
}

/** The message of the error that opening these bytes throws; null: they can be opened. */
function refused(bytes: Uint8Array, format: typeof PARQUET, path = 'a.csv'): string | null {
  try {
    readers.open(format, memorySource(bytes, path), context)
    return null
  } catch (error) {
    t.equal(Reflect.get(Object(error), 'code'), 'unreadable_file')
    return error instanceof Error ? error.message : ''
  }
}

t.test('with how it is to be read, whatever the file is called', async (t) => {
  const instead = 'read it with read_parquet or "parquet".'
  t.equal(refused(CONTENT.Parquet, csvFormat()), `"a.csv" holds Parquet, and was read as CSV; ${instead}`)
  t.equal(
    refused(CONTENT.Parquet, ARROW, 'a.arrow'),
    `"a.arrow" holds Parquet, and was read as Arrow; ${instead}`,
  )
  for (const name of ['Arrow', 'an Arrow stream'] as const)
    for (const [format, title] of [
      [csvFormat({ delimiter: ';' }), 'CSV'],
      [PARQUET, 'Parquet'],
    ] as const)
      t.equal(
        refused(CONTENT[name], format, 'a.parquet'),
        `"a.parquet" holds Arrow, and was read as ${title}; read it with read_arrow or "arrow".`,
      )
})

t.test('of text with the reason beside it, for text looks like any other', async (t) => {
  for (const format of [PARQUET, ARROW]) {
    const message = refused(CONTENT.CSV, format) ?? ''
    t.match(
      message,
      /^"a.csv" cannot be read as (Parquet|Arrow): .* It seems to hold CSV: read it with read_csv or "csv"\.$/,
    )
  }
})

t.test('a file of its own format is opened, and a damaged one keeps its own error', async (t) => {
  t.equal(refused(CONTENT.Parquet, PARQUET), null)
  t.equal(refused(CONTENT.Arrow, ARROW), null)
  t.equal(refused(CONTENT['an Arrow stream'], ARROW), null)
  t.equal(refused(CONTENT.CSV, csvFormat()), null)
  t.notMatch(refused(CONTENT.Parquet.subarray(0, -1), PARQUET), /hold/)
  t.notMatch(refused(Buffer.alloc(0), PARQUET), /hold/)
  t.notMatch(refused(Buffer.alloc(100), PARQUET), /hold/)
  t.notMatch(refused(Buffer.from('\x1f\x8bzipped', 'latin1'), csvFormat()), /hold/)
})

t.test('opening what is right reads nothing more for it', async (t) => {
  const source = memorySource(CONTENT.Parquet)
  readers.open(PARQUET, source, context)
  const alone = memorySource(CONTENT.Parquet)
  PROVIDERS['parquet']?.(PARQUET).open(alone, context)
  t.same(source.reads, alone.reads)
})

t.test('each format that is read has a provider', async (t) => {
  const { parquet: _, ...others } = PROVIDERS
  t.throws(() => createReaders(FORMATS, others), { message: /no provider reads the format "parquet"/ })
})
