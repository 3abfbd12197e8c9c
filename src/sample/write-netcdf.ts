/** A variable of a classic NetCDF file. Text has a last dimension with the length of each text. */
export interface Variable {
  readonly name: string
  readonly dimensions: readonly string[]
  readonly values: Float32Array | Float64Array | Uint8Array
  readonly attributes: Readonly<Record<string, string | number>>
}

/** Numbers that the format has for types and lists. */
const TYPE = Object.freeze({ char: 2, float: 5, double: 6 })
const LIST = Object.freeze({ dimensions: 10, variables: 11, attributes: 12 })

/** The bytes of a classic NetCDF file (CDF-1) without records. The numbers in attributes are in the type of their variable. */
export function writeNetcdf(
  dimensions: Readonly<Record<string, number>>,
  attributes: Readonly<Record<string, string>>,
  variables: readonly Variable[],
): Uint8Array {
  const data = variables.map(({ values }) => pad(bigEndian(values)))
  // The length of the header does not depend on where the data begin.
  const { length } = header(dimensions, attributes, variables, [])
  let end = length
  const begins = data.map((bytes) => {
    end += bytes.length
    return end - bytes.length
  })
  return Buffer.concat([header(dimensions, attributes, variables, begins), ...data])
}

function header(
  dimensions: Readonly<Record<string, number>>,
  attributes: Readonly<Record<string, string>>,
  variables: readonly Variable[],
  begins: readonly number[],
): Buffer {
  const names = Object.keys(dimensions)
  return Buffer.concat([
    Buffer.from('CDF\x01'),
    words(0),
    words(LIST.dimensions, names.length),
    ...names.flatMap((name) => [text(name), words(dimensions[name] ?? 0)]),
    attributeList(attributes, TYPE.char),
    words(LIST.variables, variables.length),
    ...variables.flatMap((variable, index) => [
      text(variable.name),
      words(variable.dimensions.length, ...variable.dimensions.map((name) => names.indexOf(name))),
      attributeList(variable.attributes, typeOf(variable)),
      words(typeOf(variable), pad(bigEndian(variable.values)).length, begins[index] ?? 0),
    ]),
  ])
}

function attributeList(attributes: Readonly<Record<string, string | number>>, type: number): Buffer {
  const entries = Object.entries(attributes)
  const values = entries.flatMap(([name, value]) => {
    if (typeof value === 'string') return [text(name), words(TYPE.char), text(value)]
    const number = type === TYPE.float ? Float32Array.of(value) : Float64Array.of(value)
    return [text(name), words(type, 1), bigEndian(number)]
  })
  return Buffer.concat([words(entries.length === 0 ? 0 : LIST.attributes, entries.length), ...values])
}

function typeOf({ values }: Variable): number {
  if (values instanceof Uint8Array) return TYPE.char
  return values instanceof Float32Array ? TYPE.float : TYPE.double
}

function bigEndian(values: Float32Array | Float64Array | Uint8Array): Buffer {
  const bytes = Buffer.from(values.buffer.slice(values.byteOffset, values.byteOffset + values.byteLength))
  if (values instanceof Float32Array) return bytes.swap32()
  return values instanceof Float64Array ? bytes.swap64() : bytes
}

/** A text with its length before it. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([words(bytes.length), pad(bytes)])
}

function words(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index)
  return bytes
}

/** Everything is padded to four bytes. */
function pad(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
}
