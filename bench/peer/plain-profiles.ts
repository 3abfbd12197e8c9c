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

/** The types of floats in NetCDF-3: of 32 and of 64 bits. */
const FLOAT = 5
const DOUBLE = 6

/** Opens, stats, reads and closes each file, parses its header, and sums an array of floats, from which numbers that are `fill` are left out. */
export function readPlainly(folder: string, wanted = 'temp', fill = Number.NaN): PlainTimes {
  const memory = Buffer.allocUnsafe(1 << 17)
  const before = process.cpuUsage()
  let count = 0
  let sum = 0
  for (const name of readdirSync(folder)) {
    const descriptor = openSync(join(folder, name), 'r')
    fstatSync(descriptor)
    readSync(descriptor, memory, 0, memory.length, 0)
    closeSync(descriptor)
    const { begin, length, type } = placeOf(memory, wanted)
    for (let index = 0; index < length; index++) {
      const value =
        type === DOUBLE ? memory.readDoubleBE(begin + 8 * index) : memory.readFloatBE(begin + 4 * index)
      if (value === fill) continue
      sum += value
      count++
    }
  }
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1000, count, mean: sum / count }
}

interface Place {
  readonly begin: number
  readonly length: number
  readonly type: number
}

/** Where a variable of floats is that has no records, by the header of a classic file (CDF-1). The whole header is parsed. */
function placeOf(bytes: Buffer, wanted: string): Place {
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
  let place: Place | null = null
  word()
  for (let left = word(); left > 0; left--) {
    const name = text()
    const dimensions = Array.from({ length: word() }, word)
    skipAttributes()
    const type = word()
    word()
    const begin = word()
    if (name !== wanted || (type !== FLOAT && type !== DOUBLE)) continue
    place = { begin, type, length: dimensions.reduce((length, index) => length * (sizes[index] ?? 0), 1) }
  }
  if (place === null) throw new Error(`no variable ${wanted} of floats`)
  return place
}
