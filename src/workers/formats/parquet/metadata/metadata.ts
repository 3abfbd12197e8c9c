import { binary, bool, encodedBytes, i8, i32, i64, list, shareEqual, struct, unread, utf8 } from './thrift.ts'

/**
 * The metadata of a file, as parquet.thrift of apache/parquet-format 2.12 defines them. Only fields that are read or written
 * here are listed. Enums are numbers; the constants at the end name those that are known.
 */
type Value<C> = C extends { read(input: never): infer T } ? T : never

const empty = struct({}, {})

const timeUnit = struct({}, { millis: [1, empty], micros: [2, empty], nanos: [3, empty] })

/** A union: exactly one member is set. */
const logicalType = struct(
  {},
  {
    string: [1, empty],
    map: [2, empty],
    list: [3, empty],
    enum: [4, empty],
    decimal: [5, struct({ scale: [1, i32], precision: [2, i32] }, {})],
    date: [6, empty],
    time: [7, struct({ isAdjustedToUtc: [1, bool], unit: [2, timeUnit] }, {})],
    timestamp: [8, struct({ isAdjustedToUtc: [1, bool], unit: [2, timeUnit] }, {})],
    integer: [10, struct({ bitWidth: [1, i8], isSigned: [2, bool] }, {})],
    unknown: [11, empty],
    json: [12, empty],
    bson: [13, empty],
    uuid: [14, empty],
    float16: [15, empty],
  },
)

const schemaElement = struct(
  { name: [4, utf8] },
  {
    type: [1, i32],
    typeLength: [2, i32],
    repetition: [3, i32],
    children: [5, i32],
    convertedType: [6, i32],
    scale: [7, i32],
    precision: [8, i32],
    logicalType: [10, logicalType],
  },
)

export const statistics = struct(
  {},
  {
    /** A deprecated pair, whose order is that of signed values whatever the type. */
    max: [1, binary],
    min: [2, binary],
    nullCount: [3, i64],
    maxValue: [5, binary],
    minValue: [6, binary],
    isMaxExact: [7, bool],
    isMinExact: [8, bool],
  },
)

const sizeStatistics = struct({}, { unencodedByteArrayBytes: [1, i64] })

/** How many pages of a type have an encoding. */
const pageEncodingStats = struct({ pageType: [1, i32], encoding: [2, i32], count: [3, i32] }, {})

const columnMetaData = struct(
  {
    type: [1, i32],
    codec: [4, i32],
    values: [5, i64],
    uncompressedSize: [6, i64],
    compressedSize: [7, i64],
    dataPageOffset: [9, i64],
  },
  {
    encodings: [2, unread(list(i32))],
    path: [3, unread(list(utf8))],
    dictionaryPageOffset: [11, i64],
    // A large file has some 100 000 of these and few are used, so they are decoded when they are.
    statistics: [12, encodedBytes(statistics)],
    encodingStats: [13, unread(list(pageEncodingStats))],
    bloomFilterOffset: [14, i64],
    bloomFilterLength: [15, i32],
    sizeStatistics: [16, sizeStatistics],
  },
)

const columnChunk = struct(
  { fileOffset: [2, i64] },
  {
    filePath: [1, utf8],
    metaData: [3, columnMetaData],
    offsetIndexOffset: [4, i64],
    offsetIndexLength: [5, i32],
    columnIndexOffset: [6, i64],
    columnIndexLength: [7, i32],
    crypto: [8, empty],
    encryptedMetaData: [9, binary],
  },
)

const rowGroup = struct(
  { columns: [1, list(columnChunk)], totalByteSize: [2, i64], rows: [3, i64] },
  { fileOffset: [5, unread(i64)], totalCompressedSize: [6, unread(i64)] },
)

const keyValue = struct({ key: [1, utf8] }, { value: [2, utf8] })

/** A union, whose one member is the order that the specification gives each type. Without it, readers pass over bounds. */
const columnOrder = struct({}, { typeDefined: [1, empty] })

export const fileMetaData = struct(
  {
    version: [1, i32],
    schema: [2, shareEqual(list(schemaElement))],
    rows: [3, i64],
    rowGroups: [4, list(rowGroup)],
  },
  {
    keyValues: [5, shareEqual(list(keyValue))],
    createdBy: [6, unread(utf8)],
    columnOrders: [7, unread(list(columnOrder))],
    encryption: [8, empty],
  },
)

const dataPageHeader = struct(
  {
    values: [1, i32],
    encoding: [2, i32],
    definitionLevelEncoding: [3, i32],
    repetitionLevelEncoding: [4, i32],
  },
  {},
)

const dataPageHeaderV2 = struct(
  {
    values: [1, i32],
    nulls: [2, i32],
    rows: [3, i32],
    encoding: [4, i32],
    definitionLevelBytes: [5, i32],
    repetitionLevelBytes: [6, i32],
  },
  { isCompressed: [7, bool] },
)

const dictionaryPageHeader = struct({ values: [1, i32], encoding: [2, i32] }, {})

export const pageHeader = struct(
  { type: [1, i32], uncompressedSize: [2, i32], compressedSize: [3, i32] },
  {
    crc: [4, i32],
    dataPage: [5, dataPageHeader],
    dictionaryPage: [7, dictionaryPageHeader],
    dataPageV2: [8, dataPageHeaderV2],
  },
)

export const offsetIndex = struct(
  {
    pages: [1, list(struct({ offset: [1, i64], compressedSize: [2, i32], firstRow: [3, i64] }, {}))],
  },
  { unencodedByteArrayBytes: [2, unread(list(i64))] },
)

export const columnIndex = struct(
  { nullPages: [1, list(bool)], minValues: [2, list(binary)], maxValues: [3, list(binary)] },
  { boundaryOrder: [4, unread(i32)], nullCounts: [5, list(i64)] },
)

/** parquet-format 2.12 has no other algorithm, hash or compression than these. */
export const bloomFilterHeader = struct(
  {
    bytes: [1, i32],
    algorithm: [2, struct({}, { block: [1, empty] })],
    hash: [3, struct({}, { xxHash: [1, empty] })],
    compression: [4, struct({}, { uncompressed: [1, empty] })],
  },
  {},
)

export type LogicalType = Value<typeof logicalType>
export type SchemaElement = Value<typeof schemaElement>
export type ColumnMetaData = Value<typeof columnMetaData>
export type ColumnChunk = Value<typeof columnChunk>
export type RowGroup = Value<typeof rowGroup>
export type Statistics = Value<typeof statistics>
export type FileMetaData = Value<typeof fileMetaData>
export type PageHeader = Value<typeof pageHeader>

export const PhysicalType = Object.freeze({
  boolean: 0,
  int32: 1,
  int64: 2,
  int96: 3,
  float: 4,
  double: 5,
  byteArray: 6,
  fixedLenByteArray: 7,
})

export const Repetition = Object.freeze({ required: 0, optional: 1, repeated: 2 })

export const ConvertedType = Object.freeze({
  utf8: 0,
  map: 1,
  mapKeyValue: 2,
  list: 3,
  enum: 4,
  decimal: 5,
  date: 6,
  timeMillis: 7,
  timeMicros: 8,
  timestampMillis: 9,
  timestampMicros: 10,
  uint8: 11,
  uint16: 12,
  uint32: 13,
  uint64: 14,
  int8: 15,
  int16: 16,
  int32: 17,
  int64: 18,
  json: 19,
  bson: 20,
  interval: 21,
})

export const Codec = Object.freeze({
  uncompressed: 0,
  snappy: 1,
  gzip: 2,
  lzo: 3,
  brotli: 4,
  lz4: 5,
  zstd: 6,
  lz4Raw: 7,
})

export const BoundaryOrder = Object.freeze({ unordered: 0, ascending: 1, descending: 2 })

export const PageType = Object.freeze({ data: 0, index: 1, dictionary: 2, dataV2: 3 })

export const Encoding = Object.freeze({
  plain: 0,
  plainDictionary: 2,
  rle: 3,
  deltaBinaryPacked: 5,
  deltaLengthByteArray: 6,
  deltaByteArray: 7,
  rleDictionary: 8,
  byteStreamSplit: 9,
})
