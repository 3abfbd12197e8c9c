import type { Scalar } from '../types/scalar.ts'
import type { FileVersion } from './version.ts'

/** A file of a query: `path` is what the user sees (relative to the dataset root), `location` what is opened. */
export interface FileRef {
  readonly path: string
  readonly location: string
  readonly version: FileVersion
  /** Columns that have one value in all of its rows, whatever the file holds under their names. */
  readonly constants?: Readonly<Record<string, Scalar | null>>
}
