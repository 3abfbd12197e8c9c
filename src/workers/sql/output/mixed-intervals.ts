import type { NamedDefinition } from '../../../plan/statement/definition.ts'
import type { Source } from '../../../plan/statement/statement.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import { childTypes } from '../../../wasm/core/layout.ts'

/**
 * What a statement with intervals that have months has in its text, unless a source has such a column: the type, functions, or a text
 * that DuckDB casts, such as '3 months'.
 */
const MONTHS =
  /\b(?:interval|age|to_(?:months|quarters|years|decades|centuries|millennia))\b|\d\s*(?:y|yrs?|years?|mon\w*|quarters?|decades?|centur\w+|millen\w+)\b/i

/** Intervals that are written in units of days and less: `INTERVAL 7 DAY`, `INTERVAL (n) HOUR`, `INTERVAL '90 minutes'`. */
const WITHOUT_MONTHS = (() => {
  const unit = '(?:microsecond|millisecond|second|minute|hour|day|week)s?\\b'
  const counted = `(?:'[^']*'|\\d+|\\([^()]*\\))\\s*${unit}`
  const inText = `'(?:\\s*-?[\\d.]+\\s*${unit})+\\s*'`
  return new RegExp(`\\binterval\\s*(?:${counted}|${inText})`, 'gi')
})()

/**
 * What makes one column of several values, of which DuckDB gives it the type of one: CASE, unions, lists and the like. Brackets of
 * lists and structs are among them.
 */
const SEVERAL =
  /[[{]|\b(?:case|coalesce|ifnull|nvl2?|iff?|greatest|least|union|intersect|except|values|recursive|natural|using|lag|lead|pivot|unpivot|row|(?:list|array|struct|map)\w*)\b/i

/**
 * Whether a column with the type of a difference of two times may also have intervals of another kind. It is not certain that it does:
 * the statement only has both.
 */
export function mayMixIntervals({
  sql,
  definitions,
  sources,
}: {
  readonly sql: string
  readonly definitions: readonly NamedDefinition[]
  readonly sources: readonly Source[]
}): boolean {
  const texts = [sql, ...definitions.map(({ query }) => query ?? '')]
  if (!texts.some((text) => SEVERAL.test(text))) return false
  return (
    texts.some((text) => MONTHS.test(text.replace(WITHOUT_MONTHS, ''))) ||
    sources.some(({ schema }) => schema.fields.some(({ type }) => hasInterval(type)))
  )
}

function hasInterval(type: DataType): boolean {
  return type.kind === 'interval' || childTypes(type).some(hasInterval)
}
