import { ServiceError } from '../../../plan/errors.ts'
import { ARROW_TYPES, TYPE_KEY } from '../../../plan/functions/casts.ts'
import { nearestName } from '../../../plan/nearest-name.ts'
import { parseTypeName, TYPE_NAMES } from '../../../plan/types/parse-type-name.ts'
import { typeName } from '../../../plan/types/schema.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import { isFailure, queryTexts } from '../../../wasm/duckdb/statement.ts'
import { closestType, sqlTypeOf } from './arrow-types.ts'

/*
 * `arrow_cast(x, 'Decimal128(10, 2)')` names a type by a text, which DuckDB has no function for. But a constant key of a struct
 * chooses the type of a field. So before a statement is bound, a variable of the connection becomes a struct of nulls, with a field
 * for each type that a literal of the statement names; the macro takes the field of its argument. No statement can write
 * `getvariable`, by which DuckDB reads variables.
 */

/** The most types that a statement names. */
const MOST_TYPES = 256

/** Arrow types that statements name as texts. */
export interface NamedTypes {
  /**
   * Tells DuckDB on these connections which types are named in the literals of these texts, of a statement and of the views that it may
   * read. Texts that call no cast to a named type cost nothing. Throws `invalid_sql` for too many types.
   */
  make(texts: readonly string[], connections: readonly number[]): void
}

export function createNamedTypes(duck: Duck): NamedTypes {
  /** What was set last, by connection. */
  const set = new Map<number, string>()
  return {
    make(texts, connections) {
      const calling = texts.filter((text) => /arrow_cast/i.test(text))
      if (calling.length === 0) return
      const value = writeTypes(calling)
      for (const connection of connections) {
        if (set.get(connection) === value) continue
        const outcome = queryTexts(duck, connection, `SET VARIABLE ${ARROW_TYPES} = ${value}`)
        if (isFailure(outcome))
          throw new ServiceError('invalid_sql', `DuckDB does not take the types ${value}: ${outcome.failure}`)
        set.set(connection, value)
      }
    },
  }
}

/** A struct with a null for each type that is named between quotes. What else stands between quotes does no harm. */
function writeTypes(texts: readonly string[]): string {
  const literals = new Set(texts.flatMap((text) => text.split(/'|\$\w*\$/)))
  // A struct has at least one field.
  const fields: string[] = ['none: NULL']
  for (const literal of literals) {
    const type = parseTypeName(literal)
    const written = type && sqlTypeOf(type)
    if (written !== null) fields.push(`'${keyOf(literal)}': NULL::${written}`)
  }
  if (fields.length > MOST_TYPES)
    throw new ServiceError('invalid_sql', `A statement names at most ${MOST_TYPES} Arrow types.`)
  return `{${fields.join(', ')}}`
}

/** The key of a type. Keys are compared without regard to case, so names are in hexadecimal digits. */
function keyOf(name: string): string {
  return TYPE_KEY + Buffer.from(name).toString('hex')
}

/** What is wrong with the type of a cast, by DuckDB's message. Null: the message is about something else. */
export function wrongType(what: string): string | null {
  if (what === 'cast_to_type cannot be used to cast to NULL')
    return "The type of a cast is a text, such as 'Int64', and not null."
  if (what === 'Key name for struct_extract needs to be a constant string')
    return 'The name of a field, and that of a type in arrow_cast, is a constant text.'
  const [, key] = /^Could not find key "([^"]*)" in struct$/i.exec(what) ?? []
  if (key === undefined || !key.startsWith(TYPE_KEY)) return null
  const name = Buffer.from(key.slice(TYPE_KEY.length), 'hex').toString()
  const type = parseTypeName(name)
  if (type === null) {
    const bare = /^\s*(\w*)/.exec(name)?.[1] ?? ''
    const near = nearestName(bare, TYPE_NAMES)
    const meant = near === null || near === bare ? '' : ` Did you mean ${near}?`
    return `"${name}" is no Arrow type, such as Int64, Utf8, Decimal128(10, 2) or Timestamp(ns).${meant}`
  }
  if (sqlTypeOf(type) !== null) return `The Arrow type ${name} is written as one literal: '${name}'.`
  return `DuckDB has no type for ${name}. The nearest is ${typeName(closestType(type))}.`
}
