import { columnIndex, statistics } from '../../formats/parquet/metadata/metadata.ts'
import {
  binary,
  type Codec,
  decode,
  encode,
  encodedBytes,
  i32,
  i64,
  list,
  struct,
} from '../../formats/parquet/metadata/thrift.ts'
import type { Box } from './geometry.ts'

/**
 * What the end of a file has to say of the column chunk of a leaf. Parts of it that have no offsets are in the form of the footer
 * already, so that the last task only puts them together. Offsets count from the first byte of the run that the chunk was made with.
 */
const rowGroupChunk = struct(
  {
    at: [1, i64],
    /** Bytes of all pages with their headers, and what they were if none were compressed. */
    bytes: [2, i64],
    plainBytes: [3, i64],
    /** The bytes of the dictionary page, which is the first one. 0: there is none. */
    dictionaryBytes: [4, i64],
    values: [5, i64],
    codec: [6, i32],
    encodings: [7, list(i32)],
    /** The data pages in their order. */
    pages: [8, list(struct({ at: [1, i64], bytes: [2, i32], firstRow: [3, i64] }, { textBytes: [4, i64] }))],
  },
  {
    statistics: [9, encodedBytes(statistics)],
    columnIndex: [10, encodedBytes(columnIndex)],
    /** The bytes of all values without their lengths, where values are byte arrays. */
    textBytes: [11, i64],
  },
)

const rowGroup = struct({ rows: [1, i64], chunks: [2, list(rowGroupChunk)] }, {})

/** `box`: four 64-bit floats, little endian. */
const run = struct({ groups: [1, list(rowGroup)] }, { box: [2, binary] })

type Value<C> = C extends Codec<infer T> ? T : never

export type RowGroupChunk = Value<typeof rowGroupChunk>

/** A row group, with a chunk of each leaf. */
export type WrittenRowGroup = Value<typeof rowGroup>

/** What the end of the file has to say of a run. */
export interface WrittenRun {
  readonly groups: readonly WrittenRowGroup[]
  /** Around the points of the run. Null: there are none. */
  readonly box: Box | null
}

/** A run in the form in which it is sent to main, which has the end of the file made of all runs. */
export function packRun({ groups, box }: WrittenRun): Uint8Array {
  return encode(run, { groups, ...(box !== null && { box: new Uint8Array(Float64Array.from(box).buffer) }) })
}

export function unpackRun(summary: Uint8Array): WrittenRun {
  const { groups, box } = decode(run, summary)
  if (box === undefined) return { groups, box: null }
  const [west = 0, south = 0, east = 0, north = 0] = new Float64Array(new Uint8Array(box).buffer)
  return { groups, box: [west, south, east, north] }
}
