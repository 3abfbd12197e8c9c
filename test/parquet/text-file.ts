import {
  Encoding,
  fileMetaData,
  type PageHeader,
  PageType,
  PhysicalType,
  pageHeader,
  Repetition,
  type SchemaElement,
} from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { encode } from '../../src/workers/formats/parquet/metadata/thrift.ts'

export interface TextPage {
  readonly header: PageHeader
  readonly body: Uint8Array
}

/** A file of one column, a required text `x`, with these pages. */
export function textFile(codec: number, rows: number, pages: readonly TextPage[]): Uint8Array {
  return pagesFile({ type: PhysicalType.byteArray, logicalType: { string: {} } }, codec, rows, pages)
}

/** A file of one column `x` with these pages. It is required unless `element` says otherwise. */
export function pagesFile(
  element: Partial<SchemaElement> & { readonly type: number },
  codec: number,
  rows: number,
  pages: readonly TextPage[],
): Uint8Array {
  const chunk = Buffer.concat(pages.flatMap(({ header, body }) => [encode(pageHeader, header), body]))
  const footer = encode(fileMetaData, {
    version: 1,
    schema: [
      { name: 'schema', children: 1 },
      { name: 'x', repetition: Repetition.required, ...element },
    ],
    rows,
    rowGroups: [
      {
        rows,
        totalByteSize: chunk.length,
        columns: [
          {
            fileOffset: 0,
            metaData: {
              type: element.type,
              encodings: [],
              path: ['x'],
              codec,
              values: rows,
              uncompressedSize: chunk.length,
              compressedSize: chunk.length,
              dataPageOffset: 4,
            },
          },
        ],
      },
    ],
  })
  const trailer = Buffer.alloc(8, 'PAR1PAR1')
  trailer.writeUInt32LE(footer.length, 0)
  return Buffer.concat([Buffer.from('PAR1'), chunk, footer, trailer])
}

export function dataPage(
  values: number,
  encoding: number,
  body: Uint8Array,
  uncompressedSize = body.length,
): TextPage {
  const levels = { definitionLevelEncoding: Encoding.rle, repetitionLevelEncoding: Encoding.rle }
  return {
    header: {
      type: PageType.data,
      uncompressedSize,
      compressedSize: body.length,
      dataPage: { values, encoding, ...levels },
    },
    body,
  }
}

export function dictionaryPage(values: number, body: Uint8Array): TextPage {
  const sizes = { uncompressedSize: body.length, compressedSize: body.length }
  return {
    header: { type: PageType.dictionary, ...sizes, dictionaryPage: { values, encoding: Encoding.plain } },
    body,
  }
}
