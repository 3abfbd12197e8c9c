import type { ScanPlan } from '../../../../plan/plan.ts'
import { reducedPlan } from '../../plan/reduced-plan.ts'

/** A key that is equal for plans with the same answer of the same rows, and for no others. Those of its subqueries are part of it. */
export function planKey(plan: ScanPlan): string {
  return JSON.stringify(partsOf(plan), (key, value: unknown) => {
    if (key === 'place') return undefined
    if (typeof value === 'bigint') return `${value}n`
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
      return Object.is(value, -0) ? '-0' : String(value)
    return value
  })
}

function partsOf(written: ScanPlan): readonly unknown[] {
  const { scan, relation, finish, output, offset, limit, subqueries = [] } = reducedPlan(written)
  const { filter, projection } = scan
  const fields = output.fields.map(({ name, type, nullable }) => ({ name, type, nullable }))
  const inner = subqueries.map(({ plan }) => partsOf(plan))
  return [
    relation,
    filter,
    projection.map(({ expression }) => expression),
    finish,
    fields,
    offset,
    limit,
    inner,
  ]
}
