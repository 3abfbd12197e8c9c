import { hash } from 'node:crypto'
import type { ScanPlan } from '../../../plan/plan.ts'
import { fileKey } from '../../../plan/source/file.ts'
import type { Encoding } from '../../../plan/task/task.ts'
import { VERSION } from '../../settings/version.ts'

/** What beside the versions of its files says what an answer of the core is, byte by byte. */
export interface TaggedAnswer {
  /** JSON text of what `normalizedRequest` gives. */
  readonly request: string
  readonly plan: ScanPlan
  /** Of whom it is for, with what they may read. */
  readonly callerKey: string
  /** Digests of the tables that it names. */
  readonly tables: readonly (string | null)[]
  readonly encoding: Encoding
  /** Bytes of partials at which they are merged hang on it, and on that the last digit of a sum of floats. */
  readonly partialBytes: number
}

/**
 * A digest of all that an answer is made from; null: its bytes hang on more. The core gives the same bytes for it each
 * time, but for dictionaries: those of merged partials have what the tasks that ran had, and a search for the first rows
 * may skip others the next time.
 */
export function answerTag({
  request,
  plan,
  callerKey,
  tables,
  encoding,
  partialBytes,
}: TaggedAnswer): string | null {
  if (plan.output.fields.some(({ type }) => type.kind === 'dictionary')) return null
  // Which objects of a folder an answer is made from is known when it has been made.
  if (plan.files.some(({ folder }) => folder !== undefined)) return null
  const files = plan.files.map(fileKey)
  return hash(
    'sha256',
    JSON.stringify([VERSION, request, callerKey, tables, encoding, partialBytes, files]),
    'base64url',
  )
}
