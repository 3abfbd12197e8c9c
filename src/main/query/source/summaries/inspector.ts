import { fromErrorData, isServiceError } from '../../../../plan/errors.ts'
import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { createLru } from '../../../../plan/lru.ts'
import { type FileRef, fileKey, isFileSettled } from '../../../../plan/source/file.ts'
import type { Omitted } from '../../../../plan/source/omitted.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import type { OnAnswer } from '../on-answer.ts'
import { type FoundInFile, type FoundSummary, inspectFiles } from './ask-workers.ts'
import { createDescriptions } from './descriptions.ts'
import type { WantedOfFiles } from './wanted.ts'

/** Has files inspected, and keeps the metadata that the annex has parsed for it, by the versions of the files. */
export interface Inspector {
  /** The file with its metadata. Null: they are not known, or no longer. */
  known(format: FileFormat, file: FileRef): FileRef | null
  /**
   * Has workers inspect files, and returns what was found of each in the order of the files. A file whose metadata need the annex comes
   * back with them. Once the signal is aborted, no further file is begun, and what was found of some may be missing. Rejects as `Ticket.run` does,
   * but not for the error of a file.
   */
  inspect(
    format: FileFormat,
    files: readonly FileRef[],
    wanted: WantedOfFiles,
    ticket: Ticket,
    onAnswer: OnAnswer,
    signal: AbortSignal,
  ): Promise<readonly (Inspected | undefined)[]>
  readonly bytes: number
}

interface Inspected {
  readonly file: FileRef
  readonly found: FoundSummary | InspectionFailed
}

/** The file cannot be read. */
interface InspectionFailed {
  readonly kind: 'error'
  readonly error: unknown
}

/** The most files of which it is kept that they were told of. */
const TOLD_FILES = 16_384

/** The most bytes of metadata that are kept. */
const METADATA_BYTES = 64 << 20

/** Called once for a version of a file, if there is anything of it that no column is made of. */
export type OnOmitted = (file: FileRef, omitted: readonly Omitted[]) => void

export function createInspector(onOmitted: OnOmitted = () => {}): Inspector {
  const kept = createLru<SharedArrayBuffer>(METADATA_BYTES, ({ byteLength }) => byteLength)
  const keyOf = ({ kind }: FileFormat, file: FileRef): string => `${kind}:${fileKey(file)}`
  /** The versions of files of which `onOmitted` was told. */
  const told = createLru<true>(TOLD_FILES)

  function tellOmitted(format: FileFormat, file: FileRef, found: Inspected['found']): void {
    const omitted = found.kind === 'summary' ? found.summary.omitted : undefined
    const key = keyOf(format, file)
    if (omitted === undefined || told.get(key)) return
    told.put(key, true)
    onOmitted(file, omitted)
  }

  function known(format: FileFormat, file: FileRef): FileRef | null {
    const metadata = kept.get(keyOf(format, file))
    return metadata === undefined ? null : { ...file, metadata }
  }

  const descriptions = createDescriptions()

  /** The file with its metadata, which the annex parses now. */
  async function described(
    format: FileFormat,
    file: FileRef,
    ticket: Ticket,
    onAnswer: OnAnswer,
  ): Promise<FileRef> {
    // The content of a file that may still change under its version may be another one for each query.
    const isKept = ticket.caching && isFileSettled(file)
    // Another query may have had it described since this one has asked a worker.
    const now = ticket.caching ? known(format, file) : null
    if (now !== null) return now
    const { answer, queueMs, isBegun } = await descriptions.of(format, file, ticket, isKept)
    // Its cost is that of the query that has begun it.
    if (isBegun) onAnswer(answer, queueMs)
    const { metadata } = answer
    if (isKept) kept.put(keyOf(format, file), metadata)
    return { ...file, metadata }
  }

  /** Has files described, one after the other, and inspects them with their metadata. */
  async function inspectDescribed(
    format: FileFormat,
    files: readonly FileRef[],
    wanted: WantedOfFiles,
    ticket: Ticket,
    onAnswer: OnAnswer,
    signal: AbortSignal,
  ): Promise<readonly (Inspected | undefined)[]> {
    const inspected: (Inspected | undefined)[] = files.map(() => undefined)
    const now: { readonly index: number; readonly file: FileRef }[] = []
    for (const [index, file] of files.entries()) {
      if (signal.aborted) break
      try {
        now.push({ index, file: await described(format, file, ticket, onAnswer) })
      } catch (error) {
        if (!isServiceError(error) || error.code === 'cancelled') throw error
        inspected[index] = { file, found: { kind: 'error', error } }
      }
    }
    const asked = now.map(({ file }) => file)
    const found = await inspectFiles(format, asked, wanted, ticket, onAnswer, signal)
    for (const [at, { file, index }] of now.entries()) {
      const each = found[at]
      if (each === undefined) break
      const known = settled(file, each)
      tellOmitted(format, file, known)
      inspected[index] = { file, found: known }
    }
    return inspected
  }

  return {
    known,
    async inspect(format, files, wanted, ticket, onAnswer, signal) {
      const isGrid = ticket.caching && format.layout === 'grid'
      const before = isGrid ? files.map((file) => known(format, file) ?? file) : files
      const found = await inspectFiles(format, before, wanted, ticket, onAnswer, signal)
      const inspected: (Inspected | undefined)[] = files.map(() => undefined)
      const lacking: number[] = []
      for (const [index, file] of before.entries()) {
        const each = found[index]
        if (each === undefined) break
        if (each.kind === 'needs_metadata') lacking.push(index)
        else {
          const known = settled(file, each)
          tellOmitted(format, file, known)
          inspected[index] = { file, found: known }
        }
      }
      if (lacking.length === 0) return inspected
      const undescribed = lacking.flatMap((index) => files[index] ?? [])
      const later = await inspectDescribed(format, undescribed, wanted, ticket, onAnswer, signal)
      for (const [at, each] of later.entries()) inspected[lacking[at] ?? 0] = each
      return inspected
    },
    get bytes() {
      return kept.weight
    },
  }
}

/** What was found in a file that needs no more metadata than it has. */
function settled(file: FileRef, found: FoundInFile): Inspected['found'] {
  switch (found.kind) {
    case 'summary':
      return found
    case 'failed':
      return { kind: 'error', error: fromErrorData(found.error) }
    case 'needs_metadata':
      throw new TypeError(`the metadata of "${file.path}" are not used`)
    case 'groups':
      throw new TypeError(`"${file.path}" is a file and has groups`)
  }
}
