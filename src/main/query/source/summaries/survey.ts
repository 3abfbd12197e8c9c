import { isServiceError, type ServiceError, toErrorData } from '../../../../plan/errors.ts'
import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { type FileRef, isFileSettled } from '../../../../plan/source/file.ts'
import { rowsOf, segmentsOf } from '../../../../plan/source/segments.ts'
import { mergeWhole, NO_WHOLE_COLUMNS } from '../../../../plan/source/whole.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import type { LearnedFile, LearnedFiles } from '../../../learned/learned-files.ts'
import { type FoundInFile, type FoundSummary, inspectFiles, segmentsFound } from './ask-workers.ts'
import { inspectTogether } from './inspected-together.ts'
import { type LearnedSummaries, storedSegment } from './learned-summaries.ts'

/** What became of a file that was surveyed. */
type SurveyedFile =
  | {
      readonly kind: 'learned'
      readonly columns: number
      /** Null: not known without reading. */
      readonly rows: number | null
      /** Bytes of all columns when decoded, as estimated. Null: not known. */
      readonly bytes: number | null
    }
  /** It cannot be read as it is. */
  | { readonly kind: 'failed'; readonly message: string }
  /** It has changed, or its file system does not answer: later it may be read. */
  | { readonly kind: 'unsettled' }

/**
 * Learns of files of which nobody has asked what is known of all values of their columns, and returns what became of them in their order. What
 * is learned is stored, and not held in memory, where queries have theirs. Rejects with `cancelled` once the ticket is stopped.
 */
export type Survey = (
  format: FileFormat,
  files: readonly FileRef[],
  ticket: Ticket,
) => Promise<readonly SurveyedFile[]>

/** Tasks that are asked for at once. They run one after the other, and the next one is there when one ends. */
const LANES = 2

const WANTED = Object.freeze({
  statistics: Object.freeze([]),
  columns: Object.freeze([]),
  areMany: true,
  isSurvey: true,
})

/** Errors that say nothing about the content of a file. */
const UNSETTLED: ReadonlySet<string> = new Set(['file_changed', 'path_unavailable'])

export function createSurvey(learned: LearnedSummaries, stored: LearnedFiles, onMore: () => void): Survey {
  function learn(
    format: FileFormat,
    file: FileRef,
    { summary, whole, surveyed }: FoundSummary,
    earlier: LearnedFile | null,
  ): SurveyedFile {
    if (!isFileSettled(file)) return { kind: 'unsettled' }
    const { schema, arrays, omitted } = summary
    const segments = segmentsFound(summary)
    const all = surveyed ?? whole ?? NO_WHOLE_COLUMNS
    if (segments.kind === 'grid' && earlier !== null) {
      // A query has asked for it, and may ask again.
      const { whole: more } = learned.learn(format, file, { ...summary, segments, whole: all }, true)
      if (more !== undefined) onMore()
    } else if (omitted === undefined) {
      const grid = segments.kind === 'grid' ? segments : null
      const wholeOfFile = segments.kind === 'grid' ? mergeWhole(earlier?.whole, all) : all
      const segment = storedSegment(file, { ...summary, segments })
      const rows = segment ? { segment } : arrays && { arrays }
      stored.put(format, file, { schema, grid, ...rows, whole: wholeOfFile })
    }
    const bytes = segmentsOf(segments)
      .flatMap(({ decodedBytes }) => decodedBytes)
      .reduce((sum, each) => sum + each, 0)
    return {
      kind: 'learned',
      columns: schema.fields.length,
      rows: rowsOf(segments),
      bytes: segments.kind === 'grid' || rowsOf(segments) === null ? null : bytes,
    }
  }

  return async (format, files, ticket) => {
    const outcomes = new Array<SurveyedFile>(files.length).fill({ kind: 'unsettled' })
    const earlier = format.layout === 'grid' ? await ticket.waitFor(learned.find(format, files)) : []

    async function ask(indexes: readonly number[]): Promise<void> {
      const asked = indexes.flatMap((index) => files[index] ?? [])
      let inspections: readonly FoundInFile[]
      try {
        inspections = await inspectFiles(format, asked, WANTED, ticket, () => undefined)
      } catch (error) {
        if (!isServiceError(error) || error.code === 'cancelled') throw error
        // A file may have ended its worker. Each is asked for by itself, so that the others are known all the same.
        if (indexes.length > 1) for (const index of indexes) await ask([index])
        else for (const index of indexes) outcomes[index] = outcomeOf(error)
        return
      }
      for (const [at, index] of indexes.entries()) {
        const [each, file] = [inspections[at], files[index]]
        if (each === undefined || file === undefined) continue
        outcomes[index] =
          each.kind === 'summary'
            ? learn(format, file, each, earlier[index] ?? null)
            : each.kind === 'failed'
              ? outcomeOf(each.error)
              : { kind: 'failed', message: 'It has several groups.' }
      }
    }

    await inspectTogether([...files.keys()], files, LANES, async (indexes) => {
      await ask(indexes)
      return null
    })
    return outcomes
  }
}

function outcomeOf(error: ServiceError | { readonly code: string; readonly message: string }): SurveyedFile {
  const { code, message } = isServiceError(error) ? toErrorData(error) : error
  return UNSETTLED.has(code) ? { kind: 'unsettled' } : { kind: 'failed', message }
}
