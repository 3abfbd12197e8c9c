import type { ScanPlan } from '../../../plan/plan.ts'
import { allRows } from '../../../plan/task/finish.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import type { ScanJson } from '../request/scan-json.ts'
import type { Source } from '../source/files-table.ts'
import { bindRowFilter, byOutputName, namingFieldsOf, projectEntry, scanSpec } from './columns.ts'

/**
 * Binds a request that neither sorts nor asks for distinct rows to a plan over files that are read with `schema`: names become
 * columns, and values become constants of the types of their columns. Throws `invalid_query`, `unknown_column` and
 * `type_mismatch`, with the JSON path.
 */
export function bind(request: ScanJson, source: Source, schema: Schema): ScanPlan {
  const { relation, format, files } = source
  const { fieldOf, named } = namingFieldsOf(schema, relation)
  const projection = request.select.map((entry) => projectEntry(entry, fieldOf))
  const outputs = byOutputName(
    projection,
    ({ field }) => field.name,
    (index) => request.select[index]?.path ?? '',
  )
  const filter = bindRowFilter(request.filters, outputs, fieldOf)
  return Object.freeze({
    engine: 'core',
    scan: scanSpec(format, filter, projection, schema.fields, named()),
    relation,
    files,
    finish: allRows(projection.length),
    output: Object.freeze({
      fields: Object.freeze(projection.map(({ field }) => field)),
      metadata: schema.metadata,
    }),
    offset: request.offset,
    limit: request.limit,
  })
}
