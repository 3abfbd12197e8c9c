import { all } from '../../../../plan/condition/combine.ts'
import { type Condition, compare } from '../../../../plan/condition/condition.ts'
import { startOf } from '../../../../plan/condition/pattern.ts'
import type { CallExpression, TypedExpression } from '../../../../plan/expression.ts'
import { beginsWith } from '../filters/bind-pattern.ts'

/**
 * A test of the beginning of a text, as one of where it lies among texts. Of a pattern that tests more, the beginning comes first. Null: it
 * is no such test.
 */
export function comparedText(call: CallExpression): Condition | null {
  const [text, part] = call.args
  if (text === undefined || text.type?.kind !== 'utf8' || text.kind === 'constant') return null
  if (part?.kind !== 'constant' || part.value?.kind !== 'bytes') return null
  const operand = text as TypedExpression
  const { value } = part.value
  if (call.name === 'starts_with') return beginsWith(operand, value)
  if (call.name !== 'like') return null
  const { prefix, rest } = startOf('like', Buffer.from(value).toString('utf8'))
  const bytes = new TextEncoder().encode(prefix)
  switch (rest) {
    case 'nothing':
      return compare(operand, 'eq', { kind: 'bytes', value: bytes })
    case 'anything':
      return beginsWith(operand, bytes)
    case 'pattern':
      return prefix === '' ? null : all([beginsWith(operand, bytes), call as TypedExpression])
  }
}
