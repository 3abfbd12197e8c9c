import type { DataType, Field } from '../../../../plan/types/schema.ts'
import {
  ConvertedType,
  fileMetaData,
  type LogicalType,
  type PageHeader,
  PageType,
  PhysicalType,
  pageHeader,
  Repetition,
  type SchemaElement,
} from '../metadata/metadata.ts'
import { type Column, isList, isMap, type Leaf, type Node } from '../metadata/schema.ts'
import { encode } from '../metadata/thrift.ts'
import { type Gap, type Page, valuesOf } from '../pages/pages.ts'
import { annotatedType, writeHints } from './hint.ts'
import { paddingPage } from './pad.ts'

/**
 * A Parquet file in memory of one row group, with the wanted columns alone and of their chunks the wanted pages, for a
 * reader that takes whole files. Its schema says what `schema.ts` has made of the original's, in the plainest terms,
 * so the reader gives the types that the provider has promised.
 */
export interface MiniColumn {
  readonly column: Column
  /** For each leaf of the column. */
  readonly chunks: readonly MiniChunk[]
}

export interface MiniChunk {
  readonly leaf: Leaf
  /** Of those pages that are still compressed. */
  readonly codec: number
  /** Dictionary pages first. */
  readonly pages: readonly (Page | Gap)[]
}

const MAGIC = Uint8Array.from(Buffer.from('PAR1'))

/** The file in parts, not joined: pages stay where they were read or inflated. */
export function writeMiniFile(columns: readonly MiniColumn[], rows: number): Uint8Array[] {
  const parts: Uint8Array[] = [MAGIC]
  let size = MAGIC.length
  const add = (part: Uint8Array): void => {
    parts.push(part)
    size += part.length
  }
  const chunks = columns.flatMap(({ chunks }) => chunks)
  const columnChunks = chunks.map(({ leaf, codec, pages }) => {
    const start = size
    const offsets: { dictionaryPageOffset?: number; dataPageOffset?: number } = {}
    let values = 0
    for (const page of pages) {
      const { header, body } = 'gap' in page ? paddingPage(leaf, page.gap) : page
      if (header.type === PageType.dictionary) offsets.dictionaryPageOffset ??= size
      else offsets.dataPageOffset ??= size
      values += valuesOf(header) ?? 0
      add(encode(pageHeader, withoutChecksum(header)))
      add(body)
    }
    const length = size - start
    return {
      fileOffset: 0,
      metaData: {
        type: physicalOf(leaf.element),
        encodings: [],
        path: leaf.path,
        codec,
        values,
        uncompressedSize: length,
        compressedSize: length,
        dataPageOffset: start,
        ...offsets,
      },
    }
  })
  const fields = columns.map(({ column }) => column.field)
  const metadata = encode(fileMetaData, {
    version: 2,
    schema: [
      { name: 'schema', children: columns.length },
      ...columns.flatMap(({ column }) => [...schemaElements(column.node)]),
    ],
    rows,
    rowGroups: [{ columns: columnChunks, totalByteSize: size, rows }],
    ...(columns.some(({ column }) => column.isHinted) && {
      keyValues: [writeHints({ fields: fields.map(plainField), metadata: {} })],
    }),
  })
  add(metadata)
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(metadata.length, 0)
  trailer.set(MAGIC, 4)
  add(trailer)
  return parts
}

/** Checked where the page was read; the optional statistics that a header may hold are not kept either. */
function withoutChecksum({ crc: _, ...header }: PageHeader): PageHeader {
  return header
}

/** Metadata would only travel with the types and back. */
function plainField(field: Field): Field {
  return { ...field, metadata: {} }
}

function* schemaElements(node: Node): Generator<SchemaElement> {
  if ('leaf' in node) {
    yield leafElement(node.leaf)
    return
  }
  const { element } = node
  yield {
    name: element.name,
    repetition: element.repetition ?? Repetition.required,
    children: node.children.length,
    ...groupAnnotation(element),
  }
  for (const child of node.children) yield* schemaElements(child)
}

/** A group that is no list and no map is read as a struct, whatever else it is said to be: a VARIANT, for one. */
function groupAnnotation(element: SchemaElement): Annotation {
  if (!isList(element) && !isMap(element)) return {}
  const { convertedType, logicalType } = element
  return {
    ...(convertedType !== undefined && { convertedType }),
    ...((logicalType?.list || logicalType?.map) && { logicalType }),
  }
}

/**
 * The leaf with the annotation of its type, whichever way the original said it. INT96 is given as the 12 bytes that it is
 * stored in, for the core to make times of: the crate's wrap around where they do not fit.
 */
function leafElement({ element, stored, type }: Leaf): SchemaElement {
  const physical = physicalOf(element)
  const typeLength = element.type === PhysicalType.int96 ? 12 : (element.typeLength ?? 0)
  return {
    name: element.name,
    type: physical,
    ...(physical === PhysicalType.fixedLenByteArray && { typeLength }),
    repetition: element.repetition ?? Repetition.required,
    ...annotation(annotatedType(stored, type), element.type ?? 0),
  }
}

function physicalOf({ type = 0 }: SchemaElement): number {
  return type === PhysicalType.int96 ? PhysicalType.fixedLenByteArray : type
}

type Annotation = Pick<SchemaElement, 'convertedType' | 'logicalType' | 'scale' | 'precision'>

function annotation(type: DataType, physical: number): Annotation {
  if (physical === PhysicalType.int96 && type.kind !== 'null') return {}
  const logical = (logicalType: LogicalType): Annotation => ({ logicalType })
  const unit = (name: string) =>
    name === 'millisecond' ? { millis: {} } : name === 'microsecond' ? { micros: {} } : { nanos: {} }
  switch (type.kind) {
    case 'null':
      return logical({ unknown: {} })
    case 'int': {
      const isPlain = type.signed && type.bits === (physical === PhysicalType.int64 ? 64 : 32)
      return isPlain ? {} : logical({ integer: { bitWidth: type.bits, isSigned: type.signed } })
    }
    case 'float':
      return type.bits === 16 ? logical({ float16: {} }) : {}
    case 'decimal': {
      const { scale, precision } = type
      return { logicalType: { decimal: { scale, precision } }, scale, precision }
    }
    case 'utf8':
      return logical({ string: {} })
    case 'date':
      return logical({ date: {} })
    case 'time':
      return logical({ time: { isAdjustedToUtc: false, unit: unit(type.unit) } })
    case 'timestamp':
      return logical({ timestamp: { isAdjustedToUtc: type.zone !== null, unit: unit(type.unit) } })
    case 'interval':
      return { convertedType: ConvertedType.interval }
    default:
      return {}
  }
}
