import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { constants, zstdCompressSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import * as arrow from 'apache-arrow'
import { Compression, Table, WriterPropertiesBuilder, WriterVersion, writeParquet } from 'parquet-wasm'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { parquet } from '../../src/workers/formats/parquet/parquet.ts'
import { inflateZstdFront } from '../../src/workers/formats/zstd-front.ts'
import { readContext } from '../formats/context.ts'
import { segmentsIn } from '../formats/segments.ts'
import { memorySource } from '../formats/source.ts'
import { columnValues, encode, type Value } from '../formats/values.ts'
import { generator } from '../support/generate.ts'

const random = generator('fronts')

const noise = (length: number): Buffer => Buffer.from(Uint8Array.from({ length }, () => random(256)))
const words = (length: number): Buffer => Buffer.from(Uint8Array.from({ length }, () => random(4)))

/** Frames as writers make them, and their content. */
const FRAMES: Readonly<Record<string, readonly [frame: Uint8Array, content: Buffer]>> = {}
const FRAME_BYTES = 1_000_000
for (const [name, content] of Object.entries({
  noise: noise(FRAME_BYTES),
  words: words(FRAME_BYTES),
  zeros: Buffer.alloc(FRAME_BYTES),
  mixed: Buffer.concat([words(300_000), noise(200_000), new Uint8Array(200_000), words(300_000)]),
})) {
  const parameters = { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: 7 }
  Object.assign(FRAMES, {
    [name]: [zstdCompressSync(content), content],
    [`${name}, with a checksum`]: [zstdCompressSync(content, { params: parameters }), content],
    [`${name}, of small windows`]: [
      zstdCompressSync(content, { params: { [constants.ZSTD_c_windowLog]: 14 } }),
      content,
    ],
    [`${name}, of several frames`]: [
      Buffer.concat(
        [0, 1, 2].map((i) =>
          zstdCompressSync(content.subarray((i * FRAME_BYTES) / 3, ((i + 1) * FRAME_BYTES) / 3)),
        ),
      ),
      content,
    ],
  })
}

t.test('the front of a frame is that of its content, of fewer bytes', async (t) => {
  let partial = 0
  for (const [name, [frame, content]] of Object.entries(FRAMES))
    for (const share of [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 1]) {
      const wanted = Math.ceil(content.length * share)
      const front = inflateZstdFront(frame, content.length, wanted)
      if (front === null) continue
      t.ok(front.length >= wanted && front.length < content.length, `${share} of ${name}`)
      t.ok(content.subarray(0, front.length).equals(front))
      partial++
    }
  t.ok(partial > 40, `${partial} of ${7 * Object.keys(FRAMES).length} fronts`)
})

t.test('of what is damaged the front is none, or what the whole would be', async (t) => {
  for (const [frame, content] of Object.values(FRAMES)) {
    const half = content.length / 2
    for (const cut of [0, 1, 5, 8, 12, 100, frame.length >> 2]) {
      const front = inflateZstdFront(frame.subarray(0, cut), content.length, half)
      t.ok(front === null || content.subarray(0, front.length).equals(front), `cut at ${cut}`)
    }
    for (let round = 0; round < 16; round++) {
      const damaged = Uint8Array.from(frame)
      const at = round < 10 ? round : random(damaged.length)
      damaged[at] = (damaged[at] ?? 0) ^ (1 + random(255))
      const front = inflateZstdFront(damaged, content.length, half)
      t.ok(front === null || (front.length >= half && front.length <= content.length))
    }
  }
})

const core = createCore({ maximumBytes: 256 << 20 })

/** A condition in SQL: rows that are null, in runs and one by one. */
const NULLS = 'i // 1000 % 7 = 3 OR i % 11 = 4'

/** A file of 100 000 rows, with one page for each column. */
async function largePages(): Promise<Uint8Array> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  const location = join(mkdtempSync(join(tmpdir(), 'fronts-')), 'large.parquet')
  t.teardown(() => rmSync(dirname(location), { recursive: true }))
  await connection.run(`COPY (
    SELECT hash(i) / 7 AS f64, CASE WHEN NOT (${NULLS}) THEN hash(i) / 7 END AS f64_null,
      CASE WHEN NOT (${NULLS}) THEN i * 1000003 END::BIGINT AS i64, (i / 3)::FLOAT AS f32,
      CASE WHEN NOT (${NULLS}) THEN hash(i) % 1000000000 END::INTEGER AS i32, 'text ' || i AS text
    FROM range(100000) t(i)) TO '${location}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 100352)`)
  connection.closeSync()
  return readFileSync(location)
}

/** A file of 60 000 rows, in small pages after a large dictionary. */
async function largeDictionaries(version: WriterVersion): Promise<Uint8Array> {
  const isNull = (row: number): boolean => Math.floor(row / 1000) % 7 === 3 || row % 11 === 4
  const column = (type: arrow.DataType, value: (row: number) => unknown, hasNulls: boolean): arrow.Vector =>
    arrow.vectorFromArray(
      Array.from({ length: 60_000 }, (_, row) => (hasNulls && isNull(row) ? null : value(row))),
      type,
    )
  const table = new arrow.Table({
    f64: column(new arrow.Float64(), () => random(1e9) / 7, false),
    i64: column(new arrow.Int64(), (row) => BigInt(row) * 1_000_003n, true),
    text: column(new arrow.Utf8(), (row) => `text ${row}`, true),
  })
  const properties = new WriterPropertiesBuilder()
    .setCompression(Compression.ZSTD)
    .setDictionaryPageSizeLimit(16 << 20)
    .setDataPageSizeLimit(8 << 10)
    .setWriterVersion(version)
    .build()
  return writeParquet(Table.fromIPCStream(arrow.tableToIPC(table, 'stream')), properties)
}

const FILES: Readonly<Record<string, () => Promise<Uint8Array>>> = {
  'large pages': largePages,
  'large dictionaries': () => largeDictionaries(WriterVersion.V1),
  'large dictionaries, version 2': () => largeDictionaries(WriterVersion.V2),
}

for (const [name, make] of Object.entries(FILES))
  t.test(`rows of ${name}`, async (t) => {
    const source = memorySource(await make())
    const context = readContext(core)
    const file = parquet.open(source, context)
    const { fields } = file.schema
    const rows = segmentsIn(file)[0]?.rows ?? 0
    /** Rows `begin`..`end` of the range `from`..`to`. `isSelected`: the other rows of the range need not be read. */
    const read = (from: number, to: number, begin: number, end: number, isSelected: boolean): Value[][] => {
      const range = { kind: 'rows', segment: 0, from, to } as const
      const selection = isSelected
        ? { hasAny: (first: number, last: number) => first < end && last > begin }
        : undefined
      const { columns } = file.read(source, range, fields, context, selection)
      const mask = core.inRuns(to - from, [{ from: begin, to: end }])
      const kept = columns.map((column) => core.filter(column, mask))
      const values = columnValues(encode(core, kept, fields, end - begin))
      for (const column of [...columns, ...kept]) core.free(column)
      core.freeMask(mask)
      return values
    }
    const all = read(0, rows, 0, rows, false)
    for (const from of [0, 100, 20_000])
      for (const to of [from + 1, from + 1000, from + 30_000, rows]) {
        const begin = random(to - from)
        const end = Math.min(to - from, begin + 1 + random(1000))
        const expected = all.map((values) => values.slice(from + begin, from + end))
        for (const isSelected of [false, true])
          t.ok(
            isDeepStrictEqual(read(from, to, begin, end, isSelected), expected),
            `${begin} to ${end} of rows ${from} to ${to}`,
          )
      }
    t.equal(core.usedBytes(), 0)
  })
