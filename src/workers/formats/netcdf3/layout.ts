import { fault } from '../fault.ts'
import type { ExternalType } from './external-types.ts'
import type { Header, StoredVariable } from './header.ts'
import { paddingOf } from './padding.ts'

/** Where the elements of a variable lie in the file. */
export interface Layout {
  readonly name: string
  readonly type: ExternalType
  readonly shape: readonly number[]
  /** The place of its first element. */
  readonly begin: number
  /** Bytes from one index to the next along each dimension. They do not increase. */
  readonly strides: readonly number[]
}

/** The layouts of a file's variables, in the order of the header, and the number of its records. */
export interface FileLayout {
  readonly layouts: readonly Layout[]
  readonly records: number
}

/**
 * Lays out the variables of a file. A record has one part of each variable along the unlimited dimension, padded to a multiple of
 * 4 bytes, and the next record follows. If the file has only one such variable, its parts are not padded. Throws
 * `unreadable_file` if a variable does not lie wholly in the file behind the header, or if two of them share a byte.
 */
export function layOut(header: Header, fileBytes: number): FileLayout {
  const parts = header.variables.map((variable) => ({ variable, bytes: partBytes(variable, header) }))
  const fixed = parts.filter(({ variable }) => !variable.isInRecords)
  const inRecords = parts.filter(({ variable }) => variable.isInRecords)
  const isPadded = inRecords.length > 1
  const recordBytes = inRecords.reduce((sum, { bytes }) => sum + bytes + (isPadded ? paddingOf(bytes) : 0), 0)
  const records = header.records ?? completeRecords(inRecords, recordBytes, fileBytes)

  const fixedEnd = endOf(fixed, header.bytes)
  requireInFile(fixed, 0, fileBytes)
  if (records > 0 && inRecords.length > 0) {
    const first = Math.min(...inRecords.map(({ variable }) => variable.begin))
    if (endOf(inRecords, fixedEnd) > first + recordBytes)
      throw fault(`its variables do not lie in records of ${recordBytes} bytes from ${first} on`)
    requireInFile(inRecords, (records - 1) * recordBytes, fileBytes)
  }
  const layouts = parts.map(({ variable: { name, dimensions, isInRecords, type, begin } }) => {
    const sizes = dimensions.map((index) => header.dimensions[index]?.size ?? 0)
    const shape = isInRecords ? sizes.with(0, records) : sizes
    const strides = stridesOf(shape, type.bytes)
    return { name, type, shape, begin, strides: isInRecords ? strides.with(0, recordBytes) : strides }
  })
  return { layouts, records }
}

/** A variable, and the bytes of all its elements, or of those in one record. */
interface Part {
  readonly variable: StoredVariable
  readonly bytes: number
}

function partBytes({ name, dimensions, isInRecords, type }: StoredVariable, header: Header): number {
  const bytes = dimensions
    .slice(isInRecords ? 1 : 0)
    .reduce((product, index) => product * (header.dimensions[index]?.size ?? 0), type.bytes)
  if (Number.isSafeInteger(bytes)) return bytes
  throw fault(`variable "${name}" has ${bytes} bytes, more than any file has`)
}

/** The records of a file that does not say how many it has: those whose elements are all there. */
function completeRecords(parts: readonly Part[], recordBytes: number, fileBytes: number): number {
  if (parts.length === 0) return 0
  const counts = parts.map(({ variable: { begin }, bytes }) => (fileBytes - begin - bytes) / recordBytes + 1)
  return Math.max(0, Math.floor(Math.min(...counts)))
}

/** The end of the last part. Throws `unreadable_file` if one begins before `from`, or before another one ends. */
function endOf(parts: readonly Part[], from: number): number {
  let end = from
  for (const { variable, bytes } of parts.toSorted((a, b) => a.variable.begin - b.variable.begin)) {
    const { name, begin } = variable
    if (begin < end)
      throw fault(`variable "${name}" begins at ${begin}, and what lies before it ends at ${end}`)
    end = begin + bytes
  }
  return end
}

function requireInFile(parts: readonly Part[], offset: number, fileBytes: number): void {
  for (const { variable, bytes } of parts) {
    const end = variable.begin + offset + bytes
    if (end > fileBytes)
      throw fault(`it is cut short: variable "${variable.name}" ends at ${end}, and the file at ${fileBytes}`)
  }
}

/** Bytes from one index to the next along each dimension of an array whose elements follow each other in C order. */
function stridesOf(shape: readonly number[], elementBytes: number): number[] {
  const strides: number[] = []
  shape.reduceRight((bytes, size, axis) => {
    strides[axis] = bytes
    return bytes * size
  }, elementBytes)
  return strides
}
