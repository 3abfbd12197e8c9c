import { isText } from '../../../plan/task/encoding.ts'
import type { Part } from '../../../plan/task/part.ts'
import { cutBatches, UNCUT } from './cut-batches.ts'
import { mergedRuns } from './merged-runs.ts'
import { SORT_SIZES, type Sorted, type SortOptions } from './sort-options.ts'
import { writeRuns } from './write-runs.ts'

/**
 * Sorts any number of rows, given as record batches. Workers sort runs of them, which are written to a temporary file. Then they merge
 * the runs step by step, and the steps are handed out in their order. Rows that are equal in all keys stay in theirs. NaN is the
 * greatest number, and text is compared byte by byte. The memory in use does not grow with the rows. The parts are encoded by
 * `encoding`. Closing the generator closes the file; it does not stop tasks: `ticket.stop()` does. Rejects with `memory_limit`,
 * `no_space` and `disk_full` if the runs exceed the limits of temporary files, and with `not_supported` for keys of types without an order.
 */
export async function* sortedParts(
  parts: AsyncIterable<Part>,
  sorted: Sorted,
  options: SortOptions,
): AsyncGenerator<Part, void, undefined> {
  const { sizes = SORT_SIZES } = options
  const file = await options.folder.open('rows')
  try {
    const runs = await writeRuns(parts, sorted, file, { ...options, sizes })
    if (runs.length === 0) return
    // Which rows beyond the limit have been dropped before depends on what was read first, and so do the runs and the steps that merge
    // them. The batches must not, and neither may they tell whether the rows were sorted in a file.
    const mayVary = Number.isFinite(sorted.ending.limit) && !isText(options.encoding)
    if (!mayVary) yield* mergedRuns(runs, sorted, file, { ...options, sizes })
    else {
      const merged = mergedRuns(runs, sorted, file, { ...options, sizes, encoding: UNCUT })
      yield* cutBatches(merged, sorted.ending.types, options)
    }
  } finally {
    await file.discard()
  }
}
