import { MOST_TABLES } from '../databases/database-client.ts'
import type { RemoteTable } from '../remote-client.ts'
import type { DescribedColumn } from './column-type.ts'

/**
 * What a connection begins with: a snapshot that is read only. Names are those of the system alone, and texts are printed in one way,
 * whatever the database is set to. The result is the encoding of the database.
 */
export const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SET LOCAL search_path TO pg_catalog;
SET LOCAL standard_conforming_strings TO on;
SET LOCAL TIME ZONE 'UTC';
SET LOCAL datestyle TO 'ISO, YMD';
SET LOCAL intervalstyle TO postgres;
SET LOCAL bytea_output TO hex;
SET LOCAL extra_float_digits TO 1;
SET LOCAL xmloption TO content;
SELECT current_setting('server_encoding')`

/** Ordinary and partitioned tables, views, materialized ones, and foreign tables. */
const RELATIONS = `('r', 'p', 'v', 'm', 'f')`

export const TABLES = `SELECT n.nspname, c.relname, c.relkind = 'v'
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ${RELATIONS} AND NOT c.relispartition
  AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  AND has_schema_privilege(n.oid, 'USAGE')
  AND (has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT'))
ORDER BY 1, 2 LIMIT ${MOST_TABLES + 1}`

/** The columns of the table $2 in the schema $1 that the login may read. A domain is followed to its base type. */
export const COLUMNS = `WITH RECURSIVE found AS (
  SELECT a.attnum, a.attname, a.atttypid AS type, a.atttypmod AS modifier
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ${RELATIONS}
    AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(c.oid, a.attnum, 'SELECT')
  UNION ALL
  SELECT f.attnum, f.attname, t.typbasetype, CASE WHEN f.modifier = -1 THEN t.typtypmod ELSE f.modifier END
  FROM found f JOIN pg_type t ON t.oid = f.type WHERE t.typtype = 'd'
)
SELECT f.attname,
  CASE WHEN n.nspname = 'pg_catalog' THEN '' ELSE n.nspname || '.' END || t.typname,
  CASE WHEN i.nspname = 'pg_catalog' THEN '' ELSE i.nspname || '.' END || e.typname,
  f.modifier
FROM found f JOIN pg_type t ON t.oid = f.type JOIN pg_namespace n ON n.oid = t.typnamespace
  LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typinput = 'array_in'::regproc
  LEFT JOIN pg_namespace i ON i.oid = e.typnamespace
WHERE t.typtype <> 'd' ORDER BY f.attnum`

/** A row of text. */
export type TextRow = readonly (string | null)[]

/** The tables of `TABLES`. Null: it is none of its answers. */
export function tablesOf(rows: readonly TextRow[]): readonly RemoteTable[] | null {
  const tables = rows.flatMap(([schema, name, isView]) =>
    schema == null || name == null ? [] : [Object.freeze({ schema, name, isView: isView === 't' })],
  )
  return tables.length === rows.length ? tables : null
}

/** The columns of `COLUMNS`. Null: it is none of its answers, or two have one name. */
export function columnsOf(rows: readonly TextRow[]): readonly DescribedColumn[] | null {
  const columns = rows.flatMap(([name, type, item = null, modifier]) =>
    name == null || type == null || !/^-?\d{1,10}$/.test(modifier ?? '')
      ? []
      : [Object.freeze({ name, type, item, modifier: Number(modifier) })],
  )
  const names = new Set(columns.map(({ name }) => name))
  return names.size === rows.length ? columns : null
}
