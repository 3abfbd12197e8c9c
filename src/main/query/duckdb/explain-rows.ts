import type { Explained } from '../explain/explain.ts'
import type { PlanNode } from '../explain/plan-node.ts'
import { writeText } from './from-json/write.ts'

/**
 * A statement whose rows are the answer to an EXPLAIN: for each kind of plan its name and its text. There is only one plan, so
 * both kinds have the same text.
 */
export function explainRows(explained: Explained): string {
  const text = writeText(explainText(explained))
  return `SELECT * FROM (VALUES ('logical_plan', ${text}), ('physical_plan', ${text})) AS plans(plan_type, plan)`
}

/** Prints a plan as text: a line for each operator, those below it indented. */
function explainText([{ Plan }]: Explained): string {
  return lines(Plan, 0).join('\n')
}

function lines(node: PlanNode, depth: number): string[] {
  const { 'Node Type': type, Plans, Output, ...members } = node
  const output = Array.isArray(Output) && Output.length > 0 ? { Output } : {}
  const printed = Object.entries({ ...members, ...output }).map(
    ([key, value]) => `${key}: ${valueText(value).replace(/\s*\n\s*/g, ' ')}`,
  )
  const line = `${'  '.repeat(depth)}${type}${printed.length > 0 ? ` (${printed.join('; ')})` : ''}`
  return [line, ...Plans.flatMap((child) => lines(child, depth + 1))]
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
