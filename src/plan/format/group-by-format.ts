import { getOrMake } from '../get-or-make.ts'
import type { Formats } from './create-formats.ts'
import type { FileFormat } from './file-format.ts'

/** Items by the formats of their paths, in which queries read them that give no options. Those whose name has no format are left out. */
export function groupByFormat<T>(
  items: Iterable<T>,
  pathOf: (item: T) => string,
  formats: Pick<Formats, 'ofName'>,
): ReadonlyMap<FileFormat, readonly T[]> {
  const groups = new Map<string, { readonly format: FileFormat; readonly members: T[] }>()
  for (const item of items) {
    const format = formats.ofName(pathOf(item))?.format
    if (format !== undefined)
      getOrMake(groups, format.key, () => ({ format, members: [] as T[] })).members.push(item)
  }
  return new Map([...groups.values()].map(({ format, members }) => [format, members]))
}
