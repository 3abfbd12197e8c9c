import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type DataType, field, type TimeUnit, typeName } from '../../src/plan/types/schema.ts'
import { inputType } from '../../src/wasm/duckdb/input-type.ts'
import type { LogicalType } from '../../src/wasm/duckdb/logical-type.ts'
import { testEngine } from './engine.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/reference/sql.md'), 'utf8')

const UNITS: readonly TimeUnit[] = ['second', 'millisecond', 'microsecond', 'nanosecond']
const int = (bits: 8 | 16 | 32 | 64, signed = true): DataType => ({ kind: 'int', bits, signed })
const decimal = (bits: 32 | 64 | 128 | 256, precision: number, scale: number): DataType => ({
  kind: 'decimal',
  bits,
  precision,
  scale,
})
const timestamp = (unit: TimeUnit, zone: string | null): DataType => ({ kind: 'timestamp', unit, zone })
const utf8: DataType = { kind: 'utf8' }
const item = field('item', int(32))

const FILE_TYPES: readonly DataType[] = [
  { kind: 'null' },
  { kind: 'bool' },
  ...[true, false].flatMap((signed) => ([8, 16, 32, 64] as const).map((bits) => int(bits, signed))),
  ...([16, 32, 64] as const).map((bits): DataType => ({ kind: 'float', bits })),
  ...([32, 64, 128, 256] as const).map((bits) => decimal(bits, 5, 2)),
  decimal(256, 60, 2),
  decimal(128, 5, -1),
  decimal(128, 3, 5),
  utf8,
  { kind: 'dictionary', index: { kind: 'int', bits: 32, signed: true }, value: utf8, ordered: false },
  { kind: 'binary' },
  { kind: 'fixed_binary', width: 4 },
  { kind: 'uuid' },
  { kind: 'date', unit: 'day' },
  { kind: 'date', unit: 'millisecond' },
  ...UNITS.map((unit): DataType => ({ kind: 'time', unit })),
  ...UNITS.map((unit) => timestamp(unit, null)),
  timestamp('second', 'UTC'),
  timestamp('microsecond', 'Europe/Paris'),
  timestamp('nanosecond', 'UTC'),
  timestamp('nanosecond', 'Europe/Paris'),
  ...UNITS.map((unit): DataType => ({ kind: 'duration', unit })),
  ...(['year_month', 'day_time', 'month_day_nano'] as const).map(
    (unit): DataType => ({ kind: 'interval', unit }),
  ),
  { kind: 'list', item },
  { kind: 'large_list', item },
  { kind: 'fixed_list', item, size: 2 },
  { kind: 'struct', fields: [field('a', int(32))] },
  {
    kind: 'map',
    entries: field('entries', { kind: 'struct', fields: [field('key', utf8), field('value', int(32))] }),
    sorted: false,
  },
]

t.test('every type of a file has the type in SQL that the page says', async (t) => {
  const inSql = FILE_TYPES.map((type) => [typeName(type), sqlName(inputType(field('a', type)))])
  t.same(Object.fromEntries(tableOf('Types of files')), Object.fromEntries(inSql))
})

t.test('every type of an answer has the type in Arrow that the page says', async (t) => {
  const { prepare } = await testEngine()
  for (const [inSql, inArrow] of tableOf('Types of answers')) {
    const { output } = prepare(`SELECT CAST(NULL AS ${inSql}) AS v`)
    t.same(
      output.fields.map(({ type }) => typeName(type)),
      [inArrow],
      inSql,
    )
  }
})

t.test('the types that the page says have no form in an answer have none', async (t) => {
  const { prepare } = await testEngine()
  const [, line = ''] = /^(`TIME WITH TIME ZONE`.*) are a 400/m.exec(PAGE) ?? []
  for (const name of quoted(line)) {
    const type = name === 'UNION' ? 'UNION(a INTEGER)' : name
    t.throws(() => prepare(`SELECT CAST(NULL AS ${type}) AS v`), { code: 'not_supported' }, name)
  }
})

/** The pairs of types in the first two columns of the table in a section. */
function tableOf(title: string): (readonly [string, string])[] {
  const [, section = ''] = PAGE.split(`\n## ${title}\n`)
  const [table = ''] = section.split('\n## ')
  const rows = [...table.matchAll(/^\| (`.*?`) \| (`.*?`) \|/gm)]
  return rows.flatMap(([, left = '', right = '']) => {
    const types = quoted(right)
    return quoted(left).map((name, index) => [name, types[index] ?? types[0] ?? ''] as const)
  })
}

function quoted(cell: string): string[] {
  return [...cell.matchAll(/`(.*?)`/g)].map(([, name = '']) => name)
}

/** A type as DuckDB's `typeof` prints it. */
function sqlName(type: LogicalType): string {
  switch (type.kind) {
    case 'decimal':
      return `DECIMAL(${type.width},${type.scale})`
    case 'list':
      return `${sqlName(type.item)}[]`
    case 'array':
      return `${sqlName(type.item)}[${type.size}]`
    case 'map':
      return `MAP(${sqlName(type.key)}, ${sqlName(type.value)})`
    case 'struct':
      return `STRUCT(${type.fields.map(({ name, type }) => `${name} ${sqlName(type)}`).join(', ')})`
    case 'column_time_ns':
      return 'TIME_NS'
    case 'timestamp_tz':
      return 'TIMESTAMP WITH TIME ZONE'
    default:
      return type.kind.toUpperCase()
  }
}
