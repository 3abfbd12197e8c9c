/** A classic file, as a test defines it. */
export interface ClassicFile {
  readonly version: 1 | 2 | 5
  /** The length of the unlimited dimension. */
  readonly records: number
  /** Whether the header does not say the number of records, as a file that is written as a stream. */
  readonly isStream?: boolean
  readonly dimensions: readonly ClassicDimension[]
  readonly attributes: readonly ClassicAttribute[]
  readonly variables: readonly ClassicVariable[]
  /** Bytes that are left free between the header and the variables. */
  readonly gap?: number
}

interface ClassicDimension {
  readonly name: string
  /** 0: unlimited. */
  readonly size: number
}

export interface ClassicAttribute {
  readonly name: string
  readonly type: number
  /** The values as they are stored. */
  readonly bytes: Uint8Array
}

export interface ClassicVariable {
  readonly name: string
  readonly dimensions: readonly number[]
  readonly type: number
  readonly attributes: readonly ClassicAttribute[]
  /** The elements as they are stored, in C order. */
  readonly bytes: Uint8Array
}

/** Bytes of an element of each type, by its number. */
export const TYPE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8]

/** Writes a file as the specification of the format says, in memory. */
export function writeClassic(file: ClassicFile): Buffer {
  const { records, dimensions, variables, gap = 0 } = file
  const parts = variables.map((variable) => {
    const isInRecords = dimensions[variable.dimensions[0] ?? -1]?.size === 0
    const bytes = variable.dimensions
      .slice(isInRecords ? 1 : 0)
      .reduce((product, index) => product * (dimensions[index]?.size ?? 0), TYPE_BYTES[variable.type] ?? 0)
    return { ...variable, isInRecords, bytes: Buffer.from(variable.bytes), partBytes: bytes, begin: 0 }
  })
  const inRecords = parts.filter((part) => part.isInRecords)
  const room = (bytes: number): number => (inRecords.length === 1 ? bytes : padded(bytes))
  const recordBytes = inRecords.reduce((sum, { partBytes }) => sum + room(partBytes), 0)

  let end = headerOf(file, parts).length + gap
  for (const part of parts.filter((each) => !each.isInRecords)) {
    part.begin = end
    end += padded(part.partBytes)
  }
  const firstRecord = end
  for (const part of inRecords) {
    part.begin = end
    end += room(part.partBytes)
  }
  const written = Buffer.alloc(firstRecord + records * recordBytes, 0xee)
  headerOf(file, parts).copy(written)
  for (const { begin, bytes, partBytes, isInRecords } of parts)
    for (let record = 0; record < (isInRecords ? records : 1); record++)
      bytes.copy(written, begin + record * recordBytes, record * partBytes, (record + 1) * partBytes)
  return written
}

interface Placed extends ClassicVariable {
  readonly partBytes: number
  readonly begin: number
}

function headerOf(
  { version, records, isStream = false, dimensions, attributes }: ClassicFile,
  variables: readonly Placed[],
): Buffer {
  const int32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return bytes
  }
  const int64 = (value: number): Buffer => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(BigInt(value))
    return bytes
  }
  const count = version === 5 ? int64 : int32
  const offset = version === 1 ? int32 : int64
  const text = (value: string): Buffer => {
    const bytes = Buffer.from(value)
    return Buffer.concat([count(bytes.length), pad(bytes)])
  }
  const list = <T>(tag: number, items: readonly T[], item: (item: T) => Buffer[]): Buffer =>
    Buffer.concat([int32(items.length === 0 ? 0 : tag), count(items.length), ...items.flatMap(item)])
  const attributeList = (items: readonly ClassicAttribute[]): Buffer =>
    list(12, items, ({ name, type, bytes }) => [
      text(name),
      int32(type),
      count(bytes.length / (TYPE_BYTES[type] ?? 1)),
      pad(bytes),
    ])
  return Buffer.concat([
    Buffer.from([...Buffer.from('CDF'), version]),
    isStream ? Buffer.alloc(version === 5 ? 8 : 4, 0xff) : count(records),
    list(10, dimensions, ({ name, size }) => [text(name), count(size)]),
    attributeList(attributes),
    list(11, variables, ({ name, dimensions, attributes, type, partBytes, begin }) => [
      text(name),
      count(dimensions.length),
      ...dimensions.map(count),
      attributeList(attributes),
      int32(type),
      count(Math.min(padded(partBytes), 0xffffffff)),
      offset(begin),
    ]),
  ])
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4
}

function pad(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)])
}
