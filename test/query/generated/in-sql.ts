import assert from 'node:assert/strict'
import { bind } from '../../../src/main/query/bind/bind.ts'
import { writeConstant } from '../../../src/main/query/duckdb/from-json/write.ts'
import { writeCondition } from '../../../src/main/query/duckdb/from-json/write-condition.ts'
import { callsFunctions, type ScanJson } from '../../../src/main/query/request/scan-json.ts'
import { columnNameOf } from '../../../src/plan/expression.ts'
import { PARQUET } from '../../formats/product.ts'
import { parseQuery } from '../bound.ts'
import { schemaOf, type TestTable } from '../table.ts'
import type { Json } from './filter-generators.ts'

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** What a column of the table is written as in SQL. */
export type WriteColumn = (name: string) => string

/** The filters of a request in SQL, as a condition. Null: they have a geometry, which SQL does not have. */
export function writeFilters(request: Json, table: TestTable): ((writeColumn: WriteColumn) => string) | null {
  const json = { ...request, offset: null, limit: null }
  if (JSON.stringify(json).includes('longitude')) return null
  const supported = parseQuery(JSON.stringify(json))
  assert(!callsFunctions(supported))
  const { filter } = bind(
    supported as ScanJson,
    { relation: 'test', format: PARQUET, files: [] },
    schemaOf(table),
  ).scan
  if (filter === null) return () => 'true'
  return (writeColumn) =>
    writeCondition(filter, (operand) =>
      operand.kind === 'constant' ? writeConstant(operand) : writeColumn(columnNameOf(operand) ?? ''),
    )
}
