import { type Exports, failure, placed, unwrap } from './parquet-wasm-module.ts'

/** The enums `Compression` and `EnabledStatistics` of parquet-wasm 0.8.0. */
const ZSTD = 5
const OF_PAGES = 2

/** More rows than memory holds. */
const ALL_ROWS = 0x7fff_ffff

/** An Arrow IPC stream as a Parquet file. Throws `not_supported` with the crate's message. */
export function write(exports: Exports, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  // Each call takes ownership of what it is given.
  const { address, size } = placed(exports, parts)
  const table = unwrap(exports, exports.table_fromIPCStream(address, size), 'not_supported')
  let builder = exports.writerpropertiesbuilder_new()
  builder = exports.writerpropertiesbuilder_setCompression(builder, ZSTD)
  builder = exports.writerpropertiesbuilder_setMaxRowGroupSize(builder, ALL_ROWS)
  builder = exports.writerpropertiesbuilder_setStatisticsEnabled(builder, OF_PAGES)
  const properties = exports.writerpropertiesbuilder_build(builder)
  const [written, length, error, isError] = exports.writeParquet(table, properties)
  if (isError) throw failure(exports, error, 'not_supported')
  try {
    return new Uint8Array(exports.memory.buffer, written >>> 0, length).slice()
  } finally {
    exports.__wbindgen_free(written, length, 1)
  }
}
