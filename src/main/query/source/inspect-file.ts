import type { FileFormat } from '../../../plan/format/file-format.ts'
import { createLru } from '../../../plan/lru.ts'
import { type FileRef, fileKey, isFileSettled } from '../../../plan/source/file.ts'
import type { DescribedAnswer, InspectAnswer, NeedsMetadataAnswer } from '../../../plan/task/task.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
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

export function createInspector(): Inspector {
  const kept = createLru<SharedArrayBuffer>(METADATA_BYTES, ({ byteLength }) => byteLength)
  const keyOf = ({ kind }: FileFormat, file: FileRef): string => `${kind}:${fileKey(file)}`

  function known(format: FileFormat, file: FileRef): FileRef | null {
    const metadata = kept.get(keyOf(format, file))
    return metadata === undefined ? null : { ...file, metadata }
  }

  /** The file with its metadata, which the annex parses now. */
  async function described(
    format: FileFormat,
    file: FileRef,
    ticket: Ticket,
    onAnswer: OnAnswer,
  ): Promise<FileRef> {
    const task = { kind: 'describe', format, file, cancel: ticket.cancel } as const
    const { answer, queueMs } = await ticket.run<DescribedAnswer>(task)
    onAnswer(answer, queueMs)
    const { metadata } = answer
    if (ticket.caching && isFileSettled(file)) kept.put(keyOf(format, file), metadata)
    return { ...file, metadata }
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
      const now = await described(format, file, ticket, onAnswer)
      const second = await ask(now)
      if (second.kind === 'summary') return { file: now, answer: second }
      throw new TypeError(`the metadata of "${file.path}" are not used`)
    },
    get bytes() {
      return kept.weight
    },
  }
}
