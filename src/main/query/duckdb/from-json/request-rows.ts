import { columnNameOf, columnsOf } from '../../../../plan/expression.ts'
import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { fileFormat } from '../../../../plan/format/file-format.ts'
import { columnsNamed, type ScanSpec } from '../../../../plan/scan.ts'
import { quoteSqlName } from '../../../../plan/statement/statement.ts'
import { SCHEMA_IN_DUCKDB, type SystemRelation } from '../../../../plan/statement/system-relations.ts'
import { runInSlices } from '../../../../plan/steps.ts'
import type { Schema } from '../../../../plan/types/schema.ts'
import { type CatalogTable, PUBLIC } from '../../../catalog/catalog.ts'
import type { NamedColumns } from '../../bind/named-columns.ts'
import { type FilesTable, list } from '../../source/files-table.ts'
import type { QueryContext } from '../../source/query-context.ts'
import { type PreparedStatement, prepareStatement } from '../prepare-statement.ts'
import { estimatedRows, type ResolvedSource, withoutMetadata } from '../sources.ts'
import { writeConstant } from './write.ts'
import { writeCondition } from './write-condition.ts'

/** The rows that a JSON request reads when it is written as a statement. */
export interface RequestRows {
  /** Their name in messages. */
  readonly relation: string
  readonly format: FileFormat
  readonly schema: Schema
  /** What stands behind FROM for those rows of a scan that pass its filter, with the columns of its projection. */
  from(scan: ScanSpec): string
  /** Prepares a statement over them. */
  prepare(sql: string, scan: ScanSpec, key: string): Promise<PreparedStatement>
}

/**
 * The rows of files. The core scans and filters them. `columns` are those that the request can name. The table has statistics of the
 * filter's columns.
 */
export function rowsOfFiles(table: FilesTable, columns: NamedColumns, context: QueryContext): RequestRows {
  const { relation, format } = table
  return {
    relation: columns.relation,
    // Attributes of stored columns may be other ones in files that have come since.
    schema: table.unlisted === null ? columns.schema : withoutMetadata({ format, schema: columns.schema }),
    format,
    from: () => '_rows(0)',
    async prepare(sql, written, key) {
      const scan = columns.inFiles(written)
      const fields = scan.projection.map((each) => each.field)
      const statistics = scan.filter === null ? [] : columnsOf(scan.filter)
      const wanted = { statistics, columns: columnsNamed(scan) }
      const read = await list(table, scan.filter, wanted, context)
      const { files, summaries, remote } = read
      const requestSource: ResolvedSource = {
        source: {
          request: null,
          digest: null,
          schema: { fields, metadata: {} },
          rows: await runInSlices(estimatedRows(files, summaries)),
        },
        table: read,
        presetScan: { scan: { scan, relation, files, ...(remote !== undefined && { remote }) }, summaries },
      }
      return prepareStatement({ text: sql, tables: [] }, [requestSource], key, context)
    },
  }
}

/** The format of rows that are in no file. */
const NO_FILES = fileFormat('none', 'row_groups', {})

/** The rows of a view, with the columns that it has now. DuckDB makes and filters them. Throws `not_supported` for a geometry. */
export async function rowsOfView(
  { name }: CatalogTable,
  key: string,
  context: QueryContext,
): Promise<RequestRows> {
  const named = { catalog: context.catalog.name, schema: PUBLIC, name }
  const written = [named.catalog, PUBLIC, name].map(quoteSqlName).join('.')
  const prepare = (sql: string, of: string): Promise<PreparedStatement> =>
    prepareStatement({ text: sql, tables: [named] }, [], of, context)
  return {
    relation: name,
    // Not those that are stored: its query may read files whose columns have changed.
    schema: await schemaOf(prepare(`SELECT * FROM ${written}`, `${key}/types`)),
    format: NO_FILES,
    from: (scan) => writeRows(written, scan),
    prepare: (sql, _scan, of) => prepare(sql, of),
  }
}

/** The rows of a table of the service itself. */
export function rowsOfSystem({ schema, name, columns }: SystemRelation, context: QueryContext): RequestRows {
  const written = [context.catalog.name, SCHEMA_IN_DUCKDB[schema], name].map(quoteSqlName).join('.')
  return {
    relation: `${schema}.${name}`,
    schema: columns,
    format: NO_FILES,
    from: (scan) => writeRows(written, scan),
    prepare: (sql, _scan, of) => prepareStatement({ text: sql, tables: [] }, [], of, context),
  }
}

/** Those rows of what is named that pass the filter, with the columns of the projection. */
function writeRows(written: string, { projection, filter }: ScanSpec): string {
  const items = projection.map(({ expression, field }) => {
    const column = columnNameOf(expression)
    return `${column === null ? 'NULL' : quoteSqlName(column)} AS ${quoteSqlName(field.name)}`
  })
  const where =
    filter === null
      ? ''
      : ` WHERE ${writeCondition(filter, (operand) =>
          operand.kind === 'constant' ? writeConstant(operand) : quoteSqlName(columnNameOf(operand) ?? ''),
        )}`
  return `(SELECT ${items.join(', ')} FROM ${written}${where})`
}

/** The columns of a statement, which is not run. */
export async function schemaOf(prepared: Promise<PreparedStatement>): Promise<Schema> {
  const { plan, lease } = await prepared
  lease.release()
  return plan.output
}
