import { gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import {
  Codec,
  Encoding,
  PageType,
  PhysicalType,
  Repetition,
  type SchemaElement,
} from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { parquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readAll, type Value } from '../formats/values.ts'
import { dataPage, dictionaryPage, pagesFile, type TextPage } from './text-file.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)

type Element = Partial<SchemaElement> & { readonly type: number }

const INT32: Element = { type: PhysicalType.int32 }
const INT64: Element = { type: PhysicalType.int64 }
const DOUBLE: Element = { type: PhysicalType.double }
const BOOLEAN: Element = { type: PhysicalType.boolean }
const BINARY: Element = { type: PhysicalType.byteArray }
const FIXED: Element = { type: PhysicalType.fixedLenByteArray, typeLength: 4 }
const optional = (element: Element): Element => ({ ...element, repetition: Repetition.optional })

function read(element: Element, codec: number, rows: number, pages: readonly TextPage[]): Value[][] {
  const source = memorySource(pagesFile(element, codec, rows, pages), 'hostile.parquet')
  return readAll(parquet.open(source, context), source, context)
}

const of = (...bytes: readonly number[]): Uint8Array => Uint8Array.from(bytes)
const join = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts)

/** A V2 page of one column, its levels first. */
function pageV2(
  rows: number,
  encoding: number,
  levels: Uint8Array,
  values: Uint8Array,
  size: number,
  nulls = 0,
): TextPage {
  const body = join(levels, values)
  const lengths = { definitionLevelBytes: levels.length, repetitionLevelBytes: 0 }
  return {
    header: {
      type: PageType.dataV2,
      uncompressedSize: levels.length + size,
      compressedSize: body.length,
      dataPageV2: { values: rows, nulls, rows, encoding, ...lengths },
    },
    body,
  }
}

/** DELTA_BINARY_PACKED: the block size of 128, 4 miniblocks, the count, the first value (zigzag: doubled) and the rest. */
const deltas = (count: number, ...rest: readonly number[]) => of(128, 1, 4, count, ...rest)
const three = deltas(3, 2, 2, 0, 0, 0, 0)

const indices = (...bytes: readonly number[]) => dataPage(2, Encoding.rleDictionary, of(...bytes))
const fixedTwo = dictionaryPage(2, of(1, 1, 1, 1, 2, 2, 2, 2))

const REFUSED: readonly (readonly [string, Element, number, number, readonly TextPage[]])[] = [
  ['fewer numbers than rows', INT32, 0, 3, [dataPage(3, Encoding.plain, of(1, 0, 0, 0, 2, 0, 0, 0))]],
  [
    'values of 2^30 bytes',
    { ...FIXED, typeLength: 2 ** 30 },
    0,
    1,
    [dataPage(1, Encoding.plain, of(1, 0, 0, 0))],
  ],
  ['no bits', BOOLEAN, 0, 9, [dataPage(9, Encoding.plain, of(255))]],
  ['runs of bits without a length', BOOLEAN, 0, 3, [dataPage(3, Encoding.rle, of(6, 1))]],
  ['runs of bits beyond the page', BOOLEAN, 0, 3, [dataPage(3, Encoding.rle, of(9, 0, 0, 0, 6, 1))]],
  ['too short runs of bits', BOOLEAN, 0, 3, [dataPage(3, Encoding.rle, of(2, 0, 0, 0, 4, 1))]],
  ['levels beyond the page', optional(INT32), 0, 2, [dataPage(2, Encoding.plain, of(9, 0, 0, 0, 4, 1))]],
  ['fewer levels than rows', optional(INT32), 0, 9, [dataPage(9, Encoding.plain, of(2, 0, 0, 0, 4, 0))]],
  ['no levels', optional(INT32), 0, 2, [dataPage(2, Encoding.plain, of())]],
  ['fewer values than levels', optional(INT32), 0, 2, [dataPage(2, Encoding.plain, of(2, 0, 0, 0, 4, 1, 7))]],
  ['differences without a header', INT64, 0, 1, [dataPage(1, Encoding.deltaBinaryPacked, of(128))]],
  ['no miniblocks', INT32, 0, 1, [dataPage(1, Encoding.deltaBinaryPacked, of(128, 1, 0, 1, 2))]],
  ['miniblocks of no values', INT32, 0, 1, [dataPage(1, Encoding.deltaBinaryPacked, of(0, 4, 1, 2))]],
  [
    'miniblocks of 2^40 values',
    INT32,
    0,
    1,
    [dataPage(1, Encoding.deltaBinaryPacked, of(128, 128, 128, 128, 128, 64, 1, 1, 2))],
  ],
  ['fewer differences than rows', INT32, 0, 4, [dataPage(4, Encoding.deltaBinaryPacked, three)]],
  [
    'differences of 65 bits',
    INT32,
    0,
    3,
    [dataPage(3, Encoding.deltaBinaryPacked, deltas(3, 2, 2, 65, 0, 0, 0))],
  ],
  [
    'differences cut short',
    INT32,
    0,
    3,
    [dataPage(3, Encoding.deltaBinaryPacked, deltas(3, 2, 2, 32, 0, 0, 0, 1, 2, 3))],
  ],
  [
    'a header of endless bytes',
    INT32,
    0,
    1,
    [dataPage(1, Encoding.deltaBinaryPacked, new Uint8Array(20).fill(255))],
  ],
  ['lengths beyond the page', BINARY, 0, 3, [dataPage(3, Encoding.deltaLengthByteArray, three)]],
  ['negative lengths', BINARY, 0, 1, [dataPage(1, Encoding.deltaLengthByteArray, deltas(1, 1))]],
  [
    'lengths that pass 2^32',
    BINARY,
    0,
    3,
    [dataPage(3, Encoding.deltaLengthByteArray, deltas(3, 254, 255, 255, 255, 15, 0, 0, 0, 0, 0))],
  ],
  [
    'a beginning that is not there',
    BINARY,
    0,
    1,
    [dataPage(1, Encoding.deltaByteArray, join(deltas(1, 2), deltas(1, 0)))],
  ],
  ['no ends', BINARY, 0, 1, [dataPage(1, Encoding.deltaByteArray, deltas(1, 0))]],
  [
    'values of another length',
    FIXED,
    0,
    1,
    [dataPage(1, Encoding.deltaByteArray, join(deltas(1, 0), deltas(1, 6), of(1, 2, 3)))],
  ],
  ['streams of unequal length', DOUBLE, 0, 1, [dataPage(1, Encoding.byteStreamSplit, new Uint8Array(9))]],
  ['streams of fewer values', DOUBLE, 0, 2, [dataPage(2, Encoding.byteStreamSplit, new Uint8Array(8))]],
  ['numbers beyond the dictionary', FIXED, 0, 2, [fixedTwo, indices(2, 2, 0, 2, 2)]],
  ['a dictionary of half a value', FIXED, 0, 2, [dictionaryPage(2, of(1, 1, 1, 1, 2, 2)), indices(1, 4, 1)]],
  [
    'Snappy of another length',
    INT32,
    Codec.snappy,
    1,
    [dataPage(1, Encoding.plain, of(5, 12, 1, 2, 3, 4), 4)],
  ],
  ['Snappy that ends early', INT32, Codec.snappy, 1, [dataPage(1, Encoding.plain, of(4, 12, 1, 2), 4)]],
  ['Snappy that holds less', INT32, Codec.snappy, 1, [dataPage(1, Encoding.plain, of(4, 8, 1, 2, 3), 4)]],
  [
    'Snappy that holds more',
    INT32,
    Codec.snappy,
    1,
    [dataPage(1, Encoding.plain, of(4, 16, 1, 2, 3, 4, 5), 4)],
  ],
  ['Snappy that refers to nothing', INT32, Codec.snappy, 1, [dataPage(1, Encoding.plain, of(4, 1, 0), 4)]],
  [
    'Snappy that refers before its begin',
    INT32,
    Codec.snappy,
    1,
    [dataPage(1, Encoding.plain, of(4, 0, 7, 1, 9), 4)],
  ],
  [
    'a bomb of Snappy',
    INT32,
    Codec.snappy,
    1000,
    [dataPage(1000, Encoding.plain, of(128, 132, 175, 95, 0, 7), 200_000_000)],
  ],
  [
    'a bomb of LZ4',
    INT32,
    Codec.lz4Raw,
    1000,
    [dataPage(1000, Encoding.plain, of(31, 7, 1, 0, 255, 255, 255), 200_000_000)],
  ],
  ['LZ4 that holds less', INT32, Codec.lz4Raw, 1, [dataPage(1, Encoding.plain, of(48, 1, 2, 3), 4)]],
  [
    'blocks of LZ4 cut short',
    INT32,
    Codec.lz4,
    1,
    [dataPage(1, Encoding.plain, of(0, 0, 0, 4, 0, 0, 0, 9, 64, 1, 2, 3, 4), 4)],
  ],
]

for (const [name, element, codec, rows, pages] of REFUSED)
  t.test(name, async (t) => {
    t.throws(() => read(element, codec, rows, pages), {
      code: 'unreadable_file',
      message: /"hostile.parquet" .*row group 0: column "x": ./,
    })
    t.notOk(core.isDead())
    t.equal(core.usedBytes(), 0)
  })

const one = of(1, 0, 0, 0)
const numbers = [7n, 7n]

/** Odd pages that the format allows or that all readers accept. Most are as in files of apache/parquet-testing. */
const READ: readonly (readonly [string, Element, number, readonly TextPage[], readonly Value[]])[] = [
  [
    'a V2 page of nulls without any Snappy',
    optional(INT32),
    Codec.snappy,
    [pageV2(2, Encoding.plain, of(4, 0), of(), 0, 2)],
    [null, null],
  ],
  [
    'a V2 page of nulls with an empty zstd frame',
    optional(INT32),
    Codec.zstd,
    [pageV2(2, Encoding.plain, of(4, 0), zstdCompressSync(of()), 0, 2)],
    [null, null],
  ],
  [
    'two members of gzip in a page',
    INT32,
    Codec.gzip,
    [dataPage(2, Encoding.plain, join(gzipSync(of(7, 0, 0, 0)), gzipSync(of(7, 0, 0, 0))), 8)],
    numbers,
  ],
  ['numbers of no bits', INT32, 0, [dictionaryPage(1, of(7, 0, 0, 0)), indices(0, 4)], numbers],
  [
    'a run longer than its page',
    INT32,
    0,
    [dictionaryPage(1, of(7, 0, 0, 0)), indices(1, 200, 1, 0)],
    numbers,
  ],
  [
    'a page of nulls of differences',
    optional(INT64),
    0,
    [dataPage(2, Encoding.deltaBinaryPacked, of(2, 0, 0, 0, 4, 0))],
    [null, null],
  ],
  [
    'a page of nulls of beginnings',
    optional(BINARY),
    0,
    [dataPage(2, Encoding.deltaByteArray, of(2, 0, 0, 0, 4, 0))],
    [null, null],
  ],
  [
    'blocks of LZ4, of LZ4 frames or alone',
    INT32,
    Codec.lz4,
    [
      dataPage(1, Encoding.plain, join(of(0, 0, 0, 4, 0, 0, 0, 5, 64), of(7, 0, 0, 0)), 4),
      dataPage(1, Encoding.plain, join(of(64), of(7, 0, 0, 0)), 4),
    ],
    numbers,
  ],
  [
    'an empty page',
    INT32,
    0,
    [dataPage(0, Encoding.plain, of()), dataPage(2, Encoding.plain, of(7, 0, 0, 0, 7, 0, 0, 0))],
    numbers,
  ],
  [
    'values behind those of the page',
    INT32,
    0,
    [dataPage(2, Encoding.plain, join(of(7, 0, 0, 0, 7, 0, 0, 0), one))],
    numbers,
  ],
]

for (const [name, element, codec, pages, values] of READ)
  t.test(name, async (t) => {
    t.strictSame(read(element, codec, 2, pages), [values])
    t.equal(core.usedBytes(), 0)
  })
