import { tokenize } from '../sql/text/tokens.ts'
import type { CatalogTable } from './catalog.ts'

/**
 * The tables and views that name a file by its path, in their order. One that names it by a pattern or a folder goes on without
 * it. Of the query of a view each text counts that is the path, wherever it stands.
 * @param path As listings show it.
 */
export function readersOfFile(path: string, tables: readonly CatalogTable[]): readonly CatalogTable[] {
  // What any text has that is the path, however its quotes are written. Most queries do not, and need not be read.
  const [word = ''] = path.split(/['/]/).toSorted((a, b) => b.length - a.length)
  return tables.filter(({ source, query }) => {
    if (query !== null) return query.includes(word) && textsIn(query).some((text) => isPath(text, path))
    if (source === null || source.kind === 'remote') return false
    const paths = source.kind === 'location' ? [source.location] : source.parts.flatMap((part) => part.paths)
    return paths.some((each) => isPath(each, path))
  })
}

/** Whether a text of a definition leads to a file: `./a//b` is `a/b`. */
function isPath(text: string, path: string): boolean {
  return (
    text === path ||
    text
      .split('/')
      .filter((name) => name !== '' && name !== '.')
      .join('/') === path
  )
}

function textsIn(query: string): readonly string[] {
  return tokenize(query).flatMap(({ kind, text }) => (kind === 'string' ? [textOf(text)] : []))
}

/** The text of a string in single quotes or between dollar signs. */
function textOf(written: string): string {
  const [, tag] = /^(\$[^$]*\$)/.exec(written) ?? []
  if (tag !== undefined) return written.slice(tag.length, -tag.length)
  return written.slice(written.indexOf("'") + 1, -1).replaceAll("''", "'")
}
