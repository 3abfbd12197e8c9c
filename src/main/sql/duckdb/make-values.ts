import { ServiceError } from '../../../plan/errors.ts'
import { DATASETS_FUNCTION } from '../../../plan/statement/functions.ts'
import {
  type NamedValues,
  type Values,
  type ValuesRequest,
  valuesKey,
} from '../../../plan/statement/values.ts'
import { type Field, field, type Schema, typeName } from '../../../plan/types/schema.ts'
import type { DatasetEntry } from '../../datasets/list.ts'
import { inSlices } from '../../datasets/patterns/slices.ts'
import { openTable } from '../../query/source/files-table.ts'
import type { QueryContext } from '../../query/source/query-context.ts'
import { resolveSource } from '../../query/source/resolve-source.ts'
import { createValues, type Value } from './values-columns.ts'

/** Bytes of the values that one statement names, whose text is counted, and each row as so many more. */
const MOST_BYTES = 16 << 20
const ROW_BYTES = 32

/** The rows that one statement names, as it is bound round by round. */
export interface StatementValues {
  readonly made: readonly NamedValues[]
  /** Makes those that are not made yet; whether there were any. Throws what `makeValues` throws. */
  make(requests: readonly ValuesRequest[]): Promise<boolean>
}

export function createStatementValues(context: QueryContext): StatementValues {
  const made: NamedValues[] = []
  const known = new Set<string>()
  const budget = createValuesBudget()
  return {
    made,
    async make(requests) {
      const missing = requests.filter((request) => !known.has(valuesKey(request)))
      for (const request of missing) {
        made.push({ request, values: await makeValues(request, budget, context) })
        known.add(valuesKey(request))
      }
      return missing.length > 0
    },
  }
}

/** What is left of the bytes that the values of a statement may have. */
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
 * The rows that a statement names, made of what is known now. Throws what resolving its files throws, and `invalid_sql`
 * where they are more than the budget has room for.
 */
export async function makeValues(
  request: ValuesRequest,
  budget: ValuesBudget,
  context: QueryContext,
): Promise<Values> {
  if (request.kind === 'schema') {
    const table = resolveSource(request.files, context)
    const { schema } = await openTable(table, [], context)
    return filled(COLUMN_FIELDS, schema.fields, async (fields) => fields.map(columnRow), budget, context)
  }
  const { pattern, offset, limit } = request
  const all = await context.listing.find(pattern)
  const page = all.slice(offset, limit === null ? undefined : offset + limit)
  return filled(
    DATASET_FIELDS,
    page,
    async (datasets) => (await context.listing.describe(datasets)).map(datasetRow),
    budget,
    context,
  )
}

function columnRow({ name, type, nullable }: Schema['fields'][number]): readonly Value[] {
  return [name, typeName(type), nullable]
}

function datasetRow(entry: DatasetEntry): readonly Value[] {
  const { file_path, format, can_inspect, can_partial_explore, size, last_modified } = entry
  return [file_path, format, can_inspect, can_partial_explore, size, last_modified]
}

/** A row for each item, made a slice at a time. */
async function filled<T>(
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
