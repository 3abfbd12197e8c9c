import { jsonOfNumber, jsonOfText } from '../../arrays/structure/attribute-structure.ts'
import type { Json, JsonObject } from './json.ts'

/** The most characters of a list or an object that is listed. */
const MOST_CHARACTERS = 16_384

/** A value as JSON text. Texts are cut, and a list or an object that is longer is null. */
export function jsonText(json: Json): { readonly json: string; readonly cutFrom?: number } {
  if (typeof json === 'string') return jsonOfText(json)
  const text = textOf(json)
  return text.length > MOST_CHARACTERS ? { json: 'null', cutFrom: text.length } : { json: text }
}

function textOf(json: Json): string {
  if (json === null) return 'null'
  switch (typeof json) {
    case 'number':
    case 'bigint':
      return jsonOfNumber(json)
    case 'string':
    case 'boolean':
      return JSON.stringify(json)
    default:
      return Array.isArray(json) ? `[${json.map(textOf).join()}]` : `{${membersOf(json as JsonObject)}}`
  }
}

function membersOf(object: JsonObject): string {
  return Object.entries(object)
    .map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`)
    .join()
}
