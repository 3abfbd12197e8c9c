import { memoize, memoizeLast } from '../../../../plan/memoize.ts'
import { type DataType, type Field, type Schema, sameType } from '../../../../plan/types/schema.ts'
import { fault } from '../../fault.ts'
import { readGeometries } from './geometries.ts'
import { annotatedType, hintedType, readHints } from './hint.ts'
import { leafType } from './leaf-type.ts'
import { ConvertedType, type FileMetaData, Repetition, type SchemaElement } from './metadata.ts'
import { buildTree, type RawNode } from './schema-tree.ts'

/** A leaf of the schema tree. Each row group has one column chunk for it. */
export interface Leaf {
  /** The index of its chunk in every row group. */
  readonly index: number
  readonly path: readonly string[]
  readonly element: SchemaElement
  /** The type by the annotations of Parquet. Statistics are of this type. */
  readonly stored: DataType
  /** The type in which values are read: `stored`, refined by the embedded Arrow schema. */
  readonly type: DataType
  readonly maxDefinition: number
  readonly maxRepetition: number
}

/** A top-level column. */
export interface Column {
  readonly field: Field
  readonly node: Node
  readonly leaves: readonly Leaf[]
  /** Whether the type follows from the embedded Arrow schema, and not from Parquet's annotations alone. */
  readonly isHinted: boolean
}

/** The leaf of a column whose rows are its values. Null: the column is nested. */
export function flatLeaf({ leaves }: Pick<Column, 'leaves'>): Leaf | null {
  const [leaf, ...others] = leaves
  const isFlat = others.length === 0 && leaf?.path.length === 1 && leaf.maxRepetition === 0
  return isFlat ? leaf : null
}

/** A node of the schema tree, with what is known of its leaves. */
export type Node =
  | { readonly element: SchemaElement; readonly leaf: Leaf }
  | { readonly element: SchemaElement; readonly children: readonly Node[] }

/** The top-level columns of a file. Throws `unreadable_file`; callers add the file's name. */
export function readColumns({
  schema,
  keyValues,
}: Pick<FileMetaData, 'schema' | 'keyValues'>): readonly Column[] {
  return columnsOf(schema, keyValues)
}

/** Files of one writer share their schema and their key-value metadata (`shareEqual` in thrift.ts). */
const columnsOf = memoizeLast(
  (elements: FileMetaData['schema'], keyValues: FileMetaData['keyValues']): readonly Column[] => {
    const hints = readHints(keyValues)
    const marks = readGeometries(keyValues)
    const tree = buildTree(elements)
    const names = new Set<string>()
    let next = 0
    return tree.map((raw) => {
      const { name } = raw.element
      if (names.has(name)) throw fault(`it has two columns named "${name}"`)
      names.add(name)
      const leaves: Leaf[] = []
      let isHinted = false
      const context: Context = {
        addLeaf(leaf) {
          const whole = { ...leaf, index: next++ }
          leaves.push(whole)
          return whole
        },
        markHinted() {
          isHinted = true
        },
      }
      const hint = hints.get(name)
      const { type, nullable, node } = convert(raw, [], { definition: 0, repetition: 0 }, hint, context)
      return {
        field: { name, type, nullable, metadata: { ...hint?.metadata, ...marks(name, type) } },
        node,
        leaves,
        isHinted,
      }
    })
  },
)

/** The columns as a schema. */
export const schemaOf = memoize(
  (columns: readonly Column[]): Schema => ({ fields: columns.map((column) => column.field), metadata: {} }),
)

interface Levels {
  readonly definition: number
  readonly repetition: number
}

interface Context {
  addLeaf(leaf: Omit<Leaf, 'index'>): Leaf
  markHinted(): void
}

interface Converted {
  readonly type: DataType
  readonly nullable: boolean
  readonly node: Node
}

/**
 * Converts a node to its Arrow type. A repeated node that is not part of a LIST or MAP is a list of required values
 * (LogicalTypes.md of apache/parquet-format, "Nested Types").
 */
function convert(
  raw: RawNode,
  parents: readonly string[],
  levels: Levels,
  hint: Field | undefined,
  context: Context,
): Converted {
  if (raw.element.repetition !== Repetition.repeated) return convertOne(raw, parents, levels, hint, context)
  const { item, node } = convertRepeated(raw, parents, levels, itemHint(hint), context)
  return { type: listType(item, hint, context), nullable: false, node }
}

/** Converts a repeated node, which holds the items of a list, to the field of these items. */
function convertRepeated(
  raw: RawNode,
  parents: readonly string[],
  levels: Levels,
  hint: Field | undefined,
  context: Context,
): { readonly item: Field; readonly node: Node } {
  const inside = { definition: levels.definition + 1, repetition: levels.repetition + 1 }
  const { type, node } = convertPresent(raw, parents, inside, hint, context)
  return { item: fieldOf(raw, type, false, hint), node }
}

/** Converts a node that is not repeated. */
function convertOne(
  raw: RawNode,
  parents: readonly string[],
  levels: Levels,
  hint: Field | undefined,
  context: Context,
): Converted {
  const nullable = raw.element.repetition === Repetition.optional
  const inside = nullable ? { ...levels, definition: levels.definition + 1 } : levels
  const { type, node } = convertPresent(raw, parents, inside, hint, context)
  return { type, nullable, node }
}

/** Converts a node whose own repetition is already counted in `levels`. */
function convertPresent(
  raw: RawNode,
  parents: readonly string[],
  levels: Levels,
  hint: Field | undefined,
  context: Context,
): { readonly type: DataType; readonly node: Node } {
  const { element, children } = raw
  const path = [...parents, element.name]
  if (children === null) {
    const stored = leafType(element)
    const type = hintedType(stored, element.type, hint?.type)
    if (!sameType(annotatedType(stored, type), type)) context.markHinted()
    const leaf = context.addLeaf({
      path,
      element,
      stored,
      type,
      maxDefinition: levels.definition,
      maxRepetition: levels.repetition,
    })
    return { type, node: { element, leaf } }
  }
  if (isList(element)) return convertList(raw, children, path, levels, hint, context)
  if (isMap(element)) return convertMap(raw, children, path, levels, hint, context)
  if (children.length === 0) throw fault(`column "${path.join('.')}" is a group without members`)
  const hints = hint?.type.kind === 'struct' ? hint.type.fields : []
  const fields: Field[] = []
  const nodes: Node[] = []
  for (const child of children) {
    const childHint = hints.find((candidate) => candidate.name === child.element.name)
    const { type, nullable, node } = convert(child, path, levels, childHint, context)
    fields.push(fieldOf(child, type, nullable, childHint))
    nodes.push(node)
  }
  return { type: { kind: 'struct', fields }, node: { element, children: nodes } }
}

function convertList(
  raw: RawNode,
  children: readonly RawNode[],
  path: readonly string[],
  levels: Levels,
  hint: Field | undefined,
  context: Context,
): { readonly type: DataType; readonly node: Node } {
  const [repeated] = children
  if (repeated === undefined || children.length !== 1 || repeated.element.repetition !== Repetition.repeated)
    throw fault(`column "${path.join('.')}" is a list without one repeated member`)
  const itemsHint = itemHint(hint)
  const items = repeated.children
  const only = items?.length === 1 ? items[0] : undefined
  // The rules for backward compatibility of LogicalTypes.md: in old lists the repeated node is itself the item.
  const isTwoLevel =
    only === undefined ||
    (!isList(repeated.element) &&
      only.element.repetition !== Repetition.repeated &&
      (repeated.element.name === 'array' || repeated.element.name === `${raw.element.name}_tuple`))
  if (isTwoLevel) {
    const { item, node } = convertRepeated(repeated, path, levels, itemsHint, context)
    return { type: listType(item, hint, context), node: { element: raw.element, children: [node] } }
  }
  const inside = { definition: levels.definition + 1, repetition: levels.repetition + 1 }
  const { type, nullable, node } = convert(only, [...path, repeated.element.name], inside, itemsHint, context)
  const middle: Node = { element: repeated.element, children: [node] }
  return {
    type: listType(fieldOf(only, type, nullable, itemsHint), hint, context),
    node: { element: raw.element, children: [middle] },
  }
}

function convertMap(
  raw: RawNode,
  children: readonly RawNode[],
  path: readonly string[],
  levels: Levels,
  hint: Field | undefined,
  context: Context,
): { readonly type: DataType; readonly node: Node } {
  const [entries] = children
  // A map may have no values. It is a set then, and read as a list of its keys.
  if (entries?.children?.length === 1) return convertList(raw, children, path, levels, hint, context)
  const [key, value] = entries?.children ?? []
  if (
    entries === undefined ||
    key === undefined ||
    value === undefined ||
    children.length !== 1 ||
    entries.children?.length !== 2 ||
    entries.element.repetition !== Repetition.repeated ||
    key.element.repetition === Repetition.repeated ||
    value.element.repetition === Repetition.repeated
  )
    throw fault(`column "${path.join('.')}" is a map without repeated pairs of a key and a value`)
  const mapHint = hint?.type.kind === 'map' ? hint.type : undefined
  const [keyHint, valueHint] = mapHint?.entries.type.kind === 'struct' ? mapHint.entries.type.fields : []
  const inside = { definition: levels.definition + 1, repetition: levels.repetition + 1 }
  const below = [...path, entries.element.name]
  const keys = convert(key, below, inside, keyHint, context)
  const values = convert(value, below, inside, valueHint, context)
  const sorted = mapHint?.sorted ?? false
  if (sorted) context.markHinted()
  return {
    type: {
      kind: 'map',
      entries: {
        name: entries.element.name,
        type: {
          kind: 'struct',
          fields: [
            fieldOf(key, keys.type, false, keyHint),
            fieldOf(value, values.type, values.nullable, valueHint),
          ],
        },
        nullable: false,
        metadata: mapHint?.entries.metadata ?? {},
      },
      sorted,
    },
    node: {
      element: raw.element,
      children: [{ element: entries.element, children: [keys.node, values.node] }],
    },
  }
}

function fieldOf(raw: RawNode, type: DataType, nullable: boolean, hint: Field | undefined): Field {
  return { name: raw.element.name, type, nullable, metadata: hint?.metadata ?? {} }
}

function itemHint(hint: Field | undefined): Field | undefined {
  const type = hint?.type
  return type?.kind === 'list' || type?.kind === 'large_list' || type?.kind === 'fixed_list'
    ? type.item
    : undefined
}

function listType(item: Field, hint: Field | undefined, context: Context): DataType {
  const type = hint?.type
  if (type?.kind === 'large_list') {
    context.markHinted()
    return { kind: 'large_list', item }
  }
  if (type?.kind === 'fixed_list' && type.size > 0) {
    context.markHinted()
    return { kind: 'fixed_list', item, size: type.size }
  }
  return { kind: 'list', item }
}

export function isList(element: SchemaElement): boolean {
  return element.logicalType === undefined
    ? element.convertedType === ConvertedType.list
    : element.logicalType.list !== undefined
}

export function isMap(element: SchemaElement): boolean {
  return (
    element.logicalType?.map !== undefined ||
    element.convertedType === ConvertedType.map ||
    element.convertedType === ConvertedType.mapKeyValue
  )
}
