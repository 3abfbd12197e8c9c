import { memoize } from '../../../plan/memoize.ts'
import type { Predicate } from '../../../plan/predicate/predicate.ts'
import { mayMatch, mustMatch } from '../../../plan/predicate/prune.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import { all, FALSE, TRUE } from '../bind/filters/combine.ts'
import type { ColumnsInFile } from '../source/column-in-file.ts'
import { knownOfFile, SOME_ROWS } from '../source/whole/known-in-file.ts'

/**
 * What a filter still has to test in a file, by what is known of all values of its columns: without the conditions that all rows pass.
 * Null: all rows pass. `FALSE`: none does.
 */
export function filterInFile(
  summary: FileSummary,
  filter: Predicate | null,
  columns: ColumnsInFile,
): Predicate | null {
  if (filter === null || summary.whole === undefined) return filter
  const statisticsOf = knownOfFile(summary, columns)
  if (!mayMatch(filter, statisticsOf, SOME_ROWS)) return FALSE
  const conditions = filter.op === 'and' ? filter.args : [filter]
  const undecided = conditions.flatMap((condition, index) =>
    mustMatch(condition, statisticsOf, SOME_ROWS) ? [] : [index],
  )
  if (undecided.length === conditions.length) return filter
  const rests = restsOf(filter)
  const key = undecided.join()
  const earlier = rests.get(key)
  if (earlier !== undefined) return earlier
  const rest = all(undecided.flatMap((index) => conditions[index] ?? []))
  const tested = rest === TRUE ? null : rest
  if (rests.size < MOST_RESTS) rests.set(key, tested)
  return tested
}

/** The most conjunctions that are remembered of a filter. */
const MOST_RESTS = 64

/** What remains of a filter without some of its conditions, by the indexes of the others: one object for all files. */
const restsOf = memoize((_filter: Predicate) => new Map<string, Predicate | null>())
