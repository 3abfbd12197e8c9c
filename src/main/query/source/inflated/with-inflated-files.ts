import type { FileRef } from '../../../../plan/source/file.ts'
import type { PlainBytes, SeenCompressed } from '../../../../plan/source/plain-bytes.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import { isTrueOfAll } from '../../../../plan/steps.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import type { OnAnswer } from '../on-answer.ts'
import type { Summaries } from '../summaries/summaries.ts'
import type { InflatedFiles } from './inflated-files.ts'

/** A compressed file, by its index among the files of a query. */
interface CompressedFile {
  readonly index: number
  readonly file: FileRef
  readonly seen: SeenCompressed
}

/**
 * Summaries that have compressed files inflated if their rows are wanted, or if their first bytes do not show the schema. Files whose rows are
 * wanted are planned with the bytes that they inflate to.
 */
export function withInflatedFiles(summaries: Summaries, inflated: InflatedFiles, lanes: number): Summaries {
  async function plainOf(
    { file, seen }: CompressedFile,
    ticket: Ticket,
    onAnswer: OnAnswer,
  ): Promise<PlainBytes> {
    const { compression, size } = seen
    return size === null
      ? inflated.inflate(file, compression, ticket, onAnswer)
      : Object.freeze({ compression, size, temp: null })
  }

  return {
    ...summaries,
    async of(format, files, wanted, ticket, onAnswer) {
      const planned = await summaries.of(format, files, wanted, ticket, onAnswer)
      const { areRowsWanted = false } = wanted
      const arePlain = await isTrueOfAll(planned.summaries, ({ compressed }) => compressed === undefined)
      if (arePlain) return planned
      const compressed = planned.summaries
        .flatMap((summary, index) => compressedFile(planned.files, summary, index))
        .filter(({ seen }) => areRowsWanted || !seen.hasSchema)
      if (compressed.length === 0) return planned
      const plain = await inOrder(compressed, lanes, async (each) => ({
        ...each.file,
        plain: await plainOf(each, ticket, onAnswer),
      }))
      const inspected = await summaries.of(format, plain, wanted, ticket, onAnswer)
      const [allFiles, allSummaries] = [[...planned.files], [...planned.summaries]]
      for (const [at, { index }] of compressed.entries()) {
        const [file, summary] = [inspected.files[at], inspected.summaries[at]]
        if (file === undefined || summary === undefined) throw new RangeError(`no summary ${at}`)
        if (areRowsWanted) allFiles[index] = file
        allSummaries[index] = summary
      }
      return { ...planned, files: areRowsWanted ? allFiles : planned.files, summaries: allSummaries }
    },
  }
}

function compressedFile(
  files: readonly FileRef[],
  { compressed }: FileSummary,
  index: number,
): CompressedFile[] {
  const file = files[index]
  return compressed === undefined || file === undefined ? [] : [{ index, file, seen: compressed }]
}

/** The results of work on all items, in their order, of which so many are worked on at once. Rejects with the error of the first item that has one. */
async function inOrder<A, B>(
  items: readonly A[],
  lanes: number,
  work: (item: A) => Promise<B>,
): Promise<B[]> {
  const results: B[] = []
  const failures = new Map<number, unknown>()
  const remaining = [...items.entries()].reverse()
  const lane = async (): Promise<void> => {
    for (let next = remaining.pop(); next !== undefined && failures.size === 0; next = remaining.pop()) {
      const [index, item] = next
      try {
        results[index] = await work(item)
      } catch (error) {
        failures.set(index, error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane))
  if (failures.size > 0) throw failures.get(Math.min(...failures.keys()))
  return results
}
