import type { CallExpression, Expression } from '../../../../plan/expression.ts'
import { getOrMake } from '../../../../plan/get-or-make.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import { type Finish, withOuterExpressions } from '../../../../plan/task/finish.ts'
import type { Relation } from '../bind/relation.ts'

/**
 * What the query of a view is bound to, with calls that name the view as their place. Their positions are those in the text of the view, and
 * not in the statement that reads it.
 */
export function inView(bound: Relation | ScanPlan, view: string): Relation | ScanPlan {
  const place = Object.freeze({ view })
  const moved = new Map<CallExpression, CallExpression>()
  const moveCall = (call: CallExpression): CallExpression => {
    const args = Object.freeze(call.args.map(move))
    const isInText = call.place !== undefined && 'at' in call.place
    return Object.freeze({ ...call, args, ...(isInText && { place }) })
  }
  /** An argument may be that of several calls. */
  function move<E extends Expression>(expression: E): E {
    if (expression.kind !== 'call') return expression
    return getOrMake(moved, expression, () => moveCall(expression)) as E
  }
  if (!('engine' in bound))
    return {
      ...bound,
      expressions: bound.expressions?.map(move) ?? null,
      filter: move(bound.filter),
      ...(bound.numbered && {
        numbered: {
          keys: bound.numbered.keys.map(move),
          order: bound.numbered.order.map((key) => ({ ...key, expression: move(key.expression) })),
        },
      }),
    }
  const { scan } = bound
  const finish = (written: Finish): Finish => {
    const { grouping, outer } = written
    return {
      ...written,
      grouping: grouping && {
        ...grouping,
        having: grouping.having && move(grouping.having),
        ...(grouping.computed && { computed: grouping.computed.map(move) }),
      },
      ...(outer && { outer: { ...withOuterExpressions(outer, move), finish: finish(outer.finish) } }),
    }
  }
  return {
    ...bound,
    scan: {
      ...scan,
      filter: scan.filter && move(scan.filter),
      projection: scan.projection.map((each) => ({ ...each, expression: move(each.expression) })),
    },
    finish: finish(bound.finish),
  }
}
