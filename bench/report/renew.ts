import type { Figure } from '../figures/figure.ts'
import type { Results } from './report.ts'
import { judge } from './targets.ts'

/**
 * The results of a whole run in which the figures of a later run of some take the place of those with their keys. They have its date. What is
 * judged are all figures together.
 */
export function renewFigures(results: Results, later: readonly Figure[], date: string): Results {
  const keys = new Set(later.map(({ key }) => key))
  const figures = [
    ...results.figures.filter(({ key }) => !keys.has(key)),
    ...later.map((figure) => ({ ...figure, date })),
  ]
  return { ...results, figures, verdicts: judge(results.summaries, figures) }
}
