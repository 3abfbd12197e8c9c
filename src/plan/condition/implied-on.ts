import { columnsOf } from '../expression.ts'
import { all, any } from './combine.ts'
import type { Condition } from './condition.ts'
import { testOf } from './test.ts'

/**
 * A condition on some columns alone that is true for each row for which the given one is true. Null: that says nothing of these
 * columns.
 */
export function impliedOn(condition: Condition, isAmong: (column: string) => boolean): Condition | null {
  const test = testOf(condition)
  if (test.op !== 'and' && test.op !== 'or') return columnsOf(condition).every(isAmong) ? condition : null
  const args = test.args.flatMap((arg) => impliedOn(arg, isAmong) ?? [])
  if (test.op === 'or') return args.length < test.args.length ? null : any(args)
  return args.length === 0 ? null : all(args)
}
