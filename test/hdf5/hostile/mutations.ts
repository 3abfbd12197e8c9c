import { type Structure, sign } from './structures.ts'

/** A file that was changed so that it says something else, or nothing sensible. */
export interface Mutation {
  /** What was changed, and where. */
  readonly what: string
  /** Whether a checksum tells that it was changed: it must not be read as if it were sound. */
  readonly isTold: boolean
  bytes(): Buffer
}

/** A sound file and its structures. */
export interface Sound {
  readonly bytes: Buffer
  readonly structures: readonly Structure[]
}

type Width = 1 | 2 | 4 | 8

const WIDTHS: readonly Width[] = [1, 2, 4, 8]

/** What a byte is changed to. */
const BYTES: readonly ((byte: number) => number)[] = [
  () => 0,
  () => 0xff,
  (byte) => byte ^ 1,
  (byte) => byte ^ 0x80,
  (byte) => (byte + 1) & 0xff,
  (byte) => byte ^ 0xff,
]

/** The number of ways in which a structure is changed at each of its bytes. */
const PER_BYTE = BYTES.length + 9 * WIDTHS.length + 12

/** The number of mutations of a file. Each has a number below it. */
export function countMutations({ structures }: Sound): number {
  return structures.reduce((sum, { length }) => sum + length * PER_BYTE, 0)
}

/** One of the mutations of a file. */
export function mutationAt(sound: Sound, number: number): Mutation {
  let rest = number
  for (const structure of sound.structures) {
    const own = structure.length * PER_BYTE
    if (rest < own) return mutationOf(sound, structure, Math.floor(rest / PER_BYTE), rest % PER_BYTE)
    rest -= own
  }
  throw new RangeError(`there is no mutation ${number}`)
}

function mutationOf(sound: Sound, structure: Structure, offset: number, way: number): Mutation {
  const at = structure.at + offset
  const place = `${at} (${offset} of ${structure.length} from ${structure.at})`
  const changeByte = BYTES[way]
  if (changeByte !== undefined) {
    const isSigned = structure.isChecked && way % 2 === 1
    const change = (bytes: Buffer): void => {
      bytes[at] = changeByte(bytes[at] ?? 0)
      if (isSigned) sign(bytes, structure)
    }
    return made(sound, `byte at ${place}, way ${way}`, structure.isChecked && !isSigned, change)
  }
  const numbered = way - BYTES.length
  if (numbered < 9 * WIDTHS.length) {
    const width = WIDTHS[numbered % WIDTHS.length] ?? 1
    const value = hostileNumber(sound, structure, width, Math.floor(numbered / WIDTHS.length))
    const change = (bytes: Buffer): void => {
      write(bytes, at, value, width)
      sign(bytes, structure)
    }
    return made(sound, `${value} in ${width} bytes at ${place}`, false, change)
  }
  return pointed(sound, structure, at, numbered - 9 * WIDTHS.length, place)
}

/** Numbers with which sizes, counts and addresses go wrong. */
function hostileNumber({ bytes }: Sound, { at }: Structure, width: Width, way: number): bigint {
  const most = 1n << BigInt(8 * width)
  const numbers = [
    0n,
    1n,
    most - 1n,
    most - 2n,
    most / 2n,
    most / 2n - 1n,
    BigInt(bytes.length),
    BigInt(at),
    BigInt(bytes.length - 1),
  ]
  return (numbers[way] ?? 0n) % most
}

/** Another structure in the place of that to which a structure points, or a file that ends there. */
function pointed(sound: Sound, structure: Structure, at: number, way: number, place: string): Mutation {
  const { bytes, structures } = sound
  if (way < 3) {
    const end = at + way - 1
    return {
      what: `cut at ${end}`,
      isTold: false,
      bytes: () => Buffer.from(bytes.subarray(0, Math.max(0, end))),
    }
  }
  const old = at + 8 <= bytes.length ? bytes.readBigUInt64LE(at) : 0n
  const isPointer = structures.some((each) => BigInt(each.at) === old)
  const other = structures[(way * 7919 + at) % structures.length] ?? structure
  const target = way === 3 ? structure : other
  const change = (copy: Buffer): void => {
    if (isPointer) write(copy, at, BigInt(target.at), 8)
    else write(copy, at, BigInt(target.at) ^ 0x3fn, 4)
    sign(copy, structure)
  }
  return made(
    sound,
    `the address ${target.at} instead of ${isPointer ? old : 'a number'} at ${place}`,
    false,
    change,
  )
}

function made(sound: Sound, what: string, isTold: boolean, change: (bytes: Buffer) => void): Mutation {
  return {
    what,
    isTold,
    bytes: () => {
      const bytes = Buffer.from(sound.bytes)
      change(bytes)
      return bytes
    },
  }
}

function write(bytes: Buffer, at: number, value: bigint, width: Width): void {
  for (let byte = 0; byte < width && at + byte < bytes.length; byte++)
    bytes[at + byte] = Number((value >> BigInt(8 * byte)) & 0xffn)
}
