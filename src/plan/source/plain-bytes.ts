import type { FileVersion } from './version.ts'

/** What a file as a whole is compressed with. */
export type Compression = 'gzip' | 'zstd' | 'xz' | 'bzip2'

/** The bytes that a compressed file inflates to. */
export interface PlainBytes {
  readonly compression: Compression
  readonly size: number
  /** The temporary file of main that has them. Null: they are few, and each worker inflates them where it reads them. */
  readonly temp: TempBytes | null
}

/** A temporary file without a name, which threads open by its descriptor. */
export interface TempBytes {
  readonly descriptor: number
  /** By which a thread knows that the descriptor is still that of the file. */
  readonly version: FileVersion
}

/** What a worker has seen of a compressed file that it has inspected. */
export interface SeenCompressed {
  readonly compression: Compression
  /** How many bytes it inflates to. Null: more than were inflated; the summary then has no segments with rows. */
  readonly size: number | null
  /** Whether the bytes that were inflated show the schema. If not, the file has to be inflated first. */
  readonly hasSchema: boolean
}
