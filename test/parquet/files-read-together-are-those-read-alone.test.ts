import { deepStrictEqual } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t, { type Test } from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import type { Field } from '../../src/plan/types/schema.ts'
import type { Column } from '../../src/wasm/core/column.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { parquet } from '../../src/workers/formats/parquet/parquet.ts'
import type { OpenFile } from '../../src/workers/formats/provider.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { columnValues, encode } from '../formats/values.ts'
import { fc, generator } from '../support/generate.ts'
import { writtenByParquetWasm } from './parquet-wasm-files.ts'

const core = createCore({ maximumBytes: 256 << 20 })
const context = readContext(core)

/** How many columns were read together, and how many not, because the core does not read their files. */
const seen = { together: 0, alone: 0 }

/** The rows of all of a file with one row group. Null: it has others, or cannot be read. */
function readAlone(bytes: Uint8Array, opened: OpenFile, field: Field): unknown {
  const store = memorySource(bytes)
  const segments = opened.segments([], store, context)
  const [segment, ...others] = segments.kind === 'list' ? segments.segments : []
  if (segment === undefined || others.length > 0) return null
  const range = { kind: 'rows', segment: 0, from: 0, to: segment.rows ?? 0 } as const
  return attempt(() => {
    const { columns, rows } = opened.read(store, range, [field], context)
    return contentOf(columns, rows, field)
  })
}

function contentOf([column]: readonly Column[], rows: number, field: Field): unknown {
  if (column === undefined) throw new Error('no column')
  try {
    return columnValues(encode(core, [column], [field], rows))[0]
  } finally {
    core.free(column)
  }
}

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isServiceError(error) && error.code !== 'internal') return null
    throw error
  }
}

/** Reads a column of a file and of another one together. Null: one of them is left to be read alone. */
function readTogether(first: Uint8Array, second: Uint8Array, opened: OpenFile, field: Field): unknown {
  using together = opened.together?.([field], memorySource(first), context)
  if (!together) return null
  let rows = 0
  for (const bytes of [first, second]) {
    const store = memorySource(bytes)
    const open = () => parquet.open(store, context)
    const [segment] = listOf(attempt(open) ?? opened, bytes)
    const range = { kind: 'rows', segment: 0, from: 0, to: segment?.rows ?? 0 } as const
    const held = { store, file: store.file, isCaching: false, memory: bytes, at: 0, size: bytes.length }
    if (!together.add({ ...held, range, rows: range.to, open })) return null
    rows += range.to
  }
  return contentOf(together.take(), rows, field)
}

function listOf(opened: OpenFile, bytes: Uint8Array) {
  const segments = opened.segments([], memorySource(bytes), context)
  return segments.kind === 'list' ? segments.segments : []
}

function compare(t: Test, name: string, bytes: Uint8Array): void {
  const opened = attempt(() => parquet.open(memorySource(bytes), context))
  for (const field of opened?.schema.fields ?? []) {
    if (opened === null) continue
    const alone = readAlone(bytes, opened, field)
    const together = readTogether(bytes, bytes, opened, field)
    if (together === null) {
      seen.alone++
      continue
    }
    seen.together++
    t.ok(Array.isArray(alone), `${name}, "${field.name}" can be read alone`)
    if (Array.isArray(alone)) deepStrictEqual(together, [...alone, ...alone])
  }
}

const FIXTURES = join(import.meta.dirname, '..', 'fixtures')

function fixtures(): readonly (readonly [string, Buffer])[] {
  return ['parquet', 'parquet-encodings'].flatMap((folder) =>
    readdirSync(join(FIXTURES, folder))
      .filter((file) => file.endsWith('.parquet'))
      .map((file) => [file, readFileSync(join(FIXTURES, folder, file))] as const),
  )
}

t.test('files of many writers', async (t) => {
  for (const [name, bytes] of fixtures()) compare(t, name, bytes)
  t.ok(seen.together > 100, `${seen.together} columns are read together, ${seen.alone} alone`)
  t.equal(core.usedBytes(), 0)
})

t.test('files of parquet-wasm, of any types, encodings, codecs and pages', async (t) => {
  fc.assert(
    fc.property(writtenByParquetWasm, (bytes) => compare(t, 'parquet-wasm', bytes)),
    { numRuns: 60 },
  )
  t.equal(core.usedBytes(), 0)
})

t.test('files of DuckDB', async (t) => {
  const folder = t.testdir({})
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  for (const version of ['V1', 'V2'])
    for (const codec of ['uncompressed', 'snappy', 'lz4_raw', 'zstd']) {
      const location = join(folder, `${version}-${codec}.parquet`)
      await connection.run(
        `COPY (SELECT i, i % 5 = 0 AS b, (i * 0.5)::FLOAT AS f, NULLIF(i % 3, 0) AS n, 'text ' || i % 9 AS s, i * 0.25 AS d
           FROM range(1000) r(i)) TO '${location}' (FORMAT parquet, PARQUET_VERSION ${version}, CODEC ${codec})`,
      )
      const before = seen.together
      compare(t, `${version} ${codec}`, readFileSync(location))
      t.equal(seen.together - before, codec === 'zstd' ? 0 : 6, `${version} ${codec}`)
    }
  connection.closeSync()
  t.equal(core.usedBytes(), 0)
})

t.test('a damaged file is left to be read alone, or has the rows that it has alone', async (t) => {
  const random = generator('damage')
  let added = 0
  for (const [name, bytes] of fixtures()) {
    const opened = attempt(() => parquet.open(memorySource(bytes), context))
    if (opened === null) continue
    for (let round = 0; round < 40; round++) {
      const field: Field | undefined = opened.schema.fields[random(opened.schema.fields.length)]
      if (field === undefined) continue
      const damaged = Buffer.from(bytes)
      for (let change = 0; change <= random(3); change++) damaged[random(damaged.length)] = random(256)
      const cut = random(8) === 0 ? damaged.subarray(0, random(damaged.length)) : damaged
      const together = readTogether(bytes, cut, opened, field)
      if (!Array.isArray(together)) continue
      added++
      const alone: unknown = attempt(() => readAlone(cut, parquet.open(memorySource(cut), context), field))
      // Alone, damage in another column is an error of the file.
      if (!Array.isArray(alone)) continue
      const whole = readAlone(bytes, opened, field)
      if (Array.isArray(whole)) deepStrictEqual(together.slice(whole.length), alone, name)
    }
  }
  t.ok(added > 0, `${added} damaged files have rows`)
  t.equal(core.isDead(), false)
  t.equal(core.usedBytes(), 0)
})

t.test('a file of another layout is left to be read alone', async (t) => {
  const all = fixtures()
  for (const [name, bytes] of all) {
    const opened = attempt(() => parquet.open(memorySource(bytes), context))
    const [field] = opened?.schema.fields ?? []
    if (opened === null || field === undefined) continue
    using together = opened.together?.([field], memorySource(bytes), context)
    for (const [other, otherBytes] of all) {
      const store = memorySource(otherBytes)
      const open = () => parquet.open(store, context)
      const otherFile = attempt(open)
      if (otherFile === null || !together) continue
      const rows = listOf(otherFile, otherBytes)[0]?.rows ?? 0
      const range = { kind: 'rows', segment: 0, from: 0, to: rows } as const
      const held = { store, file: store.file, isCaching: false, memory: otherBytes, at: 0 }
      if (together.add({ ...held, size: otherBytes.length, range, rows, open }))
        t.same(otherFile.schema, opened.schema, `${name} and ${other} have one schema`)
    }
  }
  t.equal(core.usedBytes(), 0)
})
