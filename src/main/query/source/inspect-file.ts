import type { FileFormat } from '../../../plan/format/file-format.ts'
import { createLru } from '../../../plan/lru.ts'
import { type FileRef, fileKey, isFileSettled } from '../../../plan/source/file.ts'
import type { Omitted } from '../../../plan/source/omitted.ts'
import type { InspectAnswer, NeedsMetadataAnswer } from '../../../plan/task/task.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import { createDescriptions } from './descriptions.ts'
import type { OnAnswer } from './on-answer.ts'
import type { WantedOfFiles } from './wanted.ts'

/** Has files inspected, and keeps the metadata that the annex has parsed for it, by the versions of the files. */
export interface Inspector {
  /** The file with its metadata. Null: they are not known, or no longer. */
  known(format: FileFormat, file: FileRef): FileRef | null
  /** Has a worker inspect a file. If its metadata need the annex, `file` comes back with them. */
  inspect(
    format: FileFormat,
    file: FileRef,
    wanted: WantedOfFiles,
    ticket: Ticket,
    onAnswer: OnAnswer,
  ): Promise<{ readonly file: FileRef; readonly answer: InspectAnswer }>
  readonly bytes: number
}

/** The most bytes of metadata that are kept. */
const METADATA_BYTES = 64 << 20

/** Called once for a version of a file that the annex has described, if there is anything of it that no column is made of. */
export type OnOmitted = (file: FileRef, omitted: readonly Omitted[]) => void

export function createInspector(onOmitted: OnOmitted = () => {}): Inspector {
  const kept = createLru<SharedArrayBuffer>(METADATA_BYTES, ({ byteLength }) => byteLength)
  const keyOf = ({ kind }: FileFormat, file: FileRef): string => `${kind}:${fileKey(file)}`

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
  ): Promise<{ readonly file: FileRef; readonly isBegun: boolean }> {
    // The content of a file that may still change under its version may be another one for each query.
    const isKept = ticket.caching && isFileSettled(file)
    // Another query may have had it described since this one has asked a worker.
    const now = ticket.caching ? known(format, file) : null
    if (now !== null) return { file: now, isBegun: false }
    const { answer, queueMs, isBegun } = await descriptions.of(format, file, ticket, isKept)
    // Its cost is that of the query that has begun it.
    if (isBegun) onAnswer(answer, queueMs)
    const { metadata } = answer
    if (isKept) kept.put(keyOf(format, file), metadata)
    return { file: { ...file, metadata }, isBegun }
  }

  return {
    known,
    async inspect(format, file, { statistics, columns }, ticket, onAnswer) {
      const { caching, cancel } = ticket
      const ask = async (asked: FileRef): Promise<InspectAnswer | NeedsMetadataAnswer> => {
        const task = { kind: 'inspect', format, file: asked, statistics, columns, caching, cancel } as const
        const { answer, queueMs } = await ticket.run<InspectAnswer | NeedsMetadataAnswer>(task)
        onAnswer(answer, queueMs)
        return answer
      }
      const before = (caching && format.layout === 'grid' ? known(format, file) : null) ?? file
      const first = await ask(before)
      if (first.kind === 'summary') return { file: before, answer: first }
      const { file: now, isBegun } = await described(format, file, ticket, onAnswer)
      const second = await ask(now)
      if (second.kind === 'summary') {
        const { omitted } = second.summary
        if (isBegun && omitted !== undefined) onOmitted(now, omitted)
        return { file: now, answer: second }
      }
      throw new TypeError(`the metadata of "${file.path}" are not used`)
    },
    get bytes() {
      return kept.weight
    },
  }
}
