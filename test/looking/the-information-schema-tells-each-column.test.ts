import t from 'tap'
import type { CatalogTable } from '../../src/main/catalog/catalog.ts'
import { columnRows, tableRow, viewRow } from '../../src/main/catalog/information-schema.ts'
import { visibleTable, visibleTables } from '../../src/main/catalog/visible-tables.ts'
import { SYSTEM_RELATIONS, systemRelation } from '../../src/plan/statement/system-relations.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { CATALOG } from '../catalog/no-lookups.ts'
import { ANYBODY, SUPER_CALLER } from '../support/callers.ts'

function table(name: string, types: Readonly<Record<string, DataType>> | null): CatalogTable {
  const fields = Object.entries(types ?? {}).map(([each, type]) => field(each, type, each !== 'id'))
  return {
    schema: 'public',
    name,
    type: 'BASE TABLE',
    columns: types && { fields, metadata: {} },
    source: null,
    query: null,
    definition: null,
    digest: '',
  }
}

/** The values of a row by the columns of its relation. Those that are null are left out. */
function byName(name: string, row: readonly (string | number | null)[]): object {
  const { fields } = systemRelation('information_schema', name)?.columns ?? { fields: [] }
  t.equal(row.length, fields.length, `a value for each column of ${name}`)
  for (const [index, { name: column, nullable }] of fields.entries())
    t.ok(nullable || row[index] !== null, `${column} is known`)
  return Object.fromEntries(
    fields.flatMap(({ name: column }, index) => (row[index] === null ? [] : [[column, row[index]]])),
  )
}

t.test('with its position from 1, its type as Arrow names it, and its precision', async (t) => {
  const rows = columnRows(
    'ocean',
    table('a "table".b\n', {
      id: { kind: 'int', bits: 16, signed: false },
      'a.b': { kind: 'float', bits: 32 },
      price: { kind: 'decimal', bits: 128, precision: 10, scale: 2 },
      at: { kind: 'timestamp', unit: 'nanosecond', zone: 'UTC' },
      tags: { kind: 'list', item: field('item', { kind: 'utf8' }) },
      span: { kind: 'interval', unit: 'month_day_nano' },
    }),
  ).map((row) => byName('columns', row))
  const of = { table_catalog: 'ocean', table_schema: 'public', table_name: 'a "table".b\n' }
  const nullable = { ...of, is_nullable: 'YES' }
  const bits = { numeric_precision_radix: 2 }
  t.strictSame(rows, [
    {
      ...of,
      column_name: 'id',
      ordinal_position: 1,
      is_nullable: 'NO',
      data_type: 'UInt16',
      numeric_precision: 16,
      numeric_precision_radix: 2,
      numeric_scale: 0,
    },
    {
      ...nullable,
      ...bits,
      column_name: 'a.b',
      ordinal_position: 2,
      data_type: 'Float32',
      numeric_precision: 24,
    },
    {
      ...nullable,
      column_name: 'price',
      ordinal_position: 3,
      data_type: 'Decimal128(10, 2)',
      numeric_precision: 10,
      numeric_precision_radix: 10,
      numeric_scale: 2,
    },
    {
      ...nullable,
      column_name: 'at',
      ordinal_position: 4,
      data_type: 'Timestamp(ns, UTC)',
      datetime_precision: 9,
    },
    { ...nullable, column_name: 'tags', ordinal_position: 5, data_type: 'List<Utf8>' },
    {
      ...nullable,
      column_name: 'span',
      ordinal_position: 6,
      data_type: 'Interval(month_day_nano)',
      interval_type: 'MONTH DAY NANO',
    },
  ])
})

t.test('of a table whose columns no query has found yet: none', async (t) => {
  t.strictSame(columnRows('ocean', table('empty', null)), [])
})

t.test('tables and views have their kind, and views their text', async (t) => {
  const view: CatalogTable = { ...table('v', {}), type: 'VIEW', query: 'SELECT 1' }
  t.strictSame(tableRow('ocean', view), ['ocean', 'public', 'v', 'VIEW'])
  t.strictSame(byName('views', viewRow('ocean', view)), {
    table_catalog: 'ocean',
    table_schema: 'public',
    table_name: 'v',
    definition: 'SELECT 1',
  })
})

t.test('tables of the service are there for the super-user alone', async (t) => {
  const snapshot = CATALOG.snapshot()
  const names = (tables: readonly CatalogTable[]) => tables.map(({ schema, name }) => `${schema}.${name}`)
  t.strictSame(names(visibleTables(snapshot, ANYBODY)), ['public.default'])
  t.strictSame(names(visibleTables(snapshot, SUPER_CALLER)), [
    'information_schema.columns',
    'information_schema.df_settings',
    'information_schema.parameters',
    'information_schema.routines',
    'information_schema.schemata',
    'information_schema.tables',
    'information_schema.views',
    'public.default',
    'system.attached',
    'system.crawler_runs',
    'system.file_stats',
    'system.file_stats_segments',
    'system.query_metrics',
    'system.role_rules',
    'system.roles',
    'system.users',
  ])
  t.equal(visibleTable(snapshot, SUPER_CALLER, 'Tables', 'Information_Schema')?.type, 'VIEW')
  t.equal(visibleTable(snapshot, ANYBODY, 'tables', 'information_schema'), null)
  t.equal(visibleTable(snapshot, ANYBODY, 'DEFAULT', 'public')?.name, 'default')
  t.equal(
    SYSTEM_RELATIONS.every(({ name }) => name === name.toLowerCase()),
    true,
  )
})
