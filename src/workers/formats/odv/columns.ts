import { distinctNames } from '../../../plan/types/names.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import { fault } from '../fault.ts'
import type { Declaration } from './declaration.ts'
import { declaredType, isIsoTime, isStandardMetadata, standardType, TIME, UTF8 } from './labels.ts'

/** A column of a file. */
export interface OdvColumn {
  readonly name: string
  /** The type by its declaration or its label. Null: its values say it. */
  readonly type: DataType | null
  /** Whether the file declares the type. */
  readonly isDeclared: boolean
  /** Whether it describes stations, so that rows below one may leave it empty. */
  readonly isMetadata: boolean
  /** Empty: none. */
  readonly units: string
  readonly qfSchema: string
  readonly comment: string
}

/** The columns of a file by its row of column names, each with what its declaration says. */
export function columnsOf(
  fields: readonly string[],
  declarations: readonly Declaration[],
): readonly OdvColumn[] {
  const titles = withoutEmptyEnd(fields.map((title) => title.trim()))
  const declared = declarationsByTitle(declarations)
  const columns: OdvColumn[] = []
  const byName = new Map<string, OdvColumn>()
  /** The last column that is none of flags. */
  let last: { readonly title: string; readonly column: OdvColumn } | null = null
  for (const title of titles) {
    const flagged = nameOfFlagged(title, last?.title ?? null, last?.column.name ?? null)
    if (flagged !== null) {
      const owner = byName.get(flagged) ?? last?.column
      columns.push({
        name: `${flagged}_qc`,
        type: UTF8,
        isDeclared: false,
        isMetadata: owner?.isMetadata === true,
        units: '',
        qfSchema: '',
        comment: '',
      })
      continue
    }
    const column = columnOf(title, declared)
    columns.push(column)
    byName.set(column.name, column)
    last = { title, column }
  }
  const names = distinctNames(columns.map(({ name }) => name))
  return columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }))
}

function columnOf(title: string, declared: ReadonlyMap<string, Declaration>): OdvColumn {
  const { name, units } = splitTitle(title)
  const declaration = declared.get(title) ?? declared.get(name)
  const valueType = declaration?.valueType ?? ''
  const ofLabel = standardType(name)
  const type = valueType === '' ? ofLabel : isIsoTime(name) ? TIME : declaredType(valueType)
  return {
    name,
    type,
    isDeclared: valueType !== '',
    isMetadata: declaration?.isMetadata === true || isStandardMetadata(name),
    units: (declaration && splitTitle(declaration.label).units) || units,
    qfSchema: declaration?.qfSchema ?? '',
    comment: declaration?.comment ?? '',
  }
}

/** Declarations by their labels with and without units. Of equal ones the first counts. */
function declarationsByTitle(declarations: readonly Declaration[]): ReadonlyMap<string, Declaration> {
  const byTitle = new Map<string, Declaration>()
  const add = (title: string, declaration: Declaration): void => {
    if (!byTitle.has(title)) byTitle.set(title, declaration)
  }
  for (const declaration of declarations) add(declaration.label, declaration)
  for (const declaration of declarations) add(splitTitle(declaration.label).name, declaration)
  return byTitle
}

/** A title as the name and the units, which stand behind it in brackets. */
export function splitTitle(title: string): { readonly name: string; readonly units: string } {
  const begin = title.endsWith(']') ? title.lastIndexOf(' [') : -1
  return begin <= 0
    ? { name: title, units: '' }
    : { name: title.slice(0, begin).trimEnd(), units: title.slice(begin + 2, -1).trim() }
}

/**
 * The name of the column of which this one has quality flags: `QV:SCHEME` and `QF` are of the column before, and `QV:SCHEME:NAME` says
 * it. Names may have colons too, so that the column before comes first. Null: it has no flags.
 */
function nameOfFlagged(title: string, lastTitle: string | null, lastName: string | null): string | null {
  if (/^q[fv]$/i.test(title)) return lastName
  if (!/^qv:/i.test(title)) return null
  if (lastTitle !== null && title.endsWith(`:${lastTitle}`)) return lastName
  const colon = title.indexOf(':', 3)
  const { name } = splitTitle(colon < 0 ? '' : title.slice(colon + 1).trim())
  const flagged = name || lastName
  if (flagged === null) throw fault(`its column ${JSON.stringify(title)} has no column before it`)
  return flagged
}

/** Titles up to the last that is not empty: tabs may stand behind it. */
function withoutEmptyEnd(titles: readonly string[]): readonly string[] {
  return titles.slice(0, 1 + titles.findLastIndex((title) => title !== ''))
}
