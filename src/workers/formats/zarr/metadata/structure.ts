import { isServiceError } from '../../../../plan/errors.ts'
import type { AttributeStructure, FilterStructure } from '../../../../plan/source/structure.ts'
import type { Store } from '../../../store/store.ts'
import type { ArrayFile, StructuredFile } from '../../arrays/array-file.ts'
import { jsonOfNumber, jsonOfText } from '../../arrays/structure/attribute-structure.ts'
import { elementName } from '../../arrays/structure/element-name.ts'
import { createStructureBuilder, type StructureBuilder } from '../../arrays/structure/structure-builder.ts'
import { fault } from '../../fault.ts'
import type { Codec } from '../stored-zarr.ts'
import type { ArrayMetadata } from './array-metadata.ts'
import { dimensionNames } from './dimension-names.ts'
import { type Hierarchy, leafGroups, type Node, parentOf } from './hierarchy.ts'
import type { Json, JsonObject } from './json.ts'
import { show, sizesIn } from './members.ts'
import { arrayName, groupAt, hierarchyOf, metadataOfArray, type ZarrGroup } from './open-group.ts'

/** The attribute in which xarray has the names of dimensions. */
const DIMENSION_NAMES = '_ARRAY_DIMENSIONS'

/**
 * What a store holds, or a group of it that the plan names: all groups and arrays. A group that cannot be read as a table is listed all the
 * same. Throws `unreadable_file`.
 */
export function structureOf(store: Store, fileOf: (group: ZarrGroup) => ArrayFile): StructuredFile {
  const hierarchy = hierarchyOf(store)
  const start = startOf(hierarchy, store)
  const builder = createStructureBuilder()
  const tables: StructuredFile['tables'][number][] = []
  const faults = new Map<string, string>()
  for (const group of tablesIn(hierarchy, start, store)) {
    const read = unlessBroken(() => fileOf(groupAt(hierarchy, group, store)))
    if (typeof read === 'string') faults.set(groupPath(group), read)
    else tables.push({ group: groupPath(group), file: read, hasGroups: false })
  }
  const isTable = new Set(tables.map(({ group }) => group))
  const add = (node: Node): void => {
    const group = groupPath(node)
    const note = faults.get(group) ?? 'its group has groups, and the arrays of groups without groups are read'
    addArray(builder, node, arrayName(node, store), group, isTable.has(group) ? null : note)
  }
  const walk = (group: Node): void => {
    builder.group(groupPath(group), attributesIn(group.attributes))
    const nodes = hierarchy.nodesIn(group)
    const arrays = nodes.filter(({ kind }) => kind === 'array')
    addDimensions(builder, groupPath(group), arrays)
    arrays.forEach(add)
    for (const node of nodes) if (node.kind === 'group') walk(node)
  }
  if (start.kind === 'group') walk(start)
  else {
    builder.group('/', [])
    addDimensions(builder, '/', [start])
    add(start)
  }
  return { structure: builder.finish(), tables }
}

function startOf({ root, nodeOf }: Hierarchy, { file }: Store): Node {
  const key = file.folder?.group
  const start = key === undefined ? root : nodeOf(key)
  if (start === null) throw fault(`it has no group ${show(key)}`)
  return start
}

function tablesIn(hierarchy: Hierarchy, start: Node, { file }: Store): readonly Node[] {
  return start.kind === 'array' || file.folder?.group !== undefined ? [start] : leafGroups(hierarchy)
}

/** The path of a group, or of that in which an array lies. */
function groupPath({ key, kind }: Node): string {
  return `/${kind === 'group' ? key : (parentOf(key) ?? '')}`
}

function addDimensions(builder: StructureBuilder, group: string, arrays: readonly Node[]): void {
  const seen = new Set<string>()
  for (const node of arrays) {
    const shape = shapeOf(node)
    for (const [axis, name] of namesOf(node, shape).entries()) {
      const size = shape[axis] ?? 0
      if (seen.has(`${size} ${name}`)) continue
      seen.add(`${size} ${name}`)
      builder.dimension({ group, name, size, isUnlimited: false })
    }
  }
}

function addArray(
  builder: StructureBuilder,
  node: Node,
  name: string,
  group: string,
  note: string | null,
): void {
  const { document, attributes } = node
  const shape = shapeOf(node)
  const read = unlessBroken(() => {
    const metadata = metadataOfArray(node)
    return typeof metadata === 'string' ? `no column has ${metadata}` : metadata
  })
  const metadata = typeof read === 'string' ? null : read
  const variable = {
    group,
    name,
    type: typeOf(document, metadata),
    dimensions: namesOf(node, shape),
    shape,
    chunk: metadata?.chunk ?? null,
    shard:
      metadata !== null && String(metadata.objectShape) !== String(metadata.chunk)
        ? metadata.objectShape
        : null,
    filters: metadata === null ? [] : filtersOf(metadata),
    note: typeof read === 'string' ? read : note,
    array: metadata === null ? null : { group, name },
  }
  builder.variable(variable, attributesIn(attributes))
}

function shapeOf({ document }: Node): readonly number[] {
  const shape = unlessBroken(() => sizesIn(document, 'shape', 0))
  return typeof shape === 'string' ? [] : shape
}

function namesOf({ document, attributes }: Node, { length }: readonly number[]): readonly string[] {
  return dimensionNames(document, attributes, length)
}

/** Numbers by the name of their type in NumPy, other types as the document writes them. */
function typeOf(document: JsonObject, metadata: ArrayMetadata | null): string {
  const written = document['data_type'] ?? document['dtype']
  const { element, units } = metadata?.form ?? {}
  if (
    element !== undefined &&
    units === null &&
    (element.kind === 'int' || element.kind === 'float' || element.kind === 'bool')
  )
    return elementName(element)
  return typeof written === 'string' ? written : show(written)
}

function filtersOf({ codecs: { arrays, bytes, compression } }: ArrayMetadata): readonly FilterStructure[] {
  return [...arrays, bytes, ...compression].map(({ name, configuration }: Codec) => ({
    name,
    parameters: jsonText(configuration as JsonObject).json,
  }))
}

/** All members of an object of attributes, also lists and objects, which are no columns. */
function* attributesIn(document: JsonObject): Generator<AttributeStructure> {
  for (const [name, json] of Object.entries(document))
    if (name !== DIMENSION_NAMES) yield { name, type: typeOfJson(json), ...jsonText(json) }
}

function typeOfJson(json: Json): string {
  if (json === null) return 'null'
  if (Array.isArray(json)) return 'list'
  if (typeof json === 'number' || typeof json === 'bigint') return 'number'
  return typeof json === 'boolean' ? 'bool' : typeof json
}

/** The result, or the message of an error about the file. */
function unlessBroken<T>(read: () => T): T | string {
  try {
    return read()
  } catch (error) {
    const isOfFile =
      isServiceError(error) && (error.code === 'unreadable_file' || error.code === 'memory_limit')
    if (isOfFile) return error.message
    if (error instanceof RangeError) return `it is damaged (${error.message})`
    throw error
  }
}

/** The most characters of a list or an object that is listed. */
const MOST_CHARACTERS = 16_384

/** A value as JSON text. Texts are cut, and a list or an object that is longer is null. */
function jsonText(json: Json): { readonly json: string; readonly cutFrom?: number } {
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
