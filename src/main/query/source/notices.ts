import { listNames } from '../../../plan/nearest-name.ts'
import { type FileRef, storePath } from '../../../plan/source/file.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import type { Field } from '../../../plan/types/schema.ts'

/**
 * Tells what of a query looks as if something else was meant. What makes numbers other than they seem comes before what is said about
 * files: `about` is `numbers` then.
 */
export type OnNotice = (notice: string, about?: 'numbers') => void

/** Adds a notice. One about numbers comes first. */
export function addNotice(notices: Set<string>, notice: string, about?: 'numbers'): void {
  const others = about === 'numbers' && !notices.has(notice) ? [...notices] : []
  if (others.length > 0) notices.clear()
  for (const each of [notice, ...others]) notices.add(each)
}

/** The most notices of a query, and the most characters of all together. */
const MOST_NOTICES = 3
const MOST_CHARACTERS = 1000

/** The notices about files, each with the path of its file. */
export function noticesOf(files: readonly FileRef[], summaries: readonly FileSummary[]): readonly string[] {
  const texts: string[] = []
  for (const [index, { notices }] of summaries.entries()) {
    if (notices === undefined) continue
    texts.push(...notices.map((notice) => `"${files[index]?.path}": ${notice}`))
    if (texts.length > MOST_NOTICES) break
  }
  return texts
}

/** The notices of a query in one line. Empty: there are none. */
export function printNotices(notices: ReadonlySet<string>): string {
  const shown = [...notices].slice(0, MOST_NOTICES).join('; ')
  const cut = shown.length > MOST_CHARACTERS ? `${shown.slice(0, MOST_CHARACTERS)}…` : shown
  return notices.size > MOST_NOTICES ? `${cut}; and so on` : cut
}

/**
 * Tells that most columns of an answer are attributes of files of arrays, whose values are written again in each row of a text. Null: no
 * more than half of them are.
 */
export function attributeNotice(fields: readonly Field[]): string | null {
  const names = new Set(fields.map(({ name }) => name))
  const attributes = fields.filter(({ name }) => isAttribute(name, names))
  if (2 * attributes.length <= fields.length) return null
  return `${attributes.length} of the ${fields.length} columns are attributes, with the same value in each row; attributes = false leaves them out`
}

/** Whether a column is `.title`, or `sst.units` beside `sst`. */
function isAttribute(name: string, names: ReadonlySet<string>): boolean {
  const dot = name.indexOf('.')
  if (dot === 0) return true
  for (let at = dot; at > 0; at = name.indexOf('.', at + 1)) if (names.has(name.slice(0, at))) return true
  return false
}

/** The groups of a store, of which the first has these dimensions. */
interface Groups {
  readonly dimensions: string
  readonly names: string[]
  areDifferent: boolean
}

/** The notices about stores whose groups have dimensions of different names or sizes: their rows are seldom meant to be one table. */
export function groupNotices(
  files: readonly FileRef[],
  summaries: readonly FileSummary[],
): readonly string[] {
  if (!files.some(({ folder }) => folder?.group !== undefined)) return []
  const stores = new Map<string, Groups>()
  for (const [index, file] of files.entries()) {
    const group = file.folder?.group
    const segments = summaries[index]?.segments
    if (group === undefined || segments?.kind !== 'grid') continue
    const sizes = segments.axes.map(({ name, dimension }, axis) => [name ?? dimension, segments.shape[axis]])
    const dimensions = JSON.stringify(sizes.toSorted())
    const store = storePath(file)
    const groups = stores.get(store)
    if (groups === undefined) stores.set(store, { dimensions, names: [group], areDifferent: false })
    else {
      groups.names.push(group)
      groups.areDifferent ||= groups.dimensions !== dimensions
    }
  }
  return [...stores].flatMap(([store, { names, areDifferent }]) =>
    areDifferent
      ? `"${store}" has groups with different coordinates, whose rows come one after the other: ${listNames(names)}; "group" = '${names[0]}' would read one`
      : [],
  )
}
