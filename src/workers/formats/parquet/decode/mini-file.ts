import type { Field } from '../../../../plan/types/schema.ts'
import type { Mask } from '../../../../wasm/core/column.ts'
import { type Annotation, annotation } from '../metadata/annotation.ts'
import { annotatedType, writeHints } from '../metadata/hint.ts'
import {
  fileMetaData,
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
import { paddingPage } from './pad.ts'

/** A column to decode. */
export interface MiniColumn {
  readonly column: Column
  /** One for each leaf of the column. */
  readonly chunks: readonly MiniChunk[]
}

/** The pages of a leaf that are to be decoded. */
export interface MiniChunk {
  readonly leaf: Leaf
  /** The codec of pages that are still compressed. */
  readonly codec: number
  /** Dictionary pages come first. */
  readonly pages: readonly (Page | Gap)[]
  /** A mask of the rows that are wanted, from the first wanted one on. Absent: all are. */
  readonly few?: Mask | undefined
}

const MAGIC = Uint8Array.from(Buffer.from('PAR1'))

/**
 * A Parquet file of one row group with only these columns and pages, for parquet-wasm, which takes whole files. Its schema
 * states the types that `metadata/schema.ts` has derived, so that parquet-wasm reads the types that the provider has announced.
 * The file comes in parts, so that pages need not be copied.
 */
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

/** The header without its checksum, which was verified when the page was read. */
function withoutChecksum({ crc: _, ...header }: PageHeader): PageHeader {
  return header
}

/** The field without its metadata, which parquet-wasm would only copy. */
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

/** The annotation of a group. Only lists and maps keep theirs: any other group, such as a VARIANT, is read as a struct. */
function groupAnnotation(element: SchemaElement): Annotation {
  if (!isList(element) && !isMap(element)) return {}
  const { convertedType, logicalType } = element
  return {
    ...(convertedType !== undefined && { convertedType }),
    ...((logicalType?.list || logicalType?.map) && { logicalType }),
  }
}

/**
 * The schema element of a leaf, annotated with its type by logical types alone. INT96 is declared as the 12 bytes that it is
 * stored in, and the core converts them to times: those of parquet-wasm wrap around where they do not fit.
 */
function leafElement({ element, stored, type }: Leaf): SchemaElement {
  const physical = physicalOf(element)
  const isInt96 = element.type === PhysicalType.int96
  const typeLength = isInt96 ? 12 : (element.typeLength ?? 0)
  return {
    name: element.name,
    type: physical,
    ...(physical === PhysicalType.fixedLenByteArray && { typeLength }),
    repetition: element.repetition ?? Repetition.required,
    ...(isInt96 && type.kind !== 'null' ? {} : annotation(annotatedType(stored, type), physical)),
  }
}

function physicalOf({ type = 0 }: SchemaElement): number {
  return type === PhysicalType.int96 ? PhysicalType.fixedLenByteArray : type
}
