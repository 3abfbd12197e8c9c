import type { FormatOptions, OptionValue } from './file-format.ts'
import type { FormatRow } from './format-row.ts'
import { requestOptions } from './path-options.ts'

/**
 * Reads the options that a request gives for files of a format, by their names. A null is as if an option without a default was not
 * given. `reject` throws an error about an option. Undefined: the request gives none.
 */
export function readOptions(
  row: FormatRow,
  given: ReadonlyMap<string, unknown>,
  reject: (what: string, option: string) => never,
): FormatOptions | undefined {
  const values: Record<string, OptionValue> = {}
  let isGiven = false
  for (const option of requestOptions(row)) {
    const { name } = option
    if (!given.has(name)) continue
    const value = given.get(name)
    if (value === null && option.default === null) continue
    const read = option.read(value, (what) => reject(what, name))
    if (read === null) continue
    values[name] = read
    isGiven = true
  }
  if (!isGiven) return undefined
  row.check?.(values, reject)
  return values
}
