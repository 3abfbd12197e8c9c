import type { Formats } from '../../../../plan/format/create-formats.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import { isNested, type Schema, valueType } from '../../../../plan/types/schema.ts'
import type { WrittenRemoteTable } from '../../../remotes/remote-table-name.ts'
import { tokenize } from '../../../sql/text/tokens.ts'
import { type Declinable, decline, orDeclined } from '../../bind/declined.ts'
import { reducedPlan } from '../../plan/reduced-plan.ts'
import type { FilesTable } from '../../source/files-table.ts'
import { bindSelect } from '../bind/bind-select.ts'
import { parseSelect } from '../parse/parse-select.ts'
import { planKey } from './plan-key.ts'
import { printWhole } from './print-whole.ts'

/** The most characters of a statement. A body of a request has at most 2 MiB. */
const MOST_CHARACTERS = 256 << 10

/**
 * The statement by which a service of this version makes the whole answer of a plan over one of its tables. It is bound here again, over the same
 * columns: only if that gives the same plan does the other service make the same answer. Declines all others.
 */
export function wholeStatement(
  plan: ScanPlan,
  table: FilesTable,
  named: WrittenRemoteTable,
  formats: Formats,
): Declinable<string> {
  return orDeclined(() => {
    if (plan.subqueries !== undefined) decline('it has subqueries')
    requireRelayable(plan.output)
    const text = requireShort(printWhole(reducedPlan(plan), table.schema, named))
    const parsed = parseSelect(tokenize(text), formats)
    if ('reason' in parsed) return decline(`${parsed.reason.what} is not certain to be the same there`)
    const bound = bindSelect(parsed.done, table)
    if ('reason' in bound) return decline(`${bound.reason.what} is not certain to be the same there`)
    if (planKey(bound.done) !== planKey(plan)) decline('it is not certain that its text means the same there')
    return text
  })
}

/** Declines answers with columns that are not passed on. */
export function requireRelayable({ fields }: Schema): void {
  if (fields.some(({ type }) => isNested(type))) decline('its answer has nested columns')
  if (fields.some(({ type }) => valueType(type) !== type)) decline('its answer has dictionaries')
  if (new Set(fields.map(({ name }) => name)).size < fields.length) decline('its answer has equal names')
}

/** The text. Declines one that is too long for a request. */
export function requireShort(text: string): string {
  return text.length > MOST_CHARACTERS ? decline('its text is too long') : text
}
