import { ServiceError } from '../../plan/errors.ts'
import { PARQUET, type Plan } from '../../plan/plan.ts'
import type { Schema } from '../../plan/schema.ts'
import type { WorkerMetrics } from '../../plan/task.ts'
import type { FileRef, FileSummary } from '../../plan/unit.ts'
import type { Ticket } from '../dispatch/scheduler.ts'
import { bind } from './bind.ts'
import { mentionedInFilters } from './mentioned.ts'
import { mergeSchemas } from './merge-schema.ts'
import type { Summaries } from './summaries.ts'
import type { SupportedRequest } from './supported.ts'
import { type CutUnits, cutUnits } from './units.ts'

/** A plan and the units that are left of it after pruning. */
export interface PreparedQuery extends CutUnits {
  readonly plan: Plan
}

export interface Preparation {
  readonly summaries: Summaries
  /** The table of a query without `from`. */
  readonly defaultTable: string
  resolveFiles(paths: readonly string[], signal: AbortSignal): Promise<readonly FileRef[]>
}

/** Called with what each answer of a worker cost. */
export type OnAnswer = (metrics: WorkerMetrics, queueMs: number) => void

/** The placeholder that always exists (http-api.md §6.3): no columns, no rows. */
const EMPTY_TABLE = 'default'

const EMPTY_SCHEMA: Schema = Object.freeze({ fields: Object.freeze([]), metadata: Object.freeze({}) })

/** Resolves the source, reads what is not known of its files, binds the request and cuts the scan into units. */
export async function prepareQuery(
  request: SupportedRequest,
  { summaries, defaultTable, resolveFiles }: Preparation,
  ticket: Ticket,
  signal: AbortSignal,
  onAnswer: OnAnswer,
): Promise<PreparedQuery> {
  const { from } = request
  if (from.kind !== 'files') {
    const name = from.kind === 'table' ? from.name : defaultTable
    requireEmptyTable(name)
    return {
      plan: bind(request, { relation: name, format: PARQUET, files: [] }, EMPTY_SCHEMA),
      units: [],
      skip: 0,
      pruned: 0,
    }
  }
  const files = await resolveFiles(from.paths, signal)
  const known = await summaries.of(from.format, files, mentionedInFilters(request), ticket, onAnswer)
  const plan = bind(
    request,
    { relation: `${from.format.kind}(${from.paths.join(', ')})`, format: from.format, files },
    mergedSchema(files, known),
  )
  return { plan, ...cutUnits(plan, known) }
}

export function mergedSchema(files: readonly FileRef[], known: readonly FileSummary[]): Schema {
  return mergeSchemas(known.map(({ schema }, index) => ({ path: files[index]?.path ?? '', schema })))
}

function requireEmptyTable(name: string): void {
  const spelled = name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name
  if (spelled === EMPTY_TABLE || spelled.toLowerCase() === EMPTY_TABLE) return
  throw new ServiceError(
    'unknown_table',
    `There is no table "${name}"; name files as {"parquet": {"paths": [...]}}, or see /api/tables.`,
  )
}
