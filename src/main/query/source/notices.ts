import type { FileRef } from '../../../plan/source/file.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'

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
