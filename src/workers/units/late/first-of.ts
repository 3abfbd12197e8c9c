import { columnsOfExpressions, type TypedExpression } from '../../../plan/expression.ts'
import type { ScanSpec } from '../../../plan/scan.ts'
import { columnsOfFirsts, type FirstRows } from '../../../plan/task/finish.ts'
import type { Column, Mask } from '../../../wasm/core/column.ts'
import type { ReadContext } from '../../formats/provider.ts'
import { requireTyped, withColumn } from '../computed-column.ts'
import { firstRows } from '../first-rows.ts'
import type { UnitRows } from '../unit-rows.ts'

/** Reads the columns that tell the first rows of each group. */
export function loadFirsts(unitRows: UnitRows, { projection }: ScanSpec, firsts: FirstRows): void {
  unitRows.load(
    columnsOfExpressions(columnsOfFirsts(firsts).flatMap((index) => projection[index]?.expression ?? [])),
  )
}

/** The first rows of each group, of those that have passed, by columns that were read. */
export function firstOf(
  unitRows: UnitRows,
  { projection }: ScanSpec,
  firsts: FirstRows,
  { core, stopwatch }: ReadContext,
): Mask {
  const expressions = projection.map(({ expression }) => requireTyped(expression))
  const types = expressions.map(({ type }) => type)
  const asked = columnsOfFirsts(firsts)
  const from = unitRows.computedFrom()
  /** Of the projection only the columns that are asked for are there, or are computed. */
  const read = (index: number, columns: readonly Column[]): Mask => {
    const place = asked[index]
    const expression: TypedExpression | undefined = place === undefined ? undefined : expressions[place]
    if (place === undefined || expression === undefined)
      return firstRows(core, { ...firsts, isNumbered: false }, { ...from, columns }, types).mask
    return withColumn(core, expression, from, (column) => read(index + 1, columns.with(place, column)))
  }
  return stopwatch.time('group', () =>
    read(
      0,
      expressions.map(() => NO_COLUMN),
    ),
  )
}

/** Stands for a column that is not read. */
const NO_COLUMN = 0 as Column
