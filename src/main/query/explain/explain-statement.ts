import type { StatementPlan } from '../../../plan/plan.ts'
import type { Operator } from '../../../plan/statement/statement.ts'
import { type PlanNode, tableScan } from './plan-node.ts'

/**
 * The plan of a statement as a tree of nodes: DuckDB's operators, and below them the scans that the core runs for them. The
 * root says why the core has declined the statement.
 */
export function statementNode(plan: StatementPlan): PlanNode {
  const { 'Node Type': type, Engine, ...node } = operatorNode(plan.operators, plan)
  return {
    'Node Type': type,
    Engine,
    ...(plan.reason === null ? {} : { Reason: plan.reason }),
    ...node,
    Output: plan.output.fields.map(({ name }) => name),
  }
}

function operatorNode({ name, details, children, scan }: Operator, plan: StatementPlan): PlanNode {
  const source = scan === null ? undefined : plan.scans[scan]
  if (source !== undefined) return tableScan(source, Number.POSITIVE_INFINITY)
  const projections = details['Projections']
  return {
    'Node Type': nodeType(name),
    Engine: 'DuckDB',
    ...details,
    Plans: children.map((child) => operatorNode(child, plan)),
    Output: projections === undefined ? [] : [projections].flat(),
  }
}

/** `HASH_GROUP_BY` → `HashGroupBy`. */
function nodeType(name: string): string {
  return name
    .trim()
    .split('_')
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join('')
}
