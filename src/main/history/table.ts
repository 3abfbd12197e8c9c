import type { SqliteDatabase } from '../sqlite/open-database.ts'
import { withChanges } from './numbers.ts'
import type { MetricsRow } from './row.ts'
import type { TextBatch } from './texts.ts'

// Statements on the table query_metrics (open-metrics.ts).

const VALUES = [
  'query_id',
  'username',
  'user_source',
  'finished_at',
  'input_rows',
  'input_bytes',
  'result_num_rows',
  'result_size_in_bytes',
  'execution_time_ms',
] as const satisfies readonly (keyof MetricsRow)[]

/** Each has a second column `…_base`: the id of the shared text that it differs from. Null: it is whole. */
export const TEXTS = [
  'query',
  'file_paths',
  'parsed_logical_plan',
  'optimized_logical_plan',
  'node_metrics',
  'stage_times_ms',
] as const satisfies readonly (keyof MetricsRow)[]

const BASES = TEXTS.map((name) => `${name}_base`)

const COLUMNS = [...VALUES, ...TEXTS, ...BASES]

type Value = string | number | null

/** Inserts a row, within a transaction. */
export function prepareInsert(database: SqliteDatabase): (row: MetricsRow, texts: TextBatch) => void {
  const insert = database.prepare<Value[]>(
    `INSERT INTO query_metrics (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`,
  )
  return (row, texts) => {
    const values: Value[] = VALUES.map((name) => row[name])
    const bases: Value[] = []
    for (const name of TEXTS) {
      const { base, text } = texts.add(row[name])
      values.push(text)
      bases.push(base)
    }
    insert.run(...values, ...bases)
  }
}

/** Finds a row and restores its texts. It is one statement, so that no shared text is deleted in between. */
export function prepareFind(database: SqliteDatabase): (queryId: string) => MetricsRow | null {
  const bases = BASES.map((name) => `(SELECT text FROM metrics_texts WHERE id = ${name}) AS ${name}`)
  const select = database.prepare<[string], MetricsRow & Readonly<Record<string, string | null>>>(
    `SELECT ${[...VALUES, ...TEXTS, ...bases].join(', ')} FROM query_metrics WHERE query_id = ?`,
  )
  return (queryId) => {
    const row = select.get(queryId)
    if (row === undefined) return null
    const whole = TEXTS.map((name) => {
      const base = row[`${name}_base`] ?? null
      return [name, base === null ? row[name] : withChanges(base, row[name])]
    })
    return { ...row, ...Object.fromEntries(whole) }
  }
}

/** A row without its texts. */
export type FiguresRow = Pick<MetricsRow, (typeof VALUES)[number]>

/** Reads the rows that follow a rowid, without their texts, in the order of their rowids. */
export function preparePage(
  database: SqliteDatabase,
  limit: number,
): (rowid: number) => readonly (FiguresRow & { readonly rowid: number })[] {
  const select = database.prepare<[number, number], FiguresRow & { readonly rowid: number }>(
    `SELECT rowid, ${VALUES.join(', ')} FROM query_metrics WHERE rowid > ? ORDER BY rowid LIMIT ?`,
  )
  return (rowid) => select.all(rowid, limit)
}

/** The result of a deletion. */
export interface Deleted {
  readonly rows: number
  /** How often the deleted rows referred to each shared text, by its id. */
  readonly references: ReadonlyMap<number, number>
}

/** Deletes the rows whose rowids a query gives, within a transaction. */
export function prepareDelete(database: SqliteDatabase, rowids: string): (...values: number[]) => Deleted {
  const remove = database
    .prepare<number[], (number | null)[]>(
      `DELETE FROM query_metrics WHERE rowid IN (${rowids}) RETURNING ${BASES.join(', ')}`,
    )
    .raw()
  return (...values) => {
    const rows = remove.all(...values)
    const references = new Map<number, number>()
    for (const base of rows.flat()) if (base !== null) references.set(base, (references.get(base) ?? 0) + 1)
    return { rows: rows.length, references }
  }
}
