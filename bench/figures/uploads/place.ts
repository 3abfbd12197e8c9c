import type { Service } from '../../service/service.ts'
import type { Reached } from './dataset-files.ts'

/** What a figure of files that come in or go out needs. */
export interface Place extends Reached {
  readonly service: Service
  /** A folder on the volume of the dataset root, which is deleted afterwards. */
  readonly folder: string
  /** The same relative to the dataset root. */
  readonly path: string
  /** A small file with observations, relative to the dataset root. */
  readonly small: string
  /** The size of the large file. */
  readonly bytes: number
}
