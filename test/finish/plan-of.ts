import type { FilesTable } from '../../src/main/query/source/files-table.ts'
import type { Condition } from '../../src/plan/condition/condition.ts'
import { columnExpression } from '../../src/plan/expression.ts'
import type { ScanPlan } from '../../src/plan/plan.ts'
import { type Finish, groupTypes, INT64 } from '../../src/plan/task/finish.ts'
import { field } from '../../src/plan/types/schema.ts'

/** A plan over columns of a table. Parts of its finish that are not given have no effect. */
export interface PlanParts extends Partial<Finish> {
  readonly columns: readonly string[]
  readonly filter?: Condition
  readonly offset?: number
  readonly limit?: number
}

export function planOf(table: FilesTable, parts: PlanParts): ScanPlan {
  const { columns, filter = null, offset = 0, limit = Number.POSITIVE_INFINITY } = parts
  const { grouping = null, firsts, order = [], isCounted = false } = parts
  const fields = columns.map((name) => {
    const found = table.schema.fields.find((each) => each.name === name)
    if (found === undefined) throw new Error(`no column ${name}`)
    return found
  })
  const types = fields.map(({ type }) => type)
  const made = grouping === null ? types : groupTypes(grouping, types)
  const output = isCounted ? [] : (parts.output ?? made.map((_, place) => place))
  const outputTypes = isCounted ? [INT64] : output.map((place) => made[place] ?? INT64)
  return {
    engine: 'core',
    scan: {
      format: table.format,
      columns: table.schema.fields.map(({ name, type }) => ({ name, type })),
      filter,
      projection: fields.map((each) => ({ expression: columnExpression(each.name, each.type), field: each })),
    },
    relation: table.relation,
    files: table.files,
    finish: { grouping, ...(firsts && { firsts }), order, output, isCounted },
    output: { fields: outputTypes.map((type, place) => field(String(place), type)), metadata: {} },
    offset,
    limit,
  }
}

export const ascending = (column: number) => ({ column, isDescending: false, areNullsFirst: false })
export const descending = (column: number) => ({ column, isDescending: true, areNullsFirst: false })
