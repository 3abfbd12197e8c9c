import type { FileFormat } from '../../../../plan/format/file-format.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { FileStructure } from '../../../../plan/source/structure.ts'
import type { StructureAnswer } from '../../../../plan/task/task.ts'
import type { QueryContext } from '../query-context.ts'

type Reading = Pick<QueryContext, 'ticket' | 'onAnswer' | 'onObjects' | 'structures'>

/** Files that are read at once. */
const LANES = 8

/**
 * Reads what files hold, some at a time, and yields each in the order of the files. Rejects with the error of the first that cannot be
 * read.
 */
export async function* readStructures(
  format: FileFormat,
  files: readonly FileRef[],
  reading: Reading,
): AsyncGenerator<readonly [FileRef, FileStructure], void> {
  for (let from = 0; from < files.length; from += LANES) {
    const some = files.slice(from, from + LANES)
    const read = await Promise.all(some.map((file) => readStructure(format, file, reading)))
    for (const [at, structure] of read.entries()) {
      const file = some[at]
      if (file !== undefined) yield [file, structure]
    }
  }
}

/** A worker reads what a file holds. Rejects as `Ticket.run` does. */
async function readStructure(
  format: FileFormat,
  file: FileRef,
  { ticket, onAnswer, onObjects, structures }: Reading,
): Promise<FileStructure> {
  const earlier = structures.get(format, file)
  if (earlier !== undefined) return earlier
  const task = { kind: 'structure', format, file, cancel: ticket.cancel } as const
  const { answer, queueMs } = await ticket.run<StructureAnswer>(task)
  onAnswer(answer, queueMs)
  if (file.folder !== undefined) onObjects(answer.documents)
  structures.put(format, file, answer.structure)
  return answer.structure
}
