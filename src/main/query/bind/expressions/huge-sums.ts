import { type ExpressionVisitor, type TypedExpression, visitExpression } from '../../../../plan/expression.ts'
import { decline } from '../declined.ts'

/**
 * Calls that give the same of a sum in 64 bits as of one in 128. DuckDB has sums of signed integers in 128 bits, so that what is computed of
 * them may be beyond 64 where the result is not.
 */
export const EXACT_OF_SUMS: ReadonlySet<string> = new Set([
  ...['//', '%', '=', '<>', '<', '<=', '>', '>=', 'between', 'in', 'is_null', 'is_not_null'],
  ...['is_distinct_from', 'is_not_distinct_from', 'case', 'coalesce', 'greatest', 'least'],
])

/** Declines an expression over groups that computes more of a sum of integers than 64 bits may hold. `isHuge` tells these sums. */
export function requireExactSums(
  expression: TypedExpression,
  isHuge: (index: number) => boolean,
  at: number,
): void {
  const ofSums: ExpressionVisitor<boolean> = {
    column: () => false,
    constant: () => false,
    group: ({ index }) => isHuge(index),
    call({ name, args, type }, visit) {
      const isOfSum = args.map(visit).includes(true)
      if (isOfSum && !EXACT_OF_SUMS.has(name)) decline(`${name} of a sum of integers, which has 128 bits`, at)
      return isOfSum && type?.kind === 'int'
    },
  }
  visitExpression(expression, ofSums)
}
