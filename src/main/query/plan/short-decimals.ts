import { columnExpression, type TypedExpression } from '../../../plan/expression.ts'
import { in64Bits, isShortDecimal } from '../../../plan/kernels/decimals.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import { type Predicate, withOperands } from '../../../plan/predicate/predicate.ts'
import type { Projection, SourceColumn } from '../../../plan/scan.ts'
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
  const short = new Set(
    scan.columns
      .filter(({ name, type }) => isShortDecimal(type) && !leavingColumns.has(name))
      .map(({ name }) => name),
  )
  const output = (projection: Projection, index: number): Projection => {
    const { expression, field } = projection
    if (leaving.has(index)) return projection
    if (expression.kind === 'column') {
      if (!short.has(expression.column) || !isShortDecimal(field.type)) return projection
      const type = in64Bits(field.type)
      return { expression: columnExpression(expression.column, type), field: { ...field, type } }
    }
    if (expression.kind !== 'call' || expression.type === null || !isShortDecimal(expression.type))
      return projection
    const type = in64Bits(expression.type)
    return { expression: Object.freeze({ ...expression, type }), field: { ...field, type } }
  }
  return Object.freeze({
    ...plan,
    scan: Object.freeze({
      ...scan,
      columns: scan.columns.map((column) => (short.has(column.name) ? columnIn64Bits(column) : column)),
      filter: scan.filter && filterIn64Bits(scan.filter, short),
      projection: scan.projection.map(output),
    }),
  })
}

/** The outputs of a scan whose values leave the groups as they are: as keys, or as the least of all, for example. */
function leavingOutputs({ keys, aggregates }: Grouping): ReadonlySet<number> {
  const leaving = aggregates.flatMap((aggregate) =>
    OF_ANY_BITS.has(aggregate.kind) ? [] : argumentsOf(aggregate),
  )
  return new Set([...keys, ...leaving])
}

function columnIn64Bits(column: SourceColumn): SourceColumn {
  return isShortDecimal(column.type) ? { ...column, type: in64Bits(column.type) } : column
}

/** What calls in a filter compute stays as it is. */
function filterIn64Bits(filter: Predicate, short: ReadonlySet<string>): Predicate {
  return withOperands(filter, (operand: TypedExpression) =>
    operand.kind === 'column' && short.has(operand.column) && isShortDecimal(operand.type)
      ? (columnExpression(operand.column, in64Bits(operand.type)) as TypedExpression)
      : operand,
  )
}
