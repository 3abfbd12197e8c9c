import { isServiceError } from '../../../plan/errors.ts'
import { parseWkt } from '../../../plan/geometry/parse-wkt.ts'
import type { Geometry, Predicate } from '../../../plan/predicate/predicate.ts'
import type { Field } from '../../../plan/types/schema.ts'
import { negation, TRUE } from '../../query/bind/filters/combine.ts'
import { columnOperand } from './filter-comparison.ts'
import type { FilterExpression } from './filter-expression.ts'

/**
 * The predicate that a call of `st_within_point` implies if it is `truth`. `TRUE`: nothing is known of it. The core tests the points of a
 * call too, so that the predicate is true for the same rows.
 */
export function withinTest(
  [wkt, ...coordinates]: readonly FilterExpression[],
  truth: boolean,
  fields: readonly Field[],
): Predicate {
  if (wkt?.kind !== 'literal' || wkt.form !== 'string' || wkt.type !== null) return TRUE
  const [longitude, latitude] = coordinates.map((each) => {
    const column = columnOperand(each, fields)
    // Integers and floats become a DOUBLE in the same way in both engines.
    const isCast = column !== null && (column.cast === null || column.cast === 'DOUBLE')
    return isCast && ['int', 'float'].includes(column.operand.type.kind) ? column.operand : null
  })
  const geometry = geometryOf(wkt.text)
  if (!longitude || !latitude || geometry === null) return TRUE
  const within: Predicate = Object.freeze({ op: 'within', longitude, latitude, geometry })
  return truth ? within : negation(within)
}

function geometryOf(text: string): Geometry | null {
  try {
    return parseWkt(text)
  } catch (error) {
    if (isServiceError(error)) return null
    throw error
  }
}
