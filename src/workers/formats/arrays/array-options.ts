import type { FormatOptions } from '../../../plan/format/file-format.ts'
import type { ArrayOptions } from './array-provider.ts'

/** What the options of a format of arrays say. */
export function arrayOptions({ dimensions }: FormatOptions): ArrayOptions {
  return { dimensions: Array.isArray(dimensions) ? dimensions : null }
}
