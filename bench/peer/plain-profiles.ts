import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** The plain program beside the service: what it takes at least to read the profiles in NetCDF-3. CPU of one thread, in milliseconds. */
export interface PlainTimes {
  readonly cpuMs: number
  readonly count: number
  readonly mean: number
}

/** The bytes of a number, by its type in NetCDF-3 (NC_BYTE … NC_DOUBLE). */
const TYPE_BYTES = [0, 1, 1, 2, 4, 4, 8]

/** Opens, stats, reads and closes each file, parses its header, and sums its array `temp` of 32-bit floats. */
export function readPlainly(folder: string): PlainTimes {
  const memory = Buffer.allocUnsafe(1 << 16)
  const before = process.cpuUsage()
  let count = 0
  let sum = 0
  for (const name of readdirSync(folder)) {
    const descriptor = openSync(join(folder, name), 'r')
    fstatSync(descriptor)
    readSync(descriptor, memory, 0, memory.length, 0)
    closeSync(descriptor)
    const { begin, length } = placeOf(memory, 'temp')
    for (let index = 0; index < length; index++) sum += memory.readFloatBE(begin + 4 * index)
    count += length
  }
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1000, count, mean: sum / count }
}

/** Where a variable of one dimension is, by the header of a classic file (CDF-1). */
function placeOf(bytes: Buffer, wanted: string): { readonly begin: number; readonly length: number } {
  let at = 8
  const word = (): number => {
    at += 4
    return bytes.readInt32BE(at - 4)
  }
  const text = (): string => {
    const length = word()
    const from = at
    at += (length + 3) & ~3
    return bytes.toString('latin1', from, from + length)
  }
  const skipAttributes = (): void => {
    word()
    for (let left = word(); left > 0; left--) {
      text()
      const type = word()
      const values = word()
      at += (values * (TYPE_BYTES[type] ?? 0) + 3) & ~3
    }
  }
  word()
  const sizes = Array.from({ length: word() }, () => {
    text()
    return word()
  })
  skipAttributes()
  word()
  for (let left = word(); left > 0; left--) {
    const name = text()
    const dimensions = Array.from({ length: word() }, word)
    skipAttributes()
    word()
    word()
    const begin = word()
    if (name === wanted) return { begin, length: sizes[dimensions[0] ?? -1] ?? 0 }
  }
  throw new Error(`no variable ${wanted}`)
}
