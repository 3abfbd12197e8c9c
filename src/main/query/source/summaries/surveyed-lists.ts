import type { FileFormat } from '../../../../plan/format/file-format.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import type { LearnedFile, LearnedFiles } from '../../../learned/learned-files.ts'
import type { LearnedSummaries } from './learned-summaries.ts'
import { MOST_FEW } from './most-few.ts'

/** What surveys have learned of a list of files of row groups, in their order. Empty: nothing, or the files are few. */
export type FindSurveyed = (
  format: FileFormat,
  files: readonly FileRef[],
  ticket: Ticket,
) => Promise<readonly (LearnedFile | null)[]>

/** Of files of row groups queries learn nothing, so nothing is asked for before the first survey. */
export function createSurveyedLists(learned: LearnedSummaries, { registry }: LearnedFiles): FindSurveyed {
  /** What is learned of all files of a list, as long as there is the list. */
  const lists = new WeakMap<readonly FileRef[], readonly (LearnedFile | null)[]>()
  return async (format, files, ticket) => {
    if (files.length <= MOST_FEW || !(await ticket.waitFor(registry.hasFiles()))) return []
    const earlier = lists.get(files)
    if (earlier !== undefined) return earlier
    const ofFiles = await ticket.waitFor(learned.find(format, files))
    if (ofFiles.every((each) => each !== null)) lists.set(files, ofFiles)
    return ofFiles
  }
}
