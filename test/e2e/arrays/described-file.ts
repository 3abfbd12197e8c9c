import { type ClassicAttribute, writeClassic } from '../../netcdf/write-classic.ts'

/** Attributes of a variable: a text, a 64-bit float, or several of them. */
type Described = Readonly<Record<string, string | number | readonly number[]>>

const CHAR = 2
const INT16 = 3
const DOUBLE = 6

export interface DescribedFile {
  /** Coordinates of the dimensions of all others, `lat` and `lon`, and others: of their dimensions or, as `time`, along `lat` alone. */
  readonly variables: Readonly<Record<string, Described>>
  /** Variables whose values are stored in 16 bits. */
  readonly packed?: readonly string[]
  readonly attributes?: Described
}

const SIZES = { lat: 3, lon: 2 }
const ALONG_LAT = new Set(['lat', 'time'])

/** A classic file with 6 cells of `lat` and `lon`. A variable has the values 0, 1, 2 and so on. */
export function describedFile({ variables, packed = [], attributes = {} }: DescribedFile): Buffer {
  const dimensionsOf = (name: string): readonly number[] =>
    ALONG_LAT.has(name) ? [0] : name === 'lon' ? [1] : [0, 1]
  return writeClassic({
    version: 2,
    records: 0,
    dimensions: Object.entries(SIZES).map(([name, size]) => ({ name, size })),
    attributes: attributesOf(attributes),
    variables: Object.entries(variables).map(([name, described]) => {
      const dimensions = dimensionsOf(name)
      const cells = dimensions.reduce((product, index) => product * (Object.values(SIZES)[index] ?? 0), 1)
      const isPacked = packed.includes(name)
      const bytes = Buffer.alloc(cells * (isPacked ? 2 : 8))
      for (let at = 0; at < cells; at++)
        if (isPacked) bytes.writeInt16BE(at, at * 2)
        else bytes.writeDoubleBE(at, at * 8)
      return {
        name,
        dimensions,
        type: isPacked ? INT16 : DOUBLE,
        attributes: attributesOf(described),
        bytes,
      }
    }),
  })
}

function attributesOf(described: Described): readonly ClassicAttribute[] {
  return Object.entries(described).map(([name, value]): ClassicAttribute => {
    if (typeof value === 'string') return { name, type: CHAR, bytes: Buffer.from(value) }
    const numbers = typeof value === 'number' ? [value] : value
    const bytes = Buffer.alloc(numbers.length * 8)
    for (const [at, each] of numbers.entries()) bytes.writeDoubleBE(each, at * 8)
    return { name, type: DOUBLE, bytes }
  })
}
