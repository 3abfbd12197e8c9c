import { sortedByBytes } from '../../../../plan/byte-order.ts'
import { arrowTypeName } from '../../../../plan/functions/arrow-type-name.ts'
import type { FunctionRow, Overload } from '../../../../plan/functions/function-row.ts'
import { FUNCTIONS } from '../../../../plan/functions/functions.ts'
import type { InformationRow } from '../../../catalog/information-schema.ts'

/** The schema that functions are in by the standard, although they are called without one. */
const SCHEMA = 'public'

/** What `information_schema.routines` says: a row for each signature of the functions that queries may call. */
export function routineRows(catalog: string): readonly InformationRow[] {
  return signatures((row, { returns }) => [
    [
      ...nameOf(catalog, row),
      ...nameOf(catalog, row),
      'FUNCTION',
      row.isConstant ? 'YES' : 'NO',
      arrowTypeName(returns),
      row.kind.toUpperCase(),
      row.description,
      row.examples[0]?.call ?? null,
    ],
  ])
}

/** What `information_schema.parameters` says: a row for each parameter of those signatures, and one for the result. */
export function parameterRows(catalog: string): readonly InformationRow[] {
  return signatures((row, { parameters, isVariadic, returns }, signature) => [
    ...parameters.map(({ name, type }, index) => [
      ...nameOf(catalog, row),
      index + 1,
      'IN',
      name,
      arrowTypeName(type),
      null,
      isVariadic && index === parameters.length - 1 ? 'YES' : 'NO',
      signature,
    ]),
    [...nameOf(catalog, row), 0, 'OUT', null, arrowTypeName(returns), null, 'NO', signature],
  ])
}

/** The rows of each signature, by the names of their functions. `signature` counts those of one function from 0. */
function signatures(
  rowsOf: (row: FunctionRow, overload: Overload, signature: number) => readonly InformationRow[],
): readonly InformationRow[] {
  return sortedByBytes([...FUNCTIONS.keys()]).flatMap((name) => {
    const row = FUNCTIONS.get(name)
    return row?.overloads.flatMap((overload, signature) => rowsOf(row, overload, signature)) ?? []
  })
}

function nameOf(catalog: string, { name }: FunctionRow): InformationRow {
  return [catalog, SCHEMA, name]
}
