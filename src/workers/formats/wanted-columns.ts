import type { SourceColumn } from '../../plan/scan.ts'

/**
 * What a file knows of each column that is asked for, in their order. Throws a `RangeError` for a column that the file lacks:
 * `OpenFile.read` is not asked for those.
 */
export function chooseColumns<T>(asked: readonly SourceColumn[], byName: ReadonlyMap<string, T>): T[] {
  return asked.map(({ name }) => {
    const column = byName.get(name)
    if (column === undefined) throw new RangeError(`no column "${name}"`)
    return column
  })
}
