import type { Formats } from '../../../plan/format/create-formats.ts'
import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { FormatRow } from '../../../plan/format/format-row.ts'
import { optionMeant } from '../../../plan/format/option-words.ts'
import { pathOptionsOf, requestOptions } from '../../../plan/format/path-options.ts'
import { readOptions } from '../../../plan/format/read-options.ts'
import { didYouMean } from '../../../plan/nearest-name.ts'
import type { PathOptions } from '../../../plan/source/path-options.ts'
import { at, describe, isObject, readArray, readMembers, readText, reject } from '../../json/shape.ts'

/** The source of a query's rows, as the request names it. */
export type From =
  /** The request has no `from`: the table that is set as the default one. */
  | { readonly kind: 'default_table' }
  /** The name as it is written: `Lookups` interprets dots, case and quotes. */
  | { readonly kind: 'name'; readonly text: string }
  | FilesFrom

interface FilesFrom {
  readonly kind: 'files'
  readonly format: FileFormat
  /** Paths and globs relative to the dataset root, as they are written, in their order. */
  readonly paths: readonly string[]
  /** Absent: the defaults. */
  readonly pathOptions?: PathOptions
}

export function readFrom(value: unknown, path: string, formats: Formats): From {
  if (value === undefined) return Object.freeze({ kind: 'default_table' })
  if (typeof value === 'string') return Object.freeze({ kind: 'name', text: readText(value, path) })
  if (!isObject(value))
    reject(path, `expected a table name or an object, ${EXAMPLE}, found ${describe(value)}`)
  const [entry, ...others] = readMembers(value, path)
  if (entry === undefined || others.length > 0)
    reject(path, `expected exactly one format, one of ${keysOf(formats)}, ${EXAMPLE}`)
  const [key, source] = entry
  const row = formats.fromKeys.get(key)
  if (row === undefined) {
    const hint =
      didYouMean(key, [...formats.fromKeys.keys()]) ||
      formatOfExtension(key, formats) ||
      `, expected one of ${keysOf(formats)}, ${EXAMPLE}`
    reject(path, `"${key}" is no format${hint}`)
  }
  return readFiles(source, key, row, at(path, key), formats)
}

function readFiles(value: unknown, key: string, row: FormatRow, path: string, formats: Formats): FilesFrom {
  if (typeof value === 'string' || Array.isArray(value)) {
    const paths = Array.isArray(value) ? '[…]' : `[${describe(value)}]`
    reject(path, `expected an object; write {"paths": ${paths}}`)
  }
  const members = readMembers(value, path)
  const memberNames = ['paths', ...requestOptions(row).map(({ name }) => name)]
  for (const member of members.keys())
    if (!memberNames.includes(member)) {
      const option = optionMeant(member, memberNames)
      const meant = option === null ? didYouMean(member, memberNames) : `, did you mean "${option}"?`
      const expected = meant === '' ? ', expected' : `${meant} Its members are`
      reject(path, `"${member}" is no member of ${key}${expected} ${memberNames.join(', ')}`)
    }
  const paths = readArray(members.get('paths'), at(path, 'paths'), readText)
  if (paths.length === 0) reject(at(path, 'paths'), 'expected at least one path')
  const options = readOptions(row, members, (what, option) => reject(at(path, option), what))
  const format = formats.withOptions(row, options)
  return Object.freeze({ kind: 'files', format, paths, ...pathOptionsOf(options) })
}

/** The end of a message about a format that is called by the extension of its files. Empty: no format has it. */
function formatOfExtension(key: string, formats: Formats): string {
  const row = formats.ofName(`.${key.toLowerCase()}`)?.row
  return row === undefined ? '' : `, did you mean "${row.from[0]}"?`
}

const EXAMPLE = 'as in {"parquet": {"paths": ["…"]}}'

/** The formats as a message lists them. */
function keysOf({ rows }: Formats): string {
  return rows.flatMap(({ from }) => from.slice(0, 1)).join(', ')
}
