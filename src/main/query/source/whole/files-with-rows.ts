import { columnsOf, type Predicate } from '../../../../plan/predicate/predicate.ts'
import { mayMatch } from '../../../../plan/predicate/prune.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import { createSlice } from '../../../../plan/steps.ts'
import { fieldIndexes, type Schema } from '../../../../plan/types/schema.ts'
import { columnsIn } from '../column-in-file.ts'
import { type KnownOfColumn, knownOfFile, SOME_ROWS } from './known-in-file.ts'

/** What is known of a file without its grid. */
export type KnownOfFile = Pick<FileSummary, 'schema' | 'whole'>

/**
 * The files that may have rows which pass a filter, by what is known of all values of their columns, which `learned` has in the order of
 * the files; null: nothing. Nothing is known either of a column that a file does not have: it may be an array
 * that is left out of its rows, which is an error. Returns the list itself if it is all.
 */
export async function filesWithRows(
  files: readonly FileRef[],
  learned: readonly (KnownOfFile | null)[],
  schema: Schema,
  filter: Predicate,
): Promise<readonly FileRef[]> {
  if (!learned.some((each) => each?.whole !== undefined)) return files
  const indexes = fieldIndexes(schema.fields)
  const columns = columnsOf(filter).flatMap((name) => schema.fields[indexes.get(name) ?? -1] ?? [])
  const remaining: FileRef[] = []
  const slice = createSlice()
  for (const [index, file] of files.entries()) {
    if (slice.isOver()) await slice.next()
    const its = learned[index]
    if (its?.whole === undefined || mayMatch(filter, inAllRows(file, its), SOME_ROWS)) remaining.push(file)
  }
  return remaining.length === files.length ? files : remaining

  function inAllRows({ constants }: FileRef, { schema, whole }: KnownOfFile): KnownOfColumn {
    const inFile = columnsIn({ schema, ...(constants && { constants }) }, { columns })
    const ofColumn = knownOfFile({ ...(whole && { whole }) }, inFile)
    const isAbsent = (name: string): boolean =>
      inFile.get(name)?.index === null && !Object.hasOwn(constants ?? {}, name)
    return (name) => (isAbsent(name) ? null : ofColumn(name))
  }
}
