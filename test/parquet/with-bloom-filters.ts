import type { Scalar } from '../../src/plan/types/scalar.ts'
import { readChunks } from '../../src/workers/formats/parquet/metadata/chunks.ts'
import { readFooter } from '../../src/workers/formats/parquet/metadata/footer.ts'
import { bloomFilterHeader, fileMetaData } from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { readColumns } from '../../src/workers/formats/parquet/metadata/schema.ts'
import { encode } from '../../src/workers/formats/parquet/metadata/thrift.ts'
import { plainValues } from '../../src/workers/formats/parquet/statistics/plain-value.ts'
import { xxhash64 } from '../../src/workers/formats/parquet/statistics/xxhash64.ts'
import { memorySource } from '../formats/source.ts'

const SALT = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31]
const BLOCKS = 4

/** A file of one row group, with bloom filters added: one for each column whose values are given, all but nulls. */
export function withBloomFilters(
  bytes: Uint8Array,
  values: readonly (readonly Scalar[] | null)[],
): Uint8Array {
  const source = memorySource(bytes)
  const metadata = readFooter(source)
  const chunks = readChunks(metadata, readColumns(metadata), bytes.length)[0] ?? []
  const parts: Uint8Array[] = [bytes]
  let size = bytes.length
  const ranges = chunks.map(({ leaf }, i) => {
    const hashed = values[i]?.flatMap((value) => {
      // A NaN has no PLAIN encoding to look up.
      if (value.kind === 'float' && Number.isNaN(value.value)) return []
      return [plainValues(leaf, leaf.type, value)]
    })
    if (hashed === undefined || hashed.includes(null)) return {}
    const filter = filterOf(hashed.flatMap((each) => each ?? []).map(xxhash64))
    const bloomFilterOffset = size
    parts.push(filter)
    size += filter.length
    return { bloomFilterOffset, bloomFilterLength: filter.length }
  })
  const footer = encode(fileMetaData, {
    ...metadata,
    rowGroups: metadata.rowGroups.map((group) => ({
      ...group,
      columns: group.columns.map((column, i) => ({
        ...column,
        ...(column.metaData && { metaData: { ...column.metaData, ...ranges[i] } }),
      })),
    })),
  })
  const trailer = Buffer.alloc(8, 'PAR1PAR1')
  trailer.writeUInt32LE(footer.length, 0)
  return Buffer.concat([...parts, footer, trailer])
}

function filterOf(hashes: readonly bigint[]): Uint8Array {
  const words = new Uint32Array(8 * BLOCKS)
  for (const hash of hashes) {
    const block = Number(((hash >> 32n) * BigInt(BLOCKS)) >> 32n)
    const key = Number(BigInt.asUintN(32, hash))
    for (const [i, salt] of SALT.entries()) {
      const at = 8 * block + i
      words[at] = (words[at] ?? 0) | (1 << (Math.imul(key, salt) >>> 27))
    }
  }
  const header = {
    bytes: words.byteLength,
    algorithm: { block: {} },
    hash: { xxHash: {} },
    compression: { uncompressed: {} },
  }
  return Buffer.concat([encode(bloomFilterHeader, header), new Uint8Array(words.buffer)])
}
