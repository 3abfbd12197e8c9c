import type { ClassicAttribute, ClassicVariable } from '../write-classic.ts'
import { writeClassic } from '../write-classic.ts'

/** A variable of 32-bit integers, or of doubles. */
export interface RaggedVariable {
  readonly name: string
  readonly dimensions: readonly string[]
  readonly values: readonly number[]
  readonly isDouble?: boolean
  readonly attributes?: Readonly<Record<string, string>>
  readonly fill?: number
}

/** A classic file (CDF-2) of such variables. */
export function writeRagged(
  dimensions: Readonly<Record<string, number>>,
  variables: readonly RaggedVariable[],
): Buffer {
  const names = Object.keys(dimensions)
  return writeClassic({
    version: 2,
    records: 0,
    dimensions: names.map((name) => ({ name, size: dimensions[name] ?? 0 })),
    attributes: [],
    variables: variables.map((variable): ClassicVariable => {
      const { name, values, isDouble = false, attributes = {}, fill } = variable
      const type = isDouble ? 6 : 4
      const made: ClassicAttribute[] = Object.entries(attributes).map(([name, text]) => ({
        name,
        type: 2,
        bytes: Buffer.from(text),
      }))
      if (fill !== undefined) made.push({ name: '_FillValue', type, bytes: stored([fill], isDouble) })
      return {
        name,
        type,
        dimensions: variable.dimensions.map((each) => names.indexOf(each)),
        attributes: made,
        bytes: stored(values, isDouble),
      }
    }),
  })
}

function stored(values: readonly number[], isDouble: boolean): Buffer {
  const bytes = Buffer.alloc(values.length * (isDouble ? 8 : 4))
  for (const [index, value] of values.entries())
    if (isDouble) bytes.writeDoubleBE(value, index * 8)
    else bytes.writeInt32BE(value, index * 4)
  return bytes
}
