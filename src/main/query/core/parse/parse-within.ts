import { isServiceError } from '../../../../plan/errors.ts'
import { geojsonAsWkt } from '../../../../plan/geometry/geojson-as-wkt.ts'
import type { Geometry } from '../../../../plan/geometry/geometry.ts'
import { parseWkt } from '../../../../plan/geometry/parse-wkt.ts'
import type { TokenReader } from '../../../sql/text/token-reader.ts'
import { isSign, wordOf } from '../../../sql/text/tokens.ts'
import { decline } from '../../bind/declined.ts'
import type { SqlExpression, Within } from './ast.ts'
import { expectString } from './parse-literal.ts'

/**
 * Parses `st_within_point('…', longitude, latitude)`, of which the text may be `st_geojson_as_wkt('…')`. Null: something else comes
 * next. A text that is no geometry is declined, so that DuckDB says what is wrong with it.
 */
export function parseWithin(reader: TokenReader, parseValue: () => SqlExpression): Within | null {
  if (!isCall(reader, 'ST_WITHIN_POINT')) return null
  const at = reader.at()
  reader.next()
  reader.expectSign('(')
  const geometry = parseGeometry(reader)
  reader.expectSign(',')
  const longitude = parseValue()
  reader.expectSign(',')
  const latitude = parseValue()
  reader.expectSign(')')
  return { kind: 'within', geometry, longitude, latitude, at }
}

function isCall(reader: TokenReader, name: string): boolean {
  return wordOf(reader.peek()) === name && isSign(reader.peek(1), '(')
}

function parseGeometry(reader: TokenReader): Geometry {
  const at = reader.at()
  const isGeojson = isCall(reader, 'ST_GEOJSON_AS_WKT')
  if (isGeojson) {
    reader.next()
    reader.expectSign('(')
  }
  if (reader.peek()?.kind !== 'string') decline('a geometry that is no literal', at)
  const text = expectString(reader)
  if (isGeojson) reader.expectSign(')')
  try {
    return parseWkt(isGeojson ? geojsonAsWkt(text) : text)
  } catch (error) {
    if (isServiceError(error)) decline('a text that is no geometry', at)
    throw error
  }
}
