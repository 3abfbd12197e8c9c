import type { FileFormat } from '../../../../plan/format/file-format.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import { versionKey } from '../../../../plan/source/version.ts'
import type { WholeOfFile } from '../../../../plan/source/whole.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import { segmentName, segmentOf } from '../../../learned/file-registry.ts'
import type { LearnedFiles } from '../../../learned/learned-files.ts'
import type { LearnedSummaries } from './learned-summaries.ts'

/** What is known of a file that was analyzed. */
export interface FileFacts extends Pick<FileSummary, 'schema'> {
  readonly whole: WholeOfFile
  /** Null: not known without reading. */
  readonly rows: number | null
  /** The name of its segment in `system.file_stats_segments`. */
  readonly segment: string
}

/** What is known of files that were analyzed as they are now, in their order. Null: a file was not. */
export async function surveyedFacts(
  format: FileFormat,
  files: readonly FileRef[],
  learned: LearnedSummaries,
  { registry }: LearnedFiles,
  ticket: Ticket,
): Promise<readonly (FileFacts | null)[]> {
  const registered = await ticket.waitFor(registry.find(files.map(({ path }) => path)))
  const ofFiles = await ticket.waitFor(learned.find(format, files))
  return files.map(({ version }, index) => {
    const [file, facts] = [registered[index] ?? null, ofFiles[index] ?? null]
    if (file === null || facts === null) return null
    if (file.state !== 'Analyzed' || file.version !== versionKey(version)) return null
    const { schema, whole } = facts
    return { schema, whole, rows: file.rows, segment: segmentName(segmentOf(file.id)) }
  })
}
