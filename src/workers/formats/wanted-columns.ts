import type { SourceColumn } from '../../plan/scan.ts'

/** What a file knows of the columns that are asked for, in their order. Nobody asks for one that it lacks. */
export function wantedColumns<T>(asked: readonly SourceColumn[], byName: ReadonlyMap<string, T>): T[] {
  return asked.map(({ name }) => {
    const column = byName.get(name)
    if (column === undefined) throw new RangeError(`no column "${name}"`)
    return column
  })
}
