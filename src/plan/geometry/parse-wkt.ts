import { ServiceError } from '../errors.ts'
import { didYouMean } from '../nearest-name.ts'
import type { Geometry } from './geometry.ts'
import {
  createGeometryParts,
  MAX_COLLECTIONS,
  MAX_POSITIONS,
  type Position,
  ringFault,
} from './geometry-parts.ts'

const TYPES = [
  ...['POINT', 'LINESTRING', 'POLYGON', 'MULTIPOINT', 'MULTILINESTRING', 'MULTIPOLYGON'],
  'GEOMETRYCOLLECTION',
]

const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy

/**
 * Parses a geometry in well-known text (OGC 06-103r4, 7), in any case and with any white space. Z and M are left out, and what is
 * EMPTY has no points. Throws `invalid_sql`, with the place in the text, of which the first character is 1.
 */
export function parseWkt(text: string): Geometry {
  const reader = createReader(text)
  const parts = createGeometryParts()
  const position = (): Position => {
    const xy: Position = [reader.number(), reader.number()]
    for (let more = 0; more < 2 && reader.isNumber(); more++) reader.number()
    if (!parts.count(xy)) reject(`a geometry may have ${MAX_POSITIONS} positions`)
    return xy
  }
  const bracketed = <T>(read: () => T): T[] => {
    if (reader.takeWord('EMPTY')) return []
    reader.expect('(')
    const items = [read()]
    while (reader.take(',')) items.push(read())
    reader.expect(')')
    return items
  }
  const line = (): Position[] => {
    const at = reader.at()
    const positions = bracketed(position)
    if (positions.length === 1) reject('a line needs at least two positions', at)
    return positions
  }
  const ring = (): Position[] => {
    const at = reader.at()
    const positions = bracketed(position)
    const fault = positions.length === 0 ? null : ringFault(positions)
    return fault === null ? positions : reject(fault, at)
  }
  /** The rings that have positions. Without an exterior ring there are none. */
  const rings = (): Position[][] => {
    const [exterior = [], ...holes] = bracketed(ring)
    return exterior.length === 0 ? [] : [exterior, ...holes.filter((hole) => hole.length > 0)]
  }
  const point = (): Position[] =>
    reader.isNext('(') || reader.isWord('EMPTY') ? bracketed(position) : [position()]
  const read = (depth: number): void => {
    if (depth > MAX_COLLECTIONS) reject(`geometry collections may be nested ${MAX_COLLECTIONS} deep`)
    const at = reader.at()
    const type = reader.geometryType()
    switch (type) {
      case 'POINT': {
        const points = bracketed(position)
        if (points.length > 1) reject('a POINT has one position', at)
        points.forEach(parts.addPoint)
        break
      }
      case 'MULTIPOINT':
        bracketed(point).flat().forEach(parts.addPoint)
        break
      case 'LINESTRING':
        addLine(line())
        break
      case 'MULTILINESTRING':
        bracketed(line).forEach(addLine)
        break
      case 'POLYGON':
        parts.addPolygon(rings())
        break
      case 'MULTIPOLYGON':
        bracketed(rings).forEach(parts.addPolygon)
        break
      default:
        bracketed(() => read(depth + 1))
    }
  }
  const addLine = (positions: readonly Position[]): void => {
    if (positions.length > 0) parts.addLine(positions)
  }
  read(0)
  reader.expectEnd()
  return parts.geometry()

  function reject(what: string, at = reader.at()): never {
    throw fault(what, at)
  }
}

function fault(what: string, at: number): ServiceError {
  return new ServiceError(
    'invalid_sql',
    `st_within_point: at character ${at + 1} of the WKT: ${what}${what.endsWith('?') ? '' : '.'}`,
  )
}

/** Reads the parts of a text. Positions are in UTF-16 units from 0. */
function createReader(text: string) {
  let index = 0
  const skip = (): void => {
    while (/\s/.test(text.charAt(index))) index++
  }
  const describeNext = (): string => {
    const rest = text.slice(index, index + 20)
    return rest === '' ? 'the end of the text' : JSON.stringify(rest)
  }
  const unexpected = (expected: string): never => {
    throw fault(`expected ${expected}, found ${describeNext()}`, index)
  }
  const wordAt = (): string => {
    WORD.lastIndex = index
    return WORD.exec(text)?.[0].toUpperCase() ?? ''
  }
  const reader = {
    at(): number {
      skip()
      return index
    },
    isNext(sign: string): boolean {
      skip()
      return text.charAt(index) === sign
    },
    take(sign: string): boolean {
      const isNext = reader.isNext(sign)
      if (isNext) index++
      return isNext
    },
    expect(sign: '(' | ')'): void {
      if (reader.take(sign)) return
      unexpected(sign === '(' ? '"(" or EMPTY' : '"," or ")"')
    },
    isWord(word: string): boolean {
      skip()
      return wordAt() === word
    },
    takeWord(word: string): boolean {
      const isNext = reader.isWord(word)
      if (isNext) index += word.length
      return isNext
    },
    isNumber(): boolean {
      skip()
      NUMBER.lastIndex = index
      return NUMBER.test(text)
    },
    number(): number {
      skip()
      NUMBER.lastIndex = index
      const [written = ''] = NUMBER.exec(text) ?? []
      if (written === '') return unexpected('a number')
      const value = Number(written)
      if (!Number.isFinite(value)) throw fault(`${written.slice(0, 20)} is no finite number`, index)
      index += written.length
      return value
    },
    /** Takes the type of a geometry, and what says that it has Z or M. */
    geometryType(): string {
      skip()
      const word = wordAt()
      if (word === 'SRID')
        throw fault(
          'WKT has no SRID; leave it out: coordinates are longitude and latitude, as the columns have them',
          index,
        )
      const type = TYPES.find((each) => word === each || DIMENSIONS.some((end) => word === each + end))
      if (type === undefined)
        throw fault(
          `expected ${TYPES.slice(0, -1).join(', ')} or ${TYPES.at(-1)}, found ${describeNext()}${didYouMean(word, TYPES)}`,
          index,
        )
      index += word.length
      for (const dimension of DIMENSIONS) if (reader.takeWord(dimension)) break
      return type
    },
    expectEnd(): void {
      skip()
      if (index < text.length) unexpected('the end of the text')
    },
  }
  return reader
}

const WORD = /[a-z]+/iy

/** What may stand behind a type. */
const DIMENSIONS = ['ZM', 'Z', 'M'] as const
