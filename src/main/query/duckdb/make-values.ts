import { ServiceError } from '../../../plan/errors.ts'
import { DATASETS_FUNCTION } from '../../../plan/statement/functions.ts'
import type { Values } from '../../../plan/statement/made-rows.ts'
import type { FilesRequest } from '../../../plan/statement/statement.ts'
import { type NamedValues, type ValuesRequest, valuesKey } from '../../../plan/statement/values.ts'
import { type Field, field, type Schema, typeName } from '../../../plan/types/schema.ts'
import { inSlices } from '../../datasets/find/slices.ts'
import type { DatasetEntry } from '../../datasets/list.ts'
import { NO_COLUMN_FILTER } from '../source/column-filter.ts'
import { openTable } from '../source/files-table.ts'
import type { QueryContext } from '../source/query-context.ts'
import { resolveSource } from '../source/resolve-source.ts'
import { requireNoneRefused } from '../source/schema/refused-columns.ts'
import { printLeftOut } from '../source/structure/print-structure.ts'
import { readStructures } from '../source/structure/read-structures.ts'
import { STATISTICS_FIELDS, statisticsRows } from './statistics-rows.ts'
import { createValues, type Value } from './values-columns.ts'
import { VARIABLE_FIELDS, variableRows } from './variable-rows.ts'

/** The most bytes of the rows that main makes for one statement: those of their text, and `ROW_BYTES` for each row. */
const MOST_BYTES = 16 << 20
const ROW_BYTES = 32

/** The rows that main makes for a statement, such as a list of datasets, while it is bound round by round. */
export interface StatementValues {
  readonly namedValues: readonly NamedValues[]
  /** Makes the rows that have not been made yet. Returns whether there were any. Throws what `makeValues` throws. */
  make(requests: readonly ValuesRequest[]): Promise<boolean>
}

export function createStatementValues(context: QueryContext): StatementValues {
  const namedValues: NamedValues[] = []
  const requestedKeys = new Set<string>()
  const budget = createValuesBudget()
  return {
    namedValues,
    async make(requests) {
      const missing = requests.filter((request) => !requestedKeys.has(valuesKey(request)))
      for (const request of missing) {
        namedValues.push({ request, values: await makeValues(request, budget, context) })
        requestedKeys.add(valuesKey(request))
      }
      return missing.length > 0
    },
  }
}

/** The bytes that the rows of a statement may still take. */
interface ValuesBudget {
  bytes: number
}

export function createValuesBudget(): ValuesBudget {
  return { bytes: MOST_BYTES }
}

const TEXT = { kind: 'utf8' } as const
const FLAG = { kind: 'bool' } as const

const COLUMN_FIELDS = Object.freeze([
  field('column_name', TEXT, false),
  field('data_type', TEXT, false),
  field('nullable', FLAG, false),
])

const DATASET_FIELDS = Object.freeze([
  field('file_name', TEXT, false),
  field('file_format', TEXT, false),
  field('can_inspect', FLAG, false),
  field('can_partial_explore', FLAG, false),
  field('size', { kind: 'int', bits: 64, signed: false }),
  field('last_modified', TEXT),
])

/**
 * Makes the rows of a function that a statement calls, as they are now. Throws what resolving files throws, and `invalid_sql` if
 * they take more bytes than the budget has.
 */
export async function makeValues(
  request: ValuesRequest,
  budget: ValuesBudget,
  context: QueryContext,
): Promise<Values> {
  if (request.kind === 'schema') {
    const table = await resolveSource(request.files, context)
    const opened = await openTable(table, [], context)
    requireNoneRefused(opened)
    const { schema } = opened
    return fill(COLUMN_FIELDS, schema.fields, async (fields) => fields.map(columnRow), budget, context)
  }
  if (request.kind === 'variables') return variableValues(request.files, budget, context)
  if (request.kind === 'statistics') {
    const rows = await statisticsRows(request.paths, context)
    return fill(STATISTICS_FIELDS, rows, async (some) => some, budget, context)
  }
  const { pattern, offset, limit } = request
  const all = await context.listing.find(pattern)
  const page = all.slice(offset, limit === null ? undefined : offset + limit)
  return fill(
    DATASET_FIELDS,
    page,
    async (datasets) => (await context.listing.describe(datasets)).map(datasetRow),
    budget,
    context,
  )
}

/** Rows of variables, until they are too many. Files of which not all is listed have a notice. */
async function variableValues(
  request: FilesRequest,
  budget: ValuesBudget,
  context: QueryContext,
): Promise<Values> {
  const table = await resolveSource(request, context)
  const { files } = await table.files(NO_COLUMN_FILTER)
  const rows: (readonly Value[])[] = []
  for await (const [{ path }, structure] of readStructures(table.format, files, context)) {
    const fileRows = variableRows(path, structure)
    const bytes = fileRows
      .flat()
      .reduce<number>((sum, each) => sum + (typeof each === 'string' ? each.length : 0), 0)
    spend(budget, ROW_BYTES * fileRows.length + bytes)
    for (const row of fileRows) rows.push(row)
    const leftOut = printLeftOut(structure)
    if (leftOut !== null)
      context.onNotice(`${JSON.stringify(path)} has more than is listed: ${leftOut} are left out`)
  }
  const values = createValues(VARIABLE_FIELDS, rows.length)
  for await (const slice of inSlices(rows, context.signal)) values.add(slice)
  return values.finish()
}

function columnRow({ name, type, nullable }: Schema['fields'][number]): readonly Value[] {
  return [name, typeName(type), nullable]
}

function datasetRow(entry: DatasetEntry): readonly Value[] {
  const { file_path, format, can_inspect, can_partial_explore, size, last_modified } = entry
  return [file_path, format, can_inspect, can_partial_explore, size, last_modified]
}

/** Makes a row for each item. Items are described a slice at a time, between which other work may be done. */
async function fill<T>(
  fields: readonly Field[],
  items: readonly T[],
  rowsOf: (slice: readonly T[]) => Promise<readonly (readonly Value[])[]>,
  budget: ValuesBudget,
  { signal }: QueryContext,
): Promise<Values> {
  spend(budget, ROW_BYTES * items.length)
  const values = createValues(fields, items.length)
  for await (const slice of inSlices(items, signal)) {
    const before = values.textBytes
    values.add(await rowsOf(slice))
    spend(budget, values.textBytes - before)
  }
  return values.finish()
}

function spend(budget: ValuesBudget, bytes: number): void {
  budget.bytes -= bytes
  if (budget.bytes < 0)
    throw new ServiceError(
      'invalid_sql',
      `The statement lists more than ${MOST_BYTES >> 20} MiB of names; ${DATASETS_FUNCTION} takes a pattern, an offset and a limit.`,
    )
}
