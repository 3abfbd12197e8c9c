import type { DataType, Field } from '../../../plan/types/schema.ts'
import { type Annotation, annotation } from '../../formats/parquet/metadata/annotation.ts'
import {
  ConvertedType,
  PhysicalType,
  Repetition,
  type SchemaElement,
} from '../../formats/parquet/metadata/metadata.ts'
import { type ParquetStorage, storageOf } from './storage.ts'

/** A leaf of the schema, of which each row group has a column chunk. */
export interface WrittenLeaf {
  readonly path: readonly string[]
  /** A `PhysicalType`. */
  readonly physical: number
}

/** An element of the schema. It is a leaf, or the group of the elements that follow it. */
interface Node {
  readonly element: SchemaElement
  readonly path: readonly string[]
}

/**
 * The schema of a file in the form of its footer, of columns in the types that are stored (`storedField`): the tree in depth-first order,
 * and its leaves.
 */
export function writtenSchema(fields: readonly Field[]): {
  readonly elements: readonly SchemaElement[]
  readonly leaves: readonly WrittenLeaf[]
} {
  const nodes = fields.flatMap((field) => [...nodesOf(field, [])])
  return {
    elements: [{ name: 'schema', children: fields.length }, ...nodes.map(({ element }) => element)],
    leaves: nodes.flatMap(({ element, path }) =>
      element.type === undefined ? [] : [{ path, physical: element.type }],
    ),
  }
}

function* nodesOf({ name, type, nullable }: Field, parents: readonly string[]): Generator<Node> {
  const repetition = nullable ? Repetition.optional : Repetition.required
  const path = [...parents, name]
  const storage = storageOf(type)
  if (storage !== null) {
    yield { element: leafElement(name, type, storage, repetition), path }
    return
  }
  switch (type.kind) {
    case 'struct':
      yield group(name, repetition, type.fields.length, path)
      for (const child of type.fields) yield* nodesOf(child, path)
      return
    // The names of the groups within lists and maps are those of LogicalTypes.md of apache/parquet-format, "Nested Types".
    case 'map': {
      const annotation = { convertedType: ConvertedType.map, logicalType: { map: {} } }
      yield* repeat(name, repetition, annotation, 'key_value', keyAndValue(type.entries), path)
      return
    }
    case 'list':
    case 'large_list':
    case 'fixed_list': {
      const annotation = { convertedType: ConvertedType.list, logicalType: { list: {} } }
      yield* repeat(name, repetition, annotation, 'list', [{ ...type.item, name: 'element' }], path)
    }
  }
}

/** A list or a map: a group of a repeated group, which has the members of each item. */
function* repeat(
  name: string,
  repetition: number,
  annotation: Pick<SchemaElement, 'convertedType' | 'logicalType'>,
  inner: string,
  members: readonly Field[],
  path: readonly string[],
): Generator<Node> {
  const innerPath = [...path, inner]
  yield { element: { name, repetition, children: 1, ...annotation }, path }
  yield group(inner, Repetition.repeated, members.length, innerPath)
  for (const member of members) yield* nodesOf(member, innerPath)
}

function group(name: string, repetition: number, children: number, path: readonly string[]): Node {
  return { element: { name, repetition, children }, path }
}

/** The fields of a map's entries. Keys are never null. */
function keyAndValue({ type }: Field): readonly Field[] {
  const [key, value] = type.kind === 'struct' ? type.fields : []
  if (key === undefined || value === undefined)
    throw new TypeError('the entries of a map are keys and values')
  return [
    { ...key, name: 'key', nullable: false },
    { ...value, name: 'value' },
  ]
}

const PHYSICAL: Readonly<Record<ParquetStorage['kind'], number>> = Object.freeze({
  boolean: PhysicalType.boolean,
  int32: PhysicalType.int32,
  int64: PhysicalType.int64,
  float: PhysicalType.float,
  double: PhysicalType.double,
  byte_array: PhysicalType.byteArray,
  fixed_len_byte_array: PhysicalType.fixedLenByteArray,
})

function leafElement(
  name: string,
  type: DataType,
  storage: ParquetStorage,
  repetition: number,
): SchemaElement {
  const physical = PHYSICAL[storage.kind]
  return {
    name,
    type: physical,
    ...(storage.kind === 'fixed_len_byte_array' && { typeLength: storage.length }),
    repetition,
    ...writtenAnnotation(type, physical),
  }
}

/**
 * The annotation of a leaf in a file that is written here. It has the older converted type as well, from which DuckDB takes the types of
 * text, integers, decimals and dates.
 */
function writtenAnnotation(type: DataType, physical: number): Annotation {
  if (type.kind === 'interval') return { convertedType: ConvertedType.interval }
  if (type.kind === 'uuid') return { logicalType: { uuid: {} } }
  const annotated = annotation(type, physical)
  const convertedType = annotated.logicalType && convertedOf(type)
  return { ...annotated, ...(convertedType !== undefined && { convertedType }) }
}

function convertedOf(type: DataType): number | undefined {
  switch (type.kind) {
    case 'int':
      return ConvertedType[`${type.signed ? 'int' : 'uint'}${type.bits}`]
    case 'decimal':
      return ConvertedType.decimal
    case 'utf8':
      return ConvertedType.utf8
    case 'date':
      return ConvertedType.date
    // The converted type stands for times in UTC.
    case 'timestamp':
      if (type.zone === null) return undefined
      if (type.unit === 'millisecond') return ConvertedType.timestampMillis
      return type.unit === 'microsecond' ? ConvertedType.timestampMicros : undefined
    default:
      return undefined
  }
}
