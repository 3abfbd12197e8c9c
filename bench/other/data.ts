import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { PYTHON } from '../input/python.ts'

/** One of the data sets. Those of one kind have the same rows. */
export interface OtherData {
  /** Begins with the kind. */
  readonly name: string
  /** Decides which queries are run over it. */
  readonly kind: Kind
  /** Absolute paths of its files. */
  readonly files: readonly string[]
}

export type Kind = 'types' | 'skew' | 'wide' | 'many'

const COLUMNS_OF_WIDE = 200
const FILES_OF_MANY = 1000

/** Makes the data sets that do not exist yet, as folders below `root`. Without pyarrow those that it writes are left out. */
export async function otherData(root: string): Promise<OtherData[]> {
  mkdirSync(root, { recursive: true })
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  try {
    for (const [name, write] of Object.entries(WRITERS))
      await make(join(root, name), (folder) => write(connection, folder))
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
  for (const name of REWRITTEN)
    await make(join(root, name), async (folder) => {
      const script = join(import.meta.dirname, 'rewrite.py')
      const files = parquetFiles(join(root, 'types'))
      return spawnSync(PYTHON, [script, name, folder, ...files], { stdio: 'ignore' }).status === 0
    })
  return [...Object.keys(WRITERS), ...REWRITTEN]
    .filter((name) => existsSync(join(root, name)))
    .map((name) => ({
      name,
      kind: name.split('-')[0] as Kind,
      files: parquetFiles(join(root, name)),
    }))
}

function parquetFiles(folder: string): string[] {
  return readdirSync(folder)
    .toSorted()
    .map((file) => join(folder, file))
}

/** Makes a folder, unless it exists. A partial one is never left. */
async function make(folder: string, write: (folder: string) => Promise<boolean | undefined>): Promise<void> {
  if (existsSync(folder)) return
  const partial = `${folder}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial)
  if ((await write(partial)) === false) rmSync(partial, { recursive: true })
  else renameSync(partial, folder)
}

type Write = (connection: DuckDBConnection, folder: string) => Promise<undefined>

/** Data sets that pyarrow writes, with other encodings, codecs and pages. */
const REWRITTEN = ['types-delta', 'types-paged', 'types-plain', 'types-int96']

const WRITERS: Readonly<Record<string, Write>> = {
  types: (connection, folder) =>
    writeParts(connection, folder, {
      rows: types(),
      parts: 4,
      options: 'COMPRESSION zstd, ROW_GROUP_SIZE 6144',
    }),
  'types-v2': (connection, folder) =>
    writeParts(connection, folder, {
      rows: types(),
      parts: 4,
      options: 'COMPRESSION snappy, PARQUET_VERSION V2, ROW_GROUP_SIZE 6144',
    }),
  skew: (connection, folder) =>
    writeParts(connection, folder, {
      rows: SKEW,
      parts: 2,
      options: 'COMPRESSION zstd, ROW_GROUP_SIZE 61440',
    }),
  wide: (connection, folder) =>
    writeParts(connection, folder, {
      rows: wide(),
      parts: 1,
      options: 'COMPRESSION zstd, ROW_GROUP_SIZE 20480',
    }),
  many: (connection, folder) =>
    writeParts(connection, folder, { rows: MANY, parts: FILES_OF_MANY, options: 'COMPRESSION snappy' }),
}

async function writeParts(
  connection: DuckDBConnection,
  folder: string,
  { rows, parts, options }: { readonly rows: string; readonly parts: number; readonly options: string },
): Promise<undefined> {
  await connection.run(`CREATE OR REPLACE TABLE made AS ${rows}`)
  const counted = await connection.runAndReadAll('SELECT count(*) FROM made')
  const count = Number(counted.getRows()[0]?.[0])
  for (let part = 0; part < parts; part++) {
    const [from, to] = [part, part + 1].map((edge) => Math.floor((count * edge) / parts))
    const path = join(folder, `part-${String(part).padStart(4, '0')}.parquet`)
    await connection.run(
      `COPY (SELECT * FROM made WHERE rowid >= ${from} AND rowid < ${to}) TO '${path}'
        (FORMAT parquet, ${options})`,
    )
  }
}

/** `value`, with some percent of nulls. */
function nullable(column: number, percent: number, value: string): string {
  return `CASE WHEN hash(i, ${column + 1000}) % 100 >= ${percent} THEN ${value} END`
}

/** Rows with every flat type: its whole range, special values, and nulls. */
function types(): string {
  const float = (column: number, type: string) =>
    `CASE hash(i, ${column}) % 40 WHEN 0 THEN 'nan'::${type} WHEN 1 THEN 'inf'::${type} WHEN 2 THEN '-inf'::${type}
      WHEN 3 THEN '-0.0'::${type} WHEN 4 THEN 0 ELSE ((hash(i, ${column}) >> 8) % 2000003 / 1000.0 - 1000)::${type} END`
  const whole = (column: number, values: number) => `(hash(i, ${column}) % ${values})::BIGINT`
  const columns: Readonly<Record<string, string>> = {
    i8: `(${whole(1, 256)} - 128)::TINYINT`,
    i16: `(${whole(2, 65_536)} - 32768)::SMALLINT`,
    i32: `(${whole(3, 2 ** 32)} - 2147483648)::INTEGER`,
    i64: '(hash(i, 4)::HUGEINT - 9223372036854775808)::BIGINT',
    u8: `${whole(5, 256)}::UTINYINT`,
    u16: `${whole(6, 65_536)}::USMALLINT`,
    u32: `${whole(7, 2 ** 32)}::UINTEGER`,
    u64: 'hash(i, 8)::UBIGINT',
    f32: float(9, 'FLOAT'),
    f64: float(10, 'DOUBLE'),
    dec9: `((${whole(11, 2_000_000)} - 1000000) / 100.0)::DECIMAL(9, 2)`,
    dec18: `((${whole(12, 2_000_000_000)} - 1000000000) / 8.0)::DECIMAL(18, 4)`,
    dec38: `((${whole(13, 2_000_000_000)} - 1000000000)::DECIMAL(20, 0) * 1000000007)::DECIMAL(38, 6)`,
    day: `DATE '1900-01-01' + ${whole(14, 60_000)}::INTEGER`,
    ts: `make_timestamp(${whole(15, 4_000_000_000_000_000)} - 1000000000000000)`,
    ts_ms: `epoch_ms(${whole(16, 4_000_000_000_000)} - 1000000000000)::TIMESTAMP_MS`,
    ts_ns: `make_timestamp_ns(${whole(17, 4_000_000_000_000_000_000)} - 1000000000000000000)`,
    tz: `make_timestamp(${whole(18, 4_000_000_000_000_000)})::TIMESTAMPTZ`,
    tm: `(TIME '00:00:00' + to_microseconds(${whole(19, 86_400_000_000)}))`,
    b: `hash(i, 20) % 3 = 0`,
    word: `['', 'a', 'A', 'ab', 'é', 'zebra', '日本', '🌊 wave', 'north atlantic ocean'][${whole(21, 9)} + 1]`,
    text: `'station ' || hash(i, 22) % 50000`,
    raw: `encode('raw ' || hash(i, 23) % 1000)`,
  }
  const list = Object.entries(columns).map(([name, value], i) => `${nullable(i, 5, value)} AS "${name}"`)
  return `SELECT i::BIGINT AS id, ${list.join(', ')},
    ${nullable(98, 99, whole(98, 100))}::INTEGER AS rare, NULL::INTEGER AS never, 7::INTEGER AS same
    FROM range(60000) t(i)`
}

/** Rows of which most have one of a few keys, with text that hardly repeats and a column with long runs of nulls. */
const SKEW = `SELECT i::BIGINT AS id, exp(hash(i, 1) % 1000000 / 1e6 * ln(200000))::INTEGER AS key,
    'user-' || exp(hash(i, 2) % 1000000 / 1e6 * ln(100000))::INTEGER AS name,
    md5(i::VARCHAR) AS session, (hash(i, 3) % 1000)::SMALLINT AS code,
    CASE WHEN i // 5000 % 4 = 0 THEN (hash(i, 4) % 1000000 / 7.0) END AS runs,
    (hash(i, 5) % 2000001 / 1000.0 - 1000)::DOUBLE AS value, DATE '2020-01-01' + (i // 1000)::INTEGER AS day
  FROM range(1000000) t(i)`

/** Rows with many columns c000, c001, …, of five types by turns. */
function wide(): string {
  const columns = Array.from({ length: COLUMNS_OF_WIDE }, (_, c) => {
    const value =
      [
        `(hash(i, ${c}) % 1000)::BIGINT`,
        `(hash(i, ${c}) % 100000 / 7.0)::DOUBLE`,
        `(hash(i, ${c}) % 1000 / 8.0)::FLOAT`,
        `'v' || hash(i, ${c}) % 100`,
        `(hash(i, ${c}) % 2000 - 1000)::INTEGER`,
      ][c % 5] ?? ''
    return `${nullable(c, c % 3 === 0 ? 20 : 0, c % 5 === 4 ? value.replace('%', '::HUGEINT %') : value)} AS c${String(c).padStart(3, '0')}`
  })
  return `SELECT i::BIGINT AS id, ${columns.join(', ')} FROM range(40000) t(i)`
}

/** Rows in the order of time, so that each file has its own range of times. */
const MANY = `SELECT i::BIGINT AS id, make_timestamp(1577836800000000 + i * 60000000) AS time,
    'buoy-' || hash(i, 1) % 40 AS buoy, (hash(i, 2) % 30000 / 1000.0)::FLOAT AS temperature,
    CASE WHEN hash(i, 3) % 10 > 0 THEN (hash(i, 4) % 100)::SMALLINT END AS flag
  FROM range(300000) t(i)`
