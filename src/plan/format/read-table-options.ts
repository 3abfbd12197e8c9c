import type { FormatOptions } from './file-format.ts'
import type { FormatRow } from './format-row.ts'
import { readOptions } from './read-options.ts'

/**
 * Reads the OPTIONS of a table. Keys that the format does not have are passed over. `reject` throws an error, which says what is wrong
 * with the value of a key.
 */
export function readTableOptions(
  row: FormatRow,
  given: readonly { readonly key: string; readonly value: string }[],
  reject: (what: string) => never,
): FormatOptions | undefined {
  const optionsByKey = new Map((row.tableOptions ?? []).map((option) => [option.key, option]))
  const values = given.flatMap(({ key, value }): [string, unknown][] => {
    const table = optionsByKey.get(key)
    if (table === undefined) return []
    const read = table.valueOf(value, reject)
    return table.option === null ? [] : [[table.option, read]]
  })
  return readOptions(row, new Map(values), reject)
}
