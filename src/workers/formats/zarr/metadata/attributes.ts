import type { Attribute, AttributeValue } from '../../arrays/array-file.ts'
import type { Json, JsonObject } from './json.ts'
import { requireFewColumns } from './most-columns.ts'

/** The attributes of a node that have one value. Numbers are 64-bit floats, as JSON does not tell integers from floats. Throws `memory_limit`. */
export function attributesOf(document: JsonObject): readonly Attribute[] {
  requireFewColumns(Object.keys(document).length)
  return Object.entries(document).flatMap(([name, json]) => {
    const value = attributeValue(json)
    return value === null ? [] : [{ name, value }]
  })
}

function attributeValue(json: Json): AttributeValue | null {
  switch (typeof json) {
    case 'number':
    case 'bigint':
      return { kind: 'numbers', element: { kind: 'float', bits: 64 }, values: [json] }
    case 'string':
      return { kind: 'text', value: json }
    case 'boolean':
      return { kind: 'boolean', value: json }
    default:
      return null
  }
}
