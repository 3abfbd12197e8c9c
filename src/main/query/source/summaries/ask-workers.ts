import { fromErrorData } from '../../../../plan/errors.ts'
import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { memoize } from '../../../../plan/memoize.ts'
import { gridOfAll } from '../../../../plan/source/array-layout.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import type { WholeColumns } from '../../../../plan/source/whole.ts'
import {
  boundsOfFile,
  type FailedInspection,
  type FoundGroups,
  type InspectedSummary,
} from '../../../../plan/task/inspect.ts'
import type { InspectAnswer } from '../../../../plan/task/task.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import type { OnAnswer } from '../on-answer.ts'
import type { WantedOfFiles } from './wanted.ts'

/** What a worker has found in a file. */
export type FoundInFile = FoundSummary | FoundGroups | FailedInspection

export interface FoundSummary {
  readonly kind: 'summary'
  /** What is told besides `whole`. Files of equal metadata have one object. */
  readonly summary: Omit<FileSummary, 'whole' | 'segments'> & {
    /** Absent: they are the grid of all columns, which follows from the arrays. */
    readonly segments?: FileSummary['segments']
  }
  readonly whole?: WholeColumns
  /** Equal schemas have equal digests. Those of the files that one task has answered are one object. */
  readonly digest: string
  /** As in `InspectedSummary`. */
  readonly surveyed?: WholeColumns
}

/**
 * Has workers inspect files, in one task or, if that takes long, in several. Returns what they have found in the order of the files; once
 * the signal is aborted, of fewer files. Rejects as `Ticket.run` does, but not for the error of a file.
 */
export async function inspectFiles(
  format: FileFormat,
  files: readonly FileRef[],
  { statistics, columns, areMany = false, isSurvey = false }: WantedOfFiles,
  { caching, cancel, run }: Pick<Ticket, 'caching' | 'cancel' | 'run'>,
  onAnswer: OnAnswer,
  signal?: AbortSignal,
): Promise<readonly FoundInFile[]> {
  const inspected: FoundInFile[] = []
  while (inspected.length < files.length && signal?.aborted !== true) {
    const asked = inspected.length === 0 ? files : files.slice(inspected.length)
    const names = { statistics, columns, ...(isSurvey && { isSurvey }) }
    const task = { kind: 'inspect', format, files: asked, ...names, areMany, caching, cancel } as const
    const { answer, queueMs } = await run<InspectAnswer>(task)
    onAnswer(answer, queueMs)
    if (answer.files.length === 0) throw new TypeError('a worker has inspected no file')
    const summaryOf = memoize((file: InspectedSummary) => withoutBounds(file, answer))
    let at = 0
    for (const file of answer.files) {
      const index = at++
      if (file.kind !== 'summary') {
        inspected.push(file)
        continue
      }
      const whole = boundsOfFile(answer.bounds, index)
      const { summary, digest } = summaryOf(file)
      const { surveyed } = file
      inspected.push({
        kind: 'summary',
        summary,
        digest,
        ...(whole.length > 0 && { whole }),
        ...(surveyed && { surveyed }),
      })
    }
  }
  return inspected
}

function withoutBounds(
  file: InspectedSummary,
  { schemas, layouts }: InspectAnswer,
): Pick<FoundSummary, 'summary' | 'digest'> {
  const digested = schemas[file.schema]
  if (digested === undefined) throw new TypeError(`no schema ${file.schema}`)
  const layout = file.arrays && layouts[file.arrays.layout]
  const arrays = layout && file.arrays && { layout, sizes: file.arrays.sizes }
  return {
    summary: { ...file.summary, schema: digested.schema, ...(arrays && { arrays }) },
    digest: digested.digest,
  }
}

/** Has a worker inspect one file or folder. Rejects with its error too. */
export async function inspectOne(
  format: FileFormat,
  file: FileRef,
  wanted: WantedOfFiles,
  ticket: Pick<Ticket, 'caching' | 'cancel' | 'run'>,
  onAnswer: OnAnswer,
): Promise<{ readonly kind: 'summary'; readonly summary: FileSummary } | FoundGroups> {
  const [inspection] = await inspectFiles(format, [file], wanted, ticket, onAnswer)
  if (inspection === undefined) throw new TypeError(`"${file.path}" was not inspected`)
  if (inspection.kind === 'failed') throw fromErrorData(inspection.error)
  if (inspection.kind === 'groups') return inspection
  const { summary, whole } = inspection
  const segments = segmentsFound(summary)
  return { kind: 'summary', summary: { ...summary, segments, ...(whole && { whole }) } }
}

/** The segments of a file of which a worker has told this. */
export function segmentsFound({ segments, arrays }: FoundSummary['summary']): FileSummary['segments'] {
  const rows = segments ?? (arrays && gridOfAll(arrays))
  if (!rows) throw new TypeError('a worker has told neither segments nor arrays')
  return rows
}
