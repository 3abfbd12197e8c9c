import type { Operator } from '../../../plan/statement/statement.ts'

/** The numbers of the scans below operators of a plan that compute aggregates. */
export function aggregatedScans(plan: Operator): ReadonlySet<number> {
  const scanNumbers = new Set<number>()
  const visit = ({ details, children, scan }: Operator, isBelow: boolean): void => {
    if (scan !== null && isBelow) scanNumbers.add(scan)
    const aggregates = details['Aggregates'] ?? []
    const computes = [aggregates].flat().some((text) => text !== '' && !/^"?first"?\(/i.test(text))
    for (const child of children) visit(child, isBelow || computes)
  }
  visit(plan, false)
  return scanNumbers
}
