import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import {
  ConvertedType,
  PhysicalType,
  Repetition,
  type SchemaElement,
} from '../../../src/workers/formats/parquet/metadata/metadata.ts'
import { writeParquet } from '../../parquet/write-parquet.ts'
import { generator } from '../../support/generate.ts'
import { answersOf } from '../answers.ts'
import { startTestService } from '../service.ts'

const ROWS = 20_000
const random = generator('decimals')
const service = await startTestService(t, { workers: 2 })
const { rowsOf } = answersOf(service)
const native = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
t.teardown(() => native.closeSync())

/** The columns of all files. `wide` has more digits than 64 bits hold. */
const DECIMALS = Object.freeze({ tiny: [9, 2], short: [15, 2], long: [18, 4], wide: [25, 3] } as const)
const NAMES = Object.keys(DECIMALS) as (keyof typeof DECIMALS)[]

/** Unscaled values, about a seventh of them null. */
const values: Readonly<Record<keyof typeof DECIMALS, readonly (bigint | null)[]>> = {
  tiny: column(10n ** 9n),
  short: column(10n ** 7n),
  long: column(10n ** 18n),
  wide: column(10n ** 25n),
}

function column(bound: bigint): readonly (bigint | null)[] {
  return Array.from({ length: ROWS }, () => {
    if (random(7) === 0) return null
    const far = BigInt(random(2 ** 30)) * BigInt(random(2 ** 30)) * BigInt(random(2 ** 30))
    const value = (random(3) === 0 ? BigInt(random(100)) : far) % bound
    return random(2) === 0 ? value : -value
  })
}

/** The same as two's complement, the highest byte first, in so many bytes, or in as few as it takes. */
function bytesOf(value: bigint, length: number | null): Uint8Array {
  const needed = length ?? 1 + Math.floor((value < 0n ? -value : value).toString(2).length / 8)
  const hex = BigInt.asUintN(needed * 8, value)
    .toString(16)
    .padStart(needed * 2, '0')
  return Buffer.from(hex, 'hex')
}

/** A file that has decimals as byte arrays of a fixed length for each column, or of any length. */
function ofByteArrays(lengths: Readonly<Record<keyof typeof DECIMALS, number>> | null): Uint8Array {
  const { byteArray, fixedLenByteArray } = PhysicalType
  const type = lengths === null ? byteArray : fixedLenByteArray
  const elements = NAMES.map((name): SchemaElement => {
    const [precision, scale] = DECIMALS[name]
    return {
      name,
      type,
      ...(lengths !== null && { typeLength: lengths[name] }),
      repetition: Repetition.optional,
      convertedType: ConvertedType.decimal,
      precision,
      scale,
    }
  })
  const leaves = NAMES.map((name) => ({
    path: [name],
    type,
    maxDefinition: 1,
    maxRepetition: 0,
    pages: [
      {
        version: 1 as const,
        levels: values[name].map((value) => ({
          repetition: 0,
          definition: value === null ? 0 : 1,
          ...(value !== null && { value: bytesOf(value, lengths?.[name] ?? null) }),
        })),
      },
    ],
  }))
  return writeParquet([{ name: 'schema', children: elements.length }, ...elements], leaves, ROWS)
}

const path = (name: string): string => join(service.datasets, name)
writeFileSync(path('fixed.parquet'), ofByteArrays({ tiny: 4, short: 7, long: 8, wide: 11 }))
writeFileSync(path('sixteen.parquet'), ofByteArrays({ tiny: 16, short: 16, long: 16, wide: 16 }))
writeFileSync(path('bytes.parquet'), ofByteArrays(null))
for (const [name, options] of [
  ['integers', 'ROW_GROUP_SIZE 6000'],
  ['plain', 'ROW_GROUP_SIZE 2048, COMPRESSION uncompressed'],
  ['deltas', 'PARQUET_VERSION v2'],
] as const)
  await native.run(
    `COPY (SELECT * FROM '${path('fixed.parquet')}') TO '${path(`${name}.parquet`)}' (FORMAT parquet, ${options})`,
  )

/** Statements over a table of these columns, which the core runs. */
const STATEMENTS: readonly ((table: string) => string)[] = [
  (table) =>
    `SELECT sum(tiny) AS a, sum(short) AS b, sum(long) AS c, sum(wide) AS d, count(tiny) AS n FROM ${table}`,
  (table) => `SELECT avg(tiny) AS a, avg(short) AS b, avg(long) AS c, count(*) AS n FROM ${table}`,
  (table) => `SELECT sum(short) AS a, min(short) AS b, max(short) AS c, min(tiny) AS d FROM ${table}`,
  (table) =>
    `SELECT tiny % 1 AS k, sum(tiny) AS a, sum(short) AS b FROM ${table} WHERE tiny BETWEEN -9 AND 9 GROUP BY k ORDER BY k`,
  (table) =>
    `SELECT tiny, sum(tiny) AS a, count(*) AS n FROM ${table} WHERE tiny < 0.5 AND tiny > -0.5 GROUP BY tiny ORDER BY tiny`,
  (table) => `SELECT sum(short * 0.5) AS a, sum(short * (1 - tiny)) AS b, sum(-short) AS c FROM ${table}`,
  (table) =>
    `SELECT sum(short) AS a, count(*) AS n FROM ${table} WHERE short >= 0.25 AND long < 1000 AND wide IS NOT NULL`,
  (table) =>
    `SELECT sum(short) AS a FROM ${table} WHERE short IN (0.01, 0.07, 0.5) OR short + tiny > 1000000`,
  (table) =>
    `SELECT sum(count_of::DECIMAL(12, 2)) AS a FROM (SELECT 3 AS count_of, tiny FROM ${table}) WHERE tiny > 0`,
  (table) =>
    `SELECT sum(CASE WHEN tiny > 0 THEN short ELSE 0.5 END) AS a, avg(abs(short)) AS b FROM ${table}`,
  (table) => `SELECT sum(tiny) AS a FROM ${table} WHERE tiny > 999999999`,
  (table) =>
    `SELECT sum(short) FILTER (WHERE tiny > 0) AS a, sum(short) AS b FROM ${table} HAVING sum(short) IS NOT NULL`,
]

/** The numbers of rows, decimals and floats alike: floats differ in their last digits. */
function numbersOf(rows: readonly object[]): readonly (readonly (number | null)[])[] {
  return rows.map((row) =>
    Object.values(row).map((value) => (value === null ? null : Number(Number(value).toPrecision(13)))),
  )
}

for (const files of [
  ['integers'],
  ['plain'],
  ['deltas'],
  ['fixed'],
  ['sixteen'],
  ['bytes'],
  // Some units have 64 bits as they are stored, and others are cast.
  ['integers', 'bytes', 'fixed', 'sixteen'],
])
  t.test(`decimals of ${files.join(', ')} are added up as by DuckDB`, async (t) => {
    const ours = `read_parquet([${files.map((name) => `'${name}.parquet'`).join()}])`
    const theirs = `read_parquet([${files.map((name) => `'${path(`${name}.parquet`)}'`).join()}])`
    for (const statement of STATEMENTS) {
      const expected = await native.runAndReadAll(statement(theirs))
      const rows = expected.getRowObjectsJson()
      // A second time columns may be kept, of each width their own.
      for (const _ of [1, 2])
        t.strictSame(numbersOf(await rowsOf({ sql: statement(ours) })), numbersOf(rows), statement('t'))
    }
  })
