import type { TestTable } from '../../query/table.ts'

/** Floats beyond this have all their digits far above 1: a sum in which they cancel out is made of rounding errors. */
const LARGE = 1e30

/** Whether a statement adds a column of floats with large values of both signs: what is left then depends on the order in which they are added. */
export function isIllConditioned(sql: string, { columns }: TestTable): boolean {
  if (!/\b(?:sum|avg|stddev\w*|var\w*)\(/.test(sql)) return false
  return columns.some(
    ({ name, type, cells }) =>
      type.kind === 'float' &&
      sql.includes(name.replaceAll('"', '""')) &&
      cells.some((cell) => Number(cell) > LARGE) &&
      cells.some((cell) => Number(cell) < -LARGE),
  )
}
