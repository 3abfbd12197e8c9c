import { MOST_TABLES } from '../databases/database-client.ts'
import type { RemoteTable } from '../remote-client.ts'
import type { WrittenRemoteTable } from '../remote-table-name.ts'
import { printText } from '../sql/print-text.ts'
import type { DescribedColumn } from './column-type.ts'
import type { TextRow } from './connect.ts'

/** Texts and bytes are ordered by so many of their first bytes. A sort buffer of 2 MiB, which is what servers have by themselves, has room for 500 such keys. */
export const SORTED_BYTES = 4096

/**
 * What a connection begins with: a snapshot that is read only. Texts are UTF-8, times in UTC; names are in double quotes and strings have no
 * escapes, as in the statements of all remotes, whatever the server is set to.
 */
export const BEGIN: readonly string[] = Object.freeze([
  'SET NAMES utf8mb4',
  `SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES', time_zone = '+00:00', sql_auto_is_null = 0, sql_big_selects = 1, sql_select_limit = 18446744073709551615, max_sort_length = ${SORTED_BYTES}`,
  'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
  'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
])

const SYSTEM_SCHEMAS = `('information_schema', 'mysql', 'performance_schema', 'sys')`

/** Tables and views of which the login may read a column. */
export const TABLES = `SELECT t.TABLE_SCHEMA, t.TABLE_NAME, t.TABLE_TYPE = 'VIEW'
FROM information_schema.TABLES t
WHERE t.TABLE_TYPE IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED') AND t.TABLE_SCHEMA NOT IN ${SYSTEM_SCHEMAS}
  AND EXISTS (SELECT 1 FROM information_schema.COLUMNS c WHERE c.TABLE_SCHEMA = t.TABLE_SCHEMA
    AND c.TABLE_NAME = t.TABLE_NAME AND FIND_IN_SET('select', c.PRIVILEGES))
ORDER BY 1, 2 LIMIT ${MOST_TABLES + 1}`

/** The columns of a table that the login may read. Null: there is no table of this name. Without a schema it is in the database of the login. */
export function columnsQuery({ schema, name }: WrittenRemoteTable): string | null {
  const [schemaText, nameText] = [schema, name].map((part) => printText(Buffer.from(part)))
  if (schemaText == null || nameText == null) return null
  return `SELECT COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, NUMERIC_PRECISION, NUMERIC_SCALE, CHARACTER_SET_NAME
FROM information_schema.COLUMNS
WHERE TABLE_SCHEMA = ${schema === '' ? 'DATABASE()' : schemaText} AND TABLE_NAME = ${nameText} AND FIND_IN_SET('select', PRIVILEGES)
ORDER BY ORDINAL_POSITION`
}

/** The tables of `TABLES`. Null: it is none of its answers. */
export function tablesOf(rows: readonly TextRow[]): readonly RemoteTable[] | null {
  const tables = rows.flatMap(([schema, name, isView]) =>
    schema == null || name == null ? [] : [Object.freeze({ schema, name, isView: isView === '1' })],
  )
  return tables.length === rows.length ? tables : null
}

const LENGTH = /^(?:var)?(?:char|binary)\((\d+)\)/i

/** The columns of `columnsQuery`. Null: it is none of its answers, or two have one name. */
export function columnsOf(rows: readonly TextRow[]): readonly DescribedColumn[] | null {
  const columns = rows.flatMap(([name, type, written, precision, scale, charset]) =>
    name == null || type == null || written == null
      ? []
      : [
          Object.freeze({
            name,
            type: type.toLowerCase(),
            isUnsigned: /\bunsigned\b/.test(written),
            precision: Number(precision ?? 0),
            scale: Number(scale ?? 0),
            charset: charset ?? '',
            length: Number(LENGTH.exec(written)?.[1] ?? 0),
          }),
        ],
  )
  const names = new Set(columns.map(({ name }) => name))
  const areNumbers = columns.every(({ precision, scale }) => precision >= scale && scale >= 0)
  return names.size === rows.length && areNumbers ? columns : null
}
