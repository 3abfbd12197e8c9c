import type { DataType, Field, Schema } from '../../../plan/types/schema.ts'
import { isMetadata, isType } from '../is-type.ts'

/**
 * Columns as they are stored: each type once, and of each field its name, the index of its type, and what is not as usual.
 * Tables have many columns of few types, and a start reads those of all tables.
 */
interface StoredColumns {
  readonly types: readonly DataType[]
  readonly fields: readonly StoredField[]
  /** Absent: there are none. */
  readonly metadata?: Field['metadata']
}

type StoredField = readonly [name: string, type: number, rest?: Unusual]

/** Absent: the column is nullable, and has no metadata. */
interface Unusual {
  readonly nullable?: boolean
  readonly metadata?: Field['metadata']
}

const NO_METADATA: Field['metadata'] = Object.freeze({})

/** Columns as JSON, to be read by `columnsFromJson`. */
export function columnsToJson({ fields, metadata }: Schema): string {
  const indexes = new Map<string, number>()
  const types: DataType[] = []
  const indexOf = (type: DataType): number => {
    const key = JSON.stringify(type)
    const typeIndex = indexes.get(key)
    if (typeIndex !== undefined) return typeIndex
    indexes.set(key, types.length)
    return types.push(type) - 1
  }
  const stored: StoredColumns = {
    types,
    fields: fields.map((field) => {
      const rest = unusual(field)
      return rest === null ? [field.name, indexOf(field.type)] : [field.name, indexOf(field.type), rest]
    }),
    ...(hasMembers(metadata) && { metadata }),
  }
  return JSON.stringify(stored)
}

function unusual({ nullable, metadata }: Field): Unusual | null {
  if (nullable && !hasMembers(metadata)) return null
  return { ...(!nullable && { nullable }), ...(hasMembers(metadata) && { metadata }) }
}

function hasMembers(value: object): boolean {
  return Object.keys(value).length > 0
}

/** The columns that `columnsToJson` has written. Throws `SyntaxError` or `TypeError` for any other text. */
export function columnsFromJson(json: string): Schema {
  const { types, fields, metadata = NO_METADATA } = JSON.parse(json) as StoredColumns
  if (!types.every(isType)) throw new TypeError('a stored type is none')
  if (!isMetadata(metadata)) throw new TypeError('stored metadata are no texts')
  return Object.freeze({
    fields: Object.freeze(fields.map((field) => fieldOf(field, types))),
    metadata: Object.freeze(metadata),
  })
}

function fieldOf([name, index, rest]: StoredField, types: readonly DataType[]): Field {
  const type = types[index]
  const nullable = rest?.nullable ?? true
  const metadata = rest?.metadata ?? NO_METADATA
  if (
    typeof name !== 'string' ||
    type === undefined ||
    typeof nullable !== 'boolean' ||
    (metadata !== NO_METADATA && !isMetadata(metadata))
  )
    throw new TypeError(`a column is not stored as one: ${JSON.stringify([name, index, rest])}`)
  return Object.freeze({ name, type, nullable, metadata: Object.freeze(metadata) })
}
