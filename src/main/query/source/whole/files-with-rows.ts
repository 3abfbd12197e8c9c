import type { Condition } from '../../../../plan/condition/condition.ts'
import { columnsOf } from '../../../../plan/expression.ts'
import { memoizeLast } from '../../../../plan/memoize.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import { createSlice } from '../../../../plan/steps.ts'
import { fieldIndexes, type Schema } from '../../../../plan/types/schema.ts'
import { type ColumnsInFile, columnsIn } from '../column-in-file.ts'
import { type FileTest, fileTest } from './file-test.ts'

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
  filter: Condition,
): Promise<readonly FileRef[]> {
  const testOf = testOfFiles(schema, filter)
  const remaining: FileRef[] = []
  const slice = createSlice()
  let at = 0
  for (const file of files) {
    if (slice.isOver()) await slice.next()
    const its = learned[at++]
    if (its?.whole === undefined || testOf(file.constants, its.schema).mayMatch(its.whole))
      remaining.push(file)
  }
  return remaining.length === files.length ? files : remaining
}

/** What a filter of a table with this schema says of the rows of files with these constants, whose own schema is the last one. */
export function testOfFiles(
  { fields }: Schema,
  filter: Condition,
): (constants: FileRef['constants'], schema: Schema) => FileTest {
  const indexes = fieldIndexes(fields)
  const columns = columnsOf(filter).flatMap((name) => fields[indexes.get(name) ?? -1] ?? [])
  return (constants, schema) => {
    const inFile = columnsIn({ schema, ...(constants && { constants }) }, { columns })
    return fileTest(withoutAbsent(inFile, constants), filter)
  }
}

/** The columns that a file has, and those that are constants. */
const withoutAbsent = memoizeLast((inFile: ColumnsInFile, constants: FileRef['constants']): ColumnsInFile => {
  const present = [...inFile].filter(
    ([name, { index }]) => index !== null || Object.hasOwn(constants ?? {}, name),
  )
  return new Map(present)
})
