import type { Encoding } from '../../plan/task/task.ts'
import type { Compression, Core } from '../../wasm/core.ts'

/** What makes batches of an encoding. */
export function encoderOf(core: Core, encoding: Encoding): Core['encodeCsv'] {
  if (encoding === 'csv') return core.encodeCsv
  const compression = compressionOf(encoding)
  return (columns, types, rows, mask, from, maxRows, maxBytes) =>
    core.encodeBatch(columns, types, rows, mask, from, maxRows, maxBytes, compression)
}

export function compressionOf(encoding: Encoding): Compression {
  switch (encoding) {
    case 'arrow_lz4':
      return 'lz4'
    case 'arrow_zstd':
      return 'zstd'
    default:
      return 'none'
  }
}
