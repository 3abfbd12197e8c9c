import { sortedByBytes } from '../../../../plan/byte-order.ts'
import type { Condition } from '../../../../plan/condition/condition.ts'
import { SYSTEM_SCHEMAS, type SystemRelation } from '../../../../plan/statement/system-relations.ts'
import type { Directory } from '../../../auth/directory/directory.ts'
import type { AttachedNames } from '../../../catalog/attached/attached.ts'
import { attachedRows } from '../../../catalog/attached/attached-rows.ts'
import { type CatalogTable, PUBLIC } from '../../../catalog/catalog.ts'
import {
  columnRows,
  type InformationRow,
  schemaRow,
  tableRow,
  viewRow,
} from '../../../catalog/information-schema.ts'
import { roleRows, ruleRows, userRows } from '../../../catalog/listed-accounts.ts'
import type { Lookups } from '../../../catalog/lookups.ts'
import { runRow } from '../../../crawlers/run/run-record.ts'
import { inSlices } from '../../../datasets/find/slices.ts'
import type { CrawlerRun } from '../../../history/crawler-runs.ts'
import type { MetricsList } from '../../../history/list.ts'
import type { FileRegistry } from '../../../learned/file-registry.ts'
import { type Constants, mayHaveRows } from '../constants.ts'
import { fileStatsRows, segmentRow } from './file-stats-rows.ts'
import { parameterRows, routineRows } from './function-rows.ts'

/** What a scan reads of a table of the service itself. */
interface SystemScan {
  readonly relation: SystemRelation
  /** Rows that cannot pass may be left out. Null: all are wanted. */
  readonly filter: Condition | null
  /** Whether the values of the column are wanted. Those of others may be null. */
  isWanted(column: string): boolean
}

/** Makes the rows of such a table as they are now, some at a time, on behalf of the super-user. */
export type SystemRows = (
  scan: SystemScan,
  lookups: Lookups,
  signal: AbortSignal,
) => AsyncGenerator<readonly SystemRow[], void>

type SystemRow = readonly (string | number | boolean | null)[]

/** Tables whose names are tested in one turn of the event loop: some milliseconds of it. */
const TESTED_AT_ONCE = 1024

/** Tables whose rows are made in one turn of the event loop: with 50 columns each, a millisecond of it. */
const TABLES_AT_ONCE = 64

/** What the tables of the service are about, besides tables. */
export interface SystemRowsOptions {
  /** The name of the catalog. */
  readonly catalog: string
  readonly metrics: MetricsList
  readonly directory: Pick<Directory, 'snapshot'>
  readonly attached: Pick<AttachedNames, 'list' | 'state'>
  /** The files that are analyzed. */
  readonly registry: Pick<FileRegistry, 'list' | 'segments'>
  /** The runs of all crawlers. */
  crawlerRuns(): readonly CrawlerRun[]
  /** The name of the super-user. */
  readonly adminUsername: string
  /** The settings that the super-user may see, by their names. */
  readonly settings: Readonly<Record<string, unknown>>
}

export function createSystemRows(options: SystemRowsOptions): SystemRows {
  const { catalog, metrics, directory, attached, adminUsername, settings } = options
  return async function* systemRows(scan, lookups, signal) {
    const { relation } = scan
    if (relation.schema === 'system' && relation.name === 'users') {
      yield userRows(directory.snapshot(), adminUsername)
      return
    }
    if (relation.schema === 'system' && relation.name === 'roles') {
      yield roleRows(directory.snapshot())
      return
    }
    if (relation.schema === 'system' && relation.name === 'role_rules') {
      yield ruleRows(directory.snapshot())
      return
    }
    if (relation.schema === 'system' && relation.name === 'attached') {
      yield attachedRows(attached)
      return
    }
    if (relation.schema === 'system' && relation.name === 'crawler_runs') {
      yield options.crawlerRuns().map(runRow)
      return
    }
    if (relation.schema === 'system' && relation.name === 'file_stats') {
      yield* fileStatsRows(options.registry, signal)
      return
    }
    if (relation.schema === 'system' && relation.name === 'file_stats_segments') {
      yield (await options.registry.segments()).map(segmentRow)
      return
    }
    if (relation.schema === 'system') {
      yield* metrics.list(scan.isWanted, (row) => mayPass(scan, row), signal)
      return
    }
    if (relation.name === 'df_settings') {
      yield Object.entries(settings).map(([name, value]) => [name, value === null ? null : String(value)])
      return
    }
    if (relation.name === 'schemata') {
      const here = [PUBLIC, ...SYSTEM_SCHEMAS].toSorted().map((schema) => schemaRow(catalog, schema))
      const others = attached.list().flatMap((each) => {
        const schemas = new Set(each.tables.map(({ schema }) => schema))
        return sortedByBytes([...schemas]).map((schema) => schemaRow(each.name, schema))
      })
      yield [...here, ...others]
      return
    }
    const listedRows = FUNCTION_ROWS[relation.name]
    if (listedRows !== undefined) {
      yield listedRows(catalog)
      return
    }
    const rowsOf = ROWS_OF[relation.name]
    if (rowsOf === undefined) throw new RangeError(`${relation.schema}.${relation.name} has no rows`)
    for await (const some of inSlices(lookups.visible(), signal, TESTED_AT_ONCE)) {
      const passing = some.filter(({ schema, name }) =>
        mayPass(scan, { table_catalog: catalog, table_schema: schema, table_name: name }),
      )
      for await (const tables of inSlices(passing, signal, TABLES_AT_ONCE))
        yield tables.flatMap((table) => rowsOf(catalog, table))
    }
    // Columns of attached tables are known to their services alone, as are the definitions of views.
    if (relation.name !== 'tables') return
    for (const { name, tables } of attached.list())
      for await (const some of inSlices(tables, signal, TESTED_AT_ONCE))
        yield some.map((table) => [name, table.schema, table.name, table.isView ? 'VIEW' : 'BASE TABLE'])
  }
}

const ROWS_OF: Readonly<Record<string, (catalog: string, table: CatalogTable) => readonly InformationRow[]>> =
  Object.freeze({
    columns: columnRows,
    tables: (catalog, table) => [tableRow(catalog, table)],
    views: (catalog, table) => (table.type === 'VIEW' ? [viewRow(catalog, table)] : []),
  })

/** All rows at once: the functions are some hundreds, and do not change. */
const FUNCTION_ROWS: Readonly<Record<string, (catalog: string) => readonly InformationRow[]>> = Object.freeze(
  {
    parameters: parameterRows,
    routines: routineRows,
  },
)

/** Whether rows with these values may pass the filter of the scan. */
function mayPass(
  { relation, filter }: SystemScan,
  values: Readonly<Record<string, string | number>>,
): boolean {
  return filter === null || mayHaveRows(constantsOf(values), relation.columns.fields, filter)
}

function constantsOf(values: Readonly<Record<string, string | number>>): Constants {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? { kind: 'bytes', value: Buffer.from(value) }
        : { kind: 'int', value: BigInt(value) },
    ]),
  )
}
