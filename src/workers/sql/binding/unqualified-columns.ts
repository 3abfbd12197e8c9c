import { quoteSqlName } from '../../../plan/statement/statement.ts'

/** The schema of the catalog's tables. */
const SCHEMA = 'public'

/** Texts, comments and names in which nothing is replaced. */
const OTHERS = String.raw`'(?:[^']|'')*'|\$(\w*)\$[^]*?\$\1\$|--[^\n]*|\/\*[^]*?\*\/`

/**
 * The text of a query with columns such as `public.t.lat` and `service.public.t.lat` written as `t.lat`, where `t` is one of these tables:
 * what stands in place of a table while a statement is bound for the columns that it names has no schema.
 */
export function withoutSchemas(sql: string, catalog: string, tables: readonly string[]): string {
  if (tables.length === 0) return sql
  const schema = `(?:${written(catalog)}\\.)?${written(SCHEMA)}\\.`
  const column = `(?<![\\w$."])${schema}(?=(?:${tables.map(written).join('|')})\\.)`
  return sql.replaceAll(new RegExp(`(${OTHERS})|${column}|"(?:[^"]|"")*"|[\\w$]+`, 'gi'), (match, other) =>
    other === undefined && match.endsWith('.') ? '' : match,
  )
}

/** A name as a statement may write it, as a regular expression that ignores case. */
function written(name: string): string {
  const quoted = escapePattern(quoteSqlName(name))
  return /^[a-z_][\w$]*$/i.test(name) ? `(?:${quoted}|${escapePattern(name)})` : quoted
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
