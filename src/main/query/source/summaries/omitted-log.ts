import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { createLru } from '../../../../plan/lru.ts'
import { type FileRef, fileKey } from '../../../../plan/source/file.ts'
import type { Omitted } from '../../../../plan/source/omitted.ts'

/** Called once for a version of a file, if there is anything of it that no column is made of. */
export type OnOmitted = (file: FileRef, omitted: readonly Omitted[]) => void

/** The most files that are remembered. */
const REMEMBERED = 16_384

/** Calls a function with what is omitted of files, once for each version of a file. */
export function createOmittedLog(onOmitted: OnOmitted) {
  const logged = createLru<true>(REMEMBERED)
  return ({ kind }: FileFormat, file: FileRef, omitted: readonly Omitted[] | undefined): void => {
    if (omitted === undefined) return
    const key = `${kind}:${fileKey(file)}`
    if (logged.get(key)) return
    logged.put(key, true)
    onOmitted(file, omitted)
  }
}
