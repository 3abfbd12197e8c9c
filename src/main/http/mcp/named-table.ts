import { ServiceError } from '../../../plan/errors.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import { type CatalogTable, PUBLIC } from '../../catalog/catalog.ts'
import { visibleTable } from '../../catalog/visible-tables.ts'
import { readName } from '../../catalog/written-name.ts'
import { printTableName } from '../../sql/grammar/names.ts'
import type { Services } from '../services.ts'
import type { ToolCall } from './tool.ts'

/**
 * The table that a model names: as a list of tables does, or as SQL does, with its schema before it. Throws `table_not_found` if there is
 * none that the caller may read.
 */
export async function tableNamed(
  text: string,
  { catalog, queries }: Pick<Services, 'catalog' | 'queries'>,
  { caller, signal }: ToolCall,
): Promise<CatalogTable> {
  const snapshot = catalog.snapshot()
  const written = readName(text)
  const table =
    visibleTable(snapshot, caller, text, PUBLIC) ??
    (written === null ? null : visibleTable(snapshot, caller, written.name, written.schema ?? PUBLIC))
  const [readable] = table === null ? [] : await queries.readableOf([table], caller, signal)
  if (readable !== undefined) return readable
  throw new ServiceError(
    'table_not_found',
    `There is no table ${JSON.stringify(text)} that you may read; list_tables names those that there are.`,
  )
}

/** The name of a table as a query has it. */
export function writtenName({ schema, name }: CatalogTable): string {
  return printTableName({ catalog: null, schema: schema === PUBLIC ? null : schema, name })
}

/** The columns of a table that the caller may read: the stored ones, or those of its files. */
export async function columnsOf(
  table: CatalogTable,
  { queries }: Pick<Services, 'queries'>,
  { caller, caching, signal }: ToolCall,
): Promise<Schema> {
  if (table.columns !== null) return table.columns
  const sql = `SELECT * FROM ${writtenName(table)}`
  return queries.answerColumns(
    { request: { kind: 'sql', sql, output: null }, json: { sql }, caching },
    caller,
    signal,
  )
}
