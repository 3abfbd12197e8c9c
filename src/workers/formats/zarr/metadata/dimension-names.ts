import { nameOf } from './hierarchy.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

/**
 * The names of an array's dimensions: those of version 3, of xarray in the attributes, or of NCZarr. A dimension without one is called
 * `dim_0` and so on, by its position.
 */
export function dimensionNames(
  document: JsonObject,
  attributes: JsonObject,
  rank: number,
): readonly string[] {
  const lists = [
    document['dimension_names'],
    attributes['_ARRAY_DIMENSIONS'],
    referencesOf(document['_NCZARR_ARRAY'] ?? document['_nczarr_array'] ?? attributes['_nczarr_array']),
  ]
  const names =
    lists.find((list): list is readonly Json[] => Array.isArray(list) && list.length === rank) ?? []
  return Array.from({ length: rank }, (_, axis) => {
    const name = names[axis]
    return typeof name === 'string' && name !== '' ? name : `dim_${axis}`
  })
}

/** NCZarr has the paths of dimensions, from the root group on. */
function referencesOf(json: Json | undefined): Json | undefined {
  if (!isObject(json)) return undefined
  const references = json['dimrefs'] ?? json['dimension_references']
  if (!Array.isArray(references)) return undefined
  return references.map((path: Json) => (typeof path === 'string' ? nameOf(path) : path))
}
