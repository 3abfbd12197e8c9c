import { withOperands } from '../../../plan/condition/operands.ts'
import type { Expression, TypedExpression } from '../../../plan/expression.ts'
import { type DecimalType, in64Bits, isShortDecimal } from '../../../plan/kernels/decimals.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import type { Projection } from '../../../plan/scan.ts'
import { type Aggregate, argumentsOf, type Grouping } from '../../../plan/task/finish.ts'

/** Aggregates whose result does not depend on how many bits a decimal has. */
const OF_ANY_BITS: ReadonlySet<Aggregate['kind']> = new Set([
  'count',
  'sum',
  'avg',
  'stddev_samp',
  'stddev_pop',
  'var_samp',
  'var_pop',
])

/**
 * The same plan with decimals of at most 18 digits in 64 bits instead of 128, as far as they do not leave it as they are: what is
 * compared, computed and added up takes half of the memory then. To be called once all else is planned, since statistics of files
 * are told in the types of their schemas.
 */
export function withShortDecimals(plan: ScanPlan): ScanPlan {
  const { scan, finish } = plan
  const { grouping } = finish
  if (grouping === null) return plan
  const leaving = leavingOutputs(grouping)
  const leavingColumns = new Set(
    scan.projection.flatMap(({ expression }, index) =>
      expression.kind === 'column' && leaving.has(index) ? [expression.column] : [],
    ),
  )
  const short = new Map(
    scan.columns.flatMap(({ name, type }) =>
      isShortDecimal(type) && !leavingColumns.has(name) ? [[name, in64Bits(type)] as const] : [],
    ),
  )
  const output = (projection: Projection, index: number): Projection => {
    const { expression, field } = projection
    const type = leaving.has(index) ? null : shortType(expression, short)
    if (type === null) return projection
    return { expression: Object.freeze({ ...expression, type }), field: { ...field, type } }
  }
  const operand = (expression: TypedExpression): TypedExpression => {
    // What calls in a filter compute stays as it is.
    const type = expression.kind === 'column' ? shortType(expression, short) : null
    return type === null ? expression : Object.freeze({ ...expression, type })
  }
  return Object.freeze({
    ...plan,
    scan: Object.freeze({
      ...scan,
      columns: scan.columns.map((column) => ({ ...column, type: short.get(column.name) ?? column.type })),
      filter: scan.filter && withOperands(scan.filter, operand),
      projection: scan.projection.map(output),
    }),
  })
}

/** The type in 64 bits of a column that has one, or of a call. Null: the expression stays as it is. */
function shortType(expression: Expression, short: ReadonlyMap<string, DecimalType>): DecimalType | null {
  if (expression.kind === 'column') return short.get(expression.column) ?? null
  const { kind, type } = expression
  return kind === 'call' && type !== null && isShortDecimal(type) ? in64Bits(type) : null
}

/** The outputs of a scan whose values leave the groups as they are: as keys, or as the least of all, for example. */
function leavingOutputs({ keys, aggregates }: Grouping): ReadonlySet<number> {
  const leaving = aggregates.flatMap((aggregate) =>
    OF_ANY_BITS.has(aggregate.kind) ? [] : argumentsOf(aggregate),
  )
  return new Set([...keys, ...leaving])
}
