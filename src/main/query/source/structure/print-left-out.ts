import type { FileStructure } from '../../../../plan/source/structure.ts'

/** What the limits left out of a listing, as `3 variables, 70000 attributes`. Null: nothing. */
export function printLeftOut({ leftOut }: FileStructure): string | null {
  const counts = Object.entries(leftOut).filter(([, count]) => count > 0)
  return counts.length === 0 ? null : counts.map(([what, count]) => `${count} ${what}`).join(', ')
}
