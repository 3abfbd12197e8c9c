import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { flatColumnOf } from '../../src/workers/formats/parquet/decode/flat.ts'
import type { MiniColumn } from '../../src/workers/formats/parquet/decode/mini-file.ts'
import { Encoding, type PageHeader } from '../../src/workers/formats/parquet/metadata/metadata.ts'
import type { Page } from '../../src/workers/formats/parquet/pages/pages.ts'
import { createParquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { segmentsIn } from '../formats/segments.ts'
import { memorySource } from '../formats/source.ts'
import { generator } from '../support/generate.ts'
import { type FlatChunk, flatChunks } from './both-decoders.ts'

/** How many damages are tried. A longer run: `PARQUET_DAMAGES=1000000 npx tap --timeout=3600 test/parquet/damaged-pages*`. */
const ROUNDS = Number(process.env.PARQUET_DAMAGES ?? 40_000)
const SEED = process.env.PARQUET_SEED ?? 'damages'

const FOLDER = join(import.meta.dirname, '..', 'fixtures')
const FILES = ['parquet-encodings', 'parquet'].flatMap((folder) =>
  readdirSync(join(FOLDER, folder))
    .filter((file) => file.endsWith('.parquet') && !/encrypted|nested|noise|no-columns|empty/.test(file))
    .map((file) => readFileSync(join(FOLDER, folder, file))),
)

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)

/** Rethrows every error but those that say that the file is damaged or too large. */
function readOrRefuse(read: () => void): 'read' | 'refused' {
  try {
    read()
    return 'read'
  } catch (error) {
    if (isServiceError(error) && (error.code === 'unreadable_file' || error.code === 'memory_limit'))
      return 'refused'
    throw error
  }
}

type Random = (below: number) => number

/** The bytes with some bits flipped, or with bytes overwritten, cut out or inserted. */
function damaged(bytes: Uint8Array, random: Random): Uint8Array {
  let out = Uint8Array.from(bytes)
  for (let i = 0; i <= random(3); i++) {
    const at = random(out.length + 1)
    switch (random(6)) {
      case 0:
        out = out.subarray(0, at)
        break
      case 1:
        out = Buffer.concat([out.subarray(0, at), out.subarray(at + random(9))])
        break
      case 2:
        out = Buffer.concat([
          out.subarray(0, at),
          Uint8Array.from({ length: 1 + random(9) }, () => random(256)),
          out.subarray(at),
        ])
        break
      case 3:
        if (at < out.length) out[at] = [0, 1, 127, 128, 255][random(5)] ?? 0
        break
      default:
        if (at < out.length) out[at] = (out[at] ?? 0) ^ (1 << random(8))
    }
  }
  return out
}

const ENCODINGS = Object.values(Encoding)
const NUMBERS = [0, 1, 7, 8, 255, 4096, 65_536, 2 ** 20, 2 ** 28, 2 ** 31 - 1]

/** Mostly the value itself, else another number: near it, or one from `NUMBERS`. */
function changed(value: number, random: Random): number {
  if (random(4) > 0) return value
  const pick = NUMBERS[random(NUMBERS.length)] ?? 0
  return random(2) === 0 ? pick : Math.max(0, value + random(9) - 4)
}

/** The header with other values in its fields, but only such as `readPageHeader` accepts. */
function damagedHeader(header: PageHeader, length: number, random: Random): PageHeader {
  const encoding = (each: number): number =>
    random(8) > 0 ? each : (ENCODINGS[random(ENCODINGS.length)] ?? 0)
  const { dataPage, dataPageV2: v2, dictionaryPage } = header
  const levels = (bytes: number): number => Math.min(length, changed(bytes, random))
  return {
    ...header,
    compressedSize: length,
    uncompressedSize: changed(header.uncompressedSize, random),
    ...(dataPage && {
      dataPage: {
        ...dataPage,
        values: changed(dataPage.values, random),
        encoding: encoding(dataPage.encoding),
      },
    }),
    ...(dictionaryPage && {
      dictionaryPage: { ...dictionaryPage, values: changed(dictionaryPage.values, random) },
    }),
    ...(v2 && {
      dataPageV2: {
        ...v2,
        values: changed(v2.values, random),
        encoding: encoding(v2.encoding),
        definitionLevelBytes: levels(v2.definitionLevelBytes),
        isCompressed: random(8) > 0 ? v2.isCompressed !== false : random(2) === 0,
      },
    }),
  }
}

function damagedColumn({ column: { column, chunks } }: FlatChunk, random: Random): MiniColumn {
  return {
    column,
    chunks: chunks.map((chunk) => {
      const isHit = (): boolean => random(Math.min(4, chunk.pages.length)) === 0
      const pages = chunk.pages.map((page) => {
        if ('gap' in page || !isHit()) return page
        const body = random(3) > 0 ? damaged(page.body, random) : page.body
        const header = random(2) > 0 ? damagedHeader(page.header, body.length, random) : page.header
        return { header, body } satisfies Page
      })
      return { ...chunk, pages }
    }),
  }
}

t.test('in the core: pages as they are handed over', async (t) => {
  const random = generator(SEED)
  const chunks = FILES.flatMap(flatChunks)
  const outcomes = { read: 0, refused: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const chunk = chunks[random(chunks.length)]
    if (chunk === undefined) continue
    const offset = random(3) > 0 ? 0 : random(chunk.rows)
    const limit = random(3) > 0 ? chunk.rows - offset : 1 + random(chunk.rows - offset)
    const flat = flatColumnOf(damagedColumn(chunk, random), offset, limit)
    if (flat === null) continue
    const outcome = readOrRefuse(() => {
      const column = core.flatColumn(flat)
      if (core.rows(column) !== limit)
        t.fail(`round ${round} of ${SEED}: ${core.rows(column)} of ${limit} rows`)
      core.free(column)
    })
    outcomes[outcome]++
  }
  t.ok(outcomes.read > ROUNDS / 100 && outcomes.refused > ROUNDS / 10, JSON.stringify(outcomes))
  t.notOk(core.isDead())
  t.equal(core.usedBytes(), 0)
  for (const { column, rows } of chunks.slice(0, 50)) {
    const flat = flatColumnOf(column, 0, rows)
    if (flat !== null) core.free(core.flatColumn(flat))
  }
})

t.test('in the file: headers, compressed bytes and levels', async (t) => {
  const random = generator(`${SEED} of files`)
  const provider = createParquet({ smallChunk: 0, indexedChunk: 0, together: 0 })
  const outcomes = { read: 0, refused: 0 }
  for (let round = 0; round < ROUNDS / 10; round++) {
    const file = FILES[random(FILES.length)] ?? Buffer.alloc(0)
    const footer = file.readUInt32LE(file.length - 8)
    const pages = damaged(file.subarray(4, file.length - 8 - footer), random)
    // After bytes that were cut out or inserted, no page begins where it is looked for.
    const bytes = Buffer.from(file)
    bytes.set(pages.subarray(0, file.length - 12 - footer), 4)
    const source = memorySource(bytes)
    const opened = provider.open(source, context)
    for (const [segment, { rows }] of segmentsIn(opened).entries())
      for (const field of opened.schema.fields) {
        if (random(5) > 0) continue
        const range = { kind: 'rows', segment, from: 0, to: rows ?? 0 } as const
        const outcome = readOrRefuse(() => {
          for (const column of opened.read(source, range, [field], context).columns) core.free(column)
        })
        outcomes[outcome]++
      }
  }
  t.ok(outcomes.read > 0 && outcomes.refused > 0, JSON.stringify(outcomes))
  t.notOk(core.isDead())
  t.equal(core.usedBytes(), 0)
})
