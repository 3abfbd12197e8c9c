import { createParquetWasm } from '../../../wasm/parquet-wasm.ts'

/** The most memory of parquet-wasm, in bytes: a unit decodes to at most 64 MiB, its pages and growing vectors take more. */
const MAXIMUM_BYTES = 512 << 20

/** The thread's parquet-wasm. It reads columns that the core does not decode, and writes nested ones. */
export const parquetWasm = createParquetWasm({ maximumBytes: MAXIMUM_BYTES })
