import type { PlanNode } from './plan-node.ts'

/** What the names in a query mean that its plan does not have. */
export interface NamedSources {
  /** The full name of a table, by the name of its scan's relation. Null: the relation is none, such as files by their paths. */
  fullName(relation: string): string | null
  /** The full names of the views through which the relation is read, the outermost first. */
  viewsOver(relation: string): readonly string[]
}

/** The plan with full names of tables, and with the views that each scan comes from: a plan has their queries in their place. */
export function withNames(node: PlanNode, sources: NamedSources): PlanNode {
  const { 'Node Type': type, 'Relation Name': relation, ...members } = node
  const Plans = node.Plans.map((child) => withNames(child, sources))
  if (typeof relation !== 'string') return { ...node, Plans }
  const views = sources.viewsOver(relation)
  return {
    'Node Type': type,
    'Relation Name': sources.fullName(relation) ?? relation,
    ...(views.length === 0 ? {} : { Views: views }),
    ...members,
    Plans,
  }
}
