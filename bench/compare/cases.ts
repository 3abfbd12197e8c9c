import { join } from 'node:path'
import { type BenchData, layoutFiles, partName } from '../input/data.ts'
import { EXPRESSIONS, MONTH } from '../queries/expression-queries.ts'
import { type BenchQuery, benchQueries, CSV_SCAN, GENERAL, type Tables } from '../queries/queries.ts'
import type { Agreement } from './answer.ts'

/**
 * The forms in which a query is sent. Count: as `SELECT count(*)` over it, which measures execution only. Rows: its rows are
 * sent and read to the end.
 */
export const FORMS = ['sql_count', 'sql_rows', 'json_rows'] as const

export type Form = (typeof FORMS)[number]

/** One query in one form over some files: as a request to the service, and as a statement for native DuckDB. */
export interface Case {
  /** The layout of the files, or `csv`. */
  readonly layout: string
  readonly query: string
  readonly form: Form
  readonly sql: string
  readonly body: object
  readonly agreement: Agreement
  /** Absolute paths of the files that it reads. */
  readonly files: readonly string[]
}

/** Which cases are measured. */
export interface Selection {
  /** Keys of the queries and figures to run. Null: all. */
  readonly only: ReadonlySet<string> | null
  /** Layouts to run. Null: all. */
  readonly layouts: ReadonlySet<string> | null
  readonly forms: ReadonlySet<Form>
}

/**
 * The cases that are selected, layout by layout. General statements run over the layout `random` only, and expressions over layouts
 * with TIMESTAMPs.
 */
export function benchCases(data: BenchData, { only, layouts, forms }: Selection): Case[] {
  const queries = benchQueries(data.once)
  const all = [
    ...data.layouts.flatMap((layout) => [
      ...queries.flatMap((query) => formsOf(query).map((form) => parquetCase(data, layout, query, form))),
      ...(layout === 'random' ? GENERAL.map((query) => parquetCase(data, layout, query, 'sql_rows')) : []),
    ]),
    ...EXPRESSIONS.flatMap((query) =>
      formsOf(query)
        .filter((form) => form !== 'sql_count')
        .map((form) => parquetCase(data, 'random-timed', query, form)),
    ),
    parquetCase(data, 'sorted-timed', MONTH, 'sql_rows'),
    ...csvCases(data),
  ]
  return all.filter(
    ({ layout, query, form }) =>
      (only?.has(query) ?? true) && (layouts?.has(layout) ?? true) && forms.has(form),
  )
}

function parquetCase(data: BenchData, layout: string, query: BenchQuery, form: Form): Case {
  const folder = `${data.folder}/${layout}`
  const tables = (read: (path: string) => string): Tables => ({
    t: read(`${folder}/*.parquet`),
    part: (file) => read(`${folder}/${partName(file)}`),
  })
  const native = tables((path) => `read_parquet('${join(data.root, path)}')`)
  const service = tables((path) => `read_parquet(['${path}'])`)
  return {
    layout,
    query: query.key,
    form,
    sql: inForm(form, query, native),
    body:
      form === 'json_rows'
        ? { ...query.json, from: { parquet: { paths: [`${folder}/*.parquet`] } } }
        : { sql: inForm(form, query, service) },
    agreement: form === 'sql_count' ? 'ordered' : query.agreement,
    files: layoutFiles(join(data.root, data.folder), layout),
  }
}

function csvCases({ root, csv }: BenchData): Case[] {
  const tables = (read: string): Tables => ({ t: read, part: () => read })
  const file = join(root, csv)
  return (['sql_rows', 'json_rows'] as const).map((form) => ({
    layout: 'csv',
    query: CSV_SCAN.key,
    form,
    sql: inForm(form, CSV_SCAN, tables(`read_csv('${file}')`)),
    body:
      form === 'json_rows'
        ? { ...CSV_SCAN.json, from: { csv: { paths: [csv] } } }
        : { sql: inForm(form, CSV_SCAN, tables(`read_csv(['${csv}'])`)) },
    agreement: CSV_SCAN.agreement,
    files: [file],
  }))
}

function formsOf({ json }: BenchQuery): readonly Form[] {
  return json === null ? ['sql_count', 'sql_rows'] : FORMS
}

/** The statement of a query in a form. `count_all` has only one row as it is. */
function inForm(form: Form, { key, sql }: BenchQuery, tables: Tables): string {
  const query = sql(tables)
  return form === 'sql_count' && key !== 'count_all' ? `SELECT count(*) AS n FROM (${query}) sub` : query
}
