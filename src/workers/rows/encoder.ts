import { type Encoding, isText } from '../../plan/task/encoding.ts'
import type { PartDictionary, Payload } from '../../plan/task/part.ts'
import type { Compression, Core, EncodedRows } from '../../wasm/core/core.ts'

/** Encoded rows as the payload of a part. `dictionaries` are those that an Arrow batch refers to. */
export function payloadOf(
  encoding: Encoding,
  { bytes, metadataBytes }: EncodedRows,
  dictionaries: readonly PartDictionary[],
): Payload {
  if (isText(encoding)) return { kind: 'text', bytes }
  return { kind: 'arrow', bytes, metadataBytes, dictionaries }
}

/** The function of the core that encodes rows as batches of this encoding. */
export function encoderOf(core: Core, encoding: Encoding): Core['encodeCsv'] {
  if (encoding === 'csv') return core.encodeCsv
  if (isText(encoding)) return (...rows) => core.encodeJson(encoding.names, ...rows)
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
