import type { InflatedBytes } from '../../../../wasm/core/boxes/box-column.ts'

/** The values of the first rows of a tile. */
export interface TileValues {
  /** Those of a pixel follow each other, or with `isPlanar` those of a sample. */
  readonly bytes: Uint8Array | InflatedBytes
  readonly isPlanar: boolean
  /** A byte for each pixel, or for each pixel of each sample, one sample after the other: 0 where it is null. Null: none is. */
  readonly validity: Uint8Array | null
}
