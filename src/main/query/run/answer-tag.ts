import { hash } from 'node:crypto'
import { memoize } from '../../../plan/memoize.ts'
import { type ScanPlan, withSubplans } from '../../../plan/plan.ts'
import { type FileRef, fileKey } from '../../../plan/source/file.ts'
import { versionNumbers } from '../../../plan/source/version-numbers.ts'
import type { Encoding } from '../../../plan/task/encoding.ts'
import { VERSION } from '../../settings/version.ts'

/** What determines the bytes of an answer of the core, besides the versions of its files. */
export interface TaggedAnswer {
  /** The JSON text of what `normalizedRequest` returns. */
  readonly request: string
  readonly plan: ScanPlan
  /** The key of the caller and its rights. */
  readonly callerKey: string
  /** Digests of the tables that it names. */
  readonly tables: readonly (string | null)[]
  readonly encoding: Encoding
  /** The most bytes of fragments. It determines which fragments are merged, and so the last digit of a sum of floats. */
  readonly heldBytes: number
  /** Whether it is a file that is made of the values alone, in which dictionaries count as their values. */
  readonly isFile: boolean
}

/**
 * A digest of what determines the rows of files: their versions and, if constants follow from them, their paths. Queries over files of which none has
 * changed have one list of them.
 */
const digestOfFiles = memoize((files: readonly FileRef[]): string => {
  const texts = files.flatMap((file, index) => {
    const path = file.constants === undefined ? [] : [file.path]
    return file.plain === undefined && path.length === 0 ? [] : [[index, fileKey(file), ...path]]
  })
  const versions = Buffer.from(versionNumbers(files).buffer)
  return hash('sha256', Buffer.concat([versions, Buffer.from(JSON.stringify(texts))]), 'base64url')
})

/**
 * A digest of everything that determines the bytes of an answer of the core. Null: they may differ from run to run. That is so
 * with dictionary columns: merged dictionaries have the values of the units that were read, and a search for the first rows may
 * skip other units the next time.
 */
export function answerTag({
  request,
  plan,
  callerKey,
  tables,
  encoding,
  heldBytes,
  isFile,
}: TaggedAnswer): string | null {
  if (!isFile && plan.output.fields.some(({ type }) => type.kind === 'dictionary')) return null
  const plans = withSubplans(plan)
  const all = plans.flatMap((each) => each.files)
  // The objects of a folder that an answer is made from are known only when it has been made.
  if (all.some(({ folder }) => folder !== undefined)) return null
  // Constants follow from the paths of files and, as their types do, from the names of other folders.
  const hasConstants = all.some(({ constants }) => constants !== undefined)
  const types = hasConstants ? plans.map(({ scan }) => scan.columns) : null
  const files = plans.map((each) => digestOfFiles(each.files))
  return hash(
    'sha256',
    JSON.stringify([VERSION, request, callerKey, tables, encoding, heldBytes, files, types]),
    'base64url',
  )
}
