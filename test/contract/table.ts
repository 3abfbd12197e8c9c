import type { Row } from './row.ts'
import { LATER } from './row.ts'
import { ADMINISTRATION } from './rows/administration.ts'
import { CALLERS } from './rows/callers.ts'
import { CATALOG } from './rows/catalog.ts'
import { CONVENTIONS } from './rows/conventions.ts'
import { DOCUMENTS } from './rows/documents.ts'
import { INTERFACE } from './rows/interface.ts'
import { LANGUAGE } from './rows/language.ts'
import { QUERIES } from './rows/queries.ts'
import { STATEMENTS } from './rows/statements.ts'

/** The table of the contract: all rows, by the chapters of the specification. */
export const CONTRACT: readonly Row[] = Object.freeze([
  ...INTERFACE,
  ...CONVENTIONS,
  ...CALLERS,
  ...QUERIES,
  ...LANGUAGE,
  ...CATALOG,
  ...ADMINISTRATION,
  ...DOCUMENTS,
  ...STATEMENTS,
])

/** Whether a row waits for something that is still to be built. */
export function isLater({ later }: Row): boolean {
  return later !== null && LATER.some((each) => each === later)
}

/** The rows that are sent to a world. `isShared`: also those that name none. */
export function rowsOf(world: string, isShared: boolean): readonly Row[] {
  return CONTRACT.filter((row) => !isLater(row) && (row.world === world || (isShared && row.world === null)))
}

/** The name of a row where a test fails. */
export function nameOf({ section, says, request }: Row): string {
  const body = request.body === undefined ? '' : ` ${JSON.stringify(request.body).slice(0, 200)}`
  return `${section} ${says}: ${request.method} ${request.path}${body} by ${request.caller ?? 'anybody'}`
}
