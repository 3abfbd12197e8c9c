import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  FixedSizeBinary,
  Float16,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  Table,
  TimeMicrosecond,
  TimeMillisecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  tableToIPC,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import {
  Compression,
  Encoding,
  Table as WasmTable,
  WriterPropertiesBuilder,
  WriterVersion,
  writeParquet,
} from 'parquet-wasm'
import { fc } from '../support/generate.ts'

const INTEGERS = [Encoding.PLAIN, Encoding.DELTA_BINARY_PACKED]
const BYTES = [Encoding.PLAIN, Encoding.DELTA_LENGTH_BYTE_ARRAY, Encoding.DELTA_BYTE_ARRAY]
const FIXED = [Encoding.PLAIN, Encoding.DELTA_BYTE_ARRAY]

const integer = (min: number, max: number) => fc.integer({ min, max })
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const words = fc.oneof(
  fc.constantFrom('', 'argo', 'ctd', 'a text of more than thirty-two bytes'),
  fc.string(),
)

/** Types of columns, their values, and the encodings besides a dictionary in which parquet-wasm writes them. */
const KINDS: readonly [DataType, fc.Arbitrary<unknown>, readonly Encoding[]][] = [
  [new Bool(), fc.boolean(), [Encoding.PLAIN, Encoding.RLE]],
  [new Int8(), integer(-128, 127), INTEGERS],
  [new Uint8(), integer(0, 255), INTEGERS],
  [new Int16(), integer(-32_768, 32_767), INTEGERS],
  [new Uint16(), integer(0, 65_535), INTEGERS],
  [new Int32(), fc.oneof(integer(0, 5), integer(-(2 ** 31), 2 ** 31 - 1)), INTEGERS],
  [new Uint32(), integer(0, 2 ** 32 - 1), INTEGERS],
  [new Int64(), fc.oneof(fc.bigInt(0n, 9n), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)), INTEGERS],
  [new Uint64(), fc.bigInt(0n, 2n ** 64n - 1n), INTEGERS],
  [new Float16(), integer(-1000, 1000), [Encoding.PLAIN]],
  [new Float32(), fc.oneof(integer(0, 9), fc.float()), [Encoding.PLAIN]],
  [new Float64(), fc.oneof(integer(0, 9), fc.double()), [Encoding.PLAIN]],
  [new Utf8(), words, BYTES],
  [new Binary(), fc.uint8Array({ maxLength: 20 }), BYTES],
  [new FixedSizeBinary(5), bytes(5), FIXED],
  [new FixedSizeBinary(16), bytes(16), FIXED],
  [new Decimal(3, 38), fc.uint32Array({ minLength: 4, maxLength: 4, max: 99 }), FIXED],
  [new DateDay(), fc.date({ noInvalidDate: true }), INTEGERS],
  [new TimeMillisecond(), integer(0, 86_399_999), INTEGERS],
  [new TimeMicrosecond(), fc.bigInt(0n, 86_399_999_999n), INTEGERS],
  [new TimestampMillisecond(), integer(0, 2 ** 40), INTEGERS],
  [new TimestampMicrosecond('UTC'), integer(0, 2 ** 40), INTEGERS],
  [new TimestampNanosecond(), integer(0, 2 ** 40), INTEGERS],
]

const column = fc.constantFrom(...KINDS).chain(([type, value, encodings]) =>
  fc.record({
    type: fc.constant(type),
    values: fc.array(value, { minLength: 1, maxLength: 60 }),
    encoding: fc.constantFrom(...encodings),
    isDictionary: fc.boolean(),
    /** One in this many rows is null; 0: none is. */
    nulls: fc.constantFrom(0, 0, 1, 2, 7, 50),
    /** How many times each value is repeated. */
    repeat: fc.constantFrom(1, 1, 9, 100),
  }),
)

/** Files of one column, written by parquet-wasm. */
export const writtenByParquetWasm: fc.Arbitrary<Uint8Array> = fc
  .record({
    column,
    rows: fc.integer({ min: 1, max: 600 }),
    codec: fc.constantFrom(
      ...[Compression.UNCOMPRESSED, Compression.SNAPPY, Compression.GZIP, Compression.BROTLI],
      ...[Compression.LZ4, Compression.ZSTD, Compression.LZ4_RAW],
    ),
    version: fc.constantFrom(WriterVersion.V1, WriterVersion.V2),
    pageBytes: fc.constantFrom(64, 500, 1 << 20),
    dictionaryBytes: fc.constantFrom(20, 1 << 20),
    batch: fc.constantFrom(7, 64, 1024),
  })
  .map(({ column: { type, values, encoding, isDictionary, nulls, repeat }, ...file }) => {
    const rows = Array.from({ length: file.rows }, (_, i) =>
      nulls > 0 && i % nulls === 0 ? null : values[Math.floor(i / repeat) % values.length],
    )
    const table = WasmTable.fromIPCStream(tableToIPC(new Table({ x: vectorFromArray(rows, type) }), 'stream'))
    const properties = new WriterPropertiesBuilder()
      .setCompression(file.codec)
      .setWriterVersion(file.version)
      .setColumnDictionaryEnabled('x', isDictionary)
      .setColumnEncoding('x', encoding)
      .setDataPageSizeLimit(file.pageBytes)
      .setDictionaryPageSizeLimit(file.dictionaryBytes)
      .setWriteBatchSize(file.batch)
      .build()
    return writeParquet(table, properties)
  })
