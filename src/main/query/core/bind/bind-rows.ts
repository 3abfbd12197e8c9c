import type { ScanPlan } from '../../../../plan/plan.ts'
import { allRows } from '../../../../plan/task/finish.ts'
import { field } from '../../../../plan/types/schema.ts'
import { decline } from '../../bind/declined.ts'
import { createProjectionList } from '../../bind/projection-list.ts'
import type { Term } from './names-in-clauses.ts'
import { bindFilter, columnAt, columnOf, orderOf, planOf, type Query } from './query.ts'

/** Binds a query that has rows of the table, or with DISTINCT those of them that differ. */
export function bindRows(query: Query): ScanPlan {
  const { select, entries } = query
  const projection = createProjectionList()
  const indexOf = (term: Term, at: number): number => projection.add(columnAt(query, columnOf(term, at), at))
  const outputs = entries.map(({ term, at }) => indexOf(term, at))
  /** The columns by which rows are distinct. DuckDB sorts distinct rows by these columns alone. Null: rows are not distinct. */
  const keys = select.isDistinct ? [...new Set(outputs)] : null
  const indexes = new Map(keys?.map((index, position) => [index, position]))
  const indexIn = (index: number, at: number): number =>
    keys === null
      ? index
      : (indexes.get(index) ?? decline('DISTINCT rows in the order of another column', at))
  const order = orderOf(query, (term, at) => indexIn(indexOf(term, at), at))
  const filters = [bindFilter(query, select.where, 'where')]
  const fields = entries.map(({ name }, index) => field(name, projection.typeAt(outputs[index] ?? 0)))
  if (keys === null && order.length === 0) {
    // Without groups and order the projection is the answer: an output column each, even if two are the same column.
    const list = outputs.flatMap((index, position) => {
      const [each, outputField] = [projection.list[index], fields[position]]
      return each && outputField ? [Object.freeze({ ...each, field: outputField })] : []
    })
    return planOf(query, filters, list, allRows(list.length), fields)
  }
  const finish = {
    grouping: keys && Object.freeze({ keys: Object.freeze(keys), aggregates: [], having: null }),
    order,
    output: Object.freeze(outputs.map((index) => indexIn(index, 0))),
    isCounted: false,
  }
  return planOf(query, filters, projection.list, finish, fields)
}
