import { all, unlessTrue } from '../../../plan/condition/combine.ts'
import { type Condition, FALSE } from '../../../plan/condition/condition.ts'
import { memoize } from '../../../plan/memoize.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import type { ColumnsInFile } from '../source/column-in-file.ts'
import { fileTest } from '../source/whole/file-test.ts'

/**
 * What a filter still has to test in a file, by what is known of all values of its columns: without the conditions that all rows pass.
 * Null: all rows pass. `FALSE`: none does.
 */
export function filterInFile(
  summary: FileSummary,
  filter: Condition | null,
  columns: ColumnsInFile,
): Condition | null {
  if (filter === null || summary.whole === undefined) return filter
  const { conditions, mayMatch, mustPass } = fileTest(columns, filter)
  const { whole } = summary
  if (!mayMatch(whole)) return FALSE
  let passed = 0
  for (let index = 0; index < conditions.length && index < MOST_CONDITIONS; index++)
    if (mustPass(index, whole)) passed |= 1 << index
  if (passed === 0) return filter
  const rests = restsOf(filter)
  const earlier = rests.get(passed)
  if (earlier !== undefined) return earlier
  const rest = conditions.filter((_, index) => index >= MOST_CONDITIONS || (passed & (1 << index)) === 0)
  const tested = unlessTrue(all(rest))
  if (rests.size < MOST_RESTS) rests.set(passed, tested)
  return tested
}

/** The most conditions of which it is found out whether all rows pass. */
const MOST_CONDITIONS = 31

/** The most conjunctions that are remembered of a filter. */
const MOST_RESTS = 64

/** What remains of a filter without some of its conditions, by the bits of their indexes: one object for all files. */
const restsOf = memoize((_filter: Condition) => new Map<number, Condition | null>())
