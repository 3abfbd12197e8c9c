import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t, { type Test } from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { fc, generator } from '../support/generate.ts'
import { compareDecoders, flatChunks } from './both-decoders.ts'
import { writtenByParquetWasm } from './parquet-wasm-files.ts'

const core = createCore({ maximumBytes: 256 << 20 })

/** Compares both decoders over all rows of every flat column, and over some ranges of them. The core decodes every column. */
function compare(t: Test, name: string, bytes: Uint8Array, rounds: number): void {
  const random = generator(name)
  // Some rows of a file that is refused may still be read.
  const outcomes = name.startsWith('refused') ? ['equal', 'both refuse'] : ['equal']
  for (const { column, rows } of flatChunks(bytes))
    for (let round = 0; round < rounds; round++) {
      const offset = round === 0 ? 0 : random(rows)
      const limit = round === 0 ? rows : 1 + random(rows - offset)
      const { field } = column.column
      t.ok(
        outcomes.includes(compareDecoders(core, column, offset, limit) ?? 'left to parquet-wasm'),
        `${name}, "${field.name}" (${field.type.kind}), ${limit} rows from ${offset}`,
      )
    }
}

const FIXTURES = join(import.meta.dirname, '..', 'fixtures')

for (const folder of ['parquet', 'parquet-encodings'])
  t.test(`files of test/fixtures/${folder}`, async (t) => {
    for (const file of readdirSync(join(FIXTURES, folder)))
      if (file.endsWith('.parquet') && !file.startsWith('encrypted'))
        compare(t, file, readFileSync(join(FIXTURES, folder, file)), 4)
    t.equal(core.usedBytes(), 0)
  })

t.test('files of parquet-wasm, of any types, encodings, codecs and pages', async (t) => {
  fc.assert(
    fc.property(writtenByParquetWasm, (bytes) => compare(t, 'parquet-wasm', bytes, 2)),
    { numRuns: 60 },
  )
  t.equal(core.usedBytes(), 0)
})

t.test('files of DuckDB', async (t) => {
  const folder = t.testdir({})
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  const codecs = ['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw']
  for (const version of ['V1', 'V2'])
    for (const codec of codecs)
      for (const dictionary of [1, 100_000]) {
        const name = `${version}-${codec}-${dictionary}.parquet`
        await connection.run(
          `COPY (${QUERY}) TO '${join(folder, name)}' (FORMAT parquet, PARQUET_VERSION ${version},
             CODEC ${codec}, DICTIONARY_SIZE_LIMIT ${dictionary}, ROW_GROUP_SIZE 2048)`,
        )
        compare(t, name, readFileSync(join(folder, name)), 2)
      }
  connection.closeSync()
  t.equal(core.usedBytes(), 0)
})

const QUERY = `
  SELECT (i % 7 < 3) AS bool, i::TINYINT AS i8, i::UTINYINT AS u8, (i * 31)::SMALLINT AS i16, i AS i64,
    (i * 77)::USMALLINT AS u16, (i * 1e6)::UINTEGER AS u32, (i * 1e16)::UBIGINT AS u64, i::HUGEINT AS huge,
    (i * 0.37)::FLOAT AS f32, i * 1.37 AS f64, (i % 9)::DOUBLE AS few, (i * 0.25)::DECIMAL(4, 2) AS dec4,
    (i * 0.25)::DECIMAL(9, 2) AS dec9, (i * 1e6)::DECIMAL(18, 3) AS dec18, (-i * 1e20)::DECIMAL(38, 4) AS dec38,
    'text ' || i AS text, ['argo', 'ctd', ''][1 + i % 3] AS word, ('\\x00' || chr(65 + (i % 26)::INT))::BLOB AS blob,
    DATE '2020-01-01' + i::INT AS date, TIME '01:02:03.000004' AS time, TIMESTAMP '2020-01-01' + INTERVAL (i) HOUR AS ts,
    (TIMESTAMP '1960-01-01' + INTERVAL (i) HOUR)::TIMESTAMP_NS AS ts_ns, md5(i::VARCHAR)::UUID AS uuid,
    (TIMESTAMP '2020-01-01' + INTERVAL (i) HOUR)::TIMESTAMP_S AS ts_s, INTERVAL (i) MONTH + INTERVAL (i) DAY AS span,
    CASE WHEN i % 5 > 0 THEN i END AS gaps, CASE WHEN i // 100 % 2 = 0 THEN i / 3 END AS runs, NULL::INT AS none
  FROM (SELECT unnest(generate_series(0, 120))::BIGINT AS i)`
