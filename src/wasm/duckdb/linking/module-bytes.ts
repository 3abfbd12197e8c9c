import { ServiceError } from '../../../plan/errors.ts'

/** The ids of sections of a WebAssembly module. */
export const SECTION = Object.freeze({ import: 2, function: 3, export: 7, code: 10 })

/** Bytes of a module before its first section: magic and version. */
const HEADER_BYTES = 8

const DECODER = new TextDecoder('latin1')

/** A section of a module: where its id is, its size is, its content begins, and its content ends. */
export interface Section {
  readonly id: number
  readonly start: number
  readonly sizeAt: number
  readonly begin: number
  readonly end: number
}

/** The sections of a module in their order. Throws `internal` when it is not valid. */
export function sectionsOf(bytes: Uint8Array): readonly Section[] {
  const sections: Section[] = []
  for (let start = HEADER_BYTES; start < bytes.length; ) {
    const read = readModule(bytes, start + 1)
    const size = read.number()
    const begin = read.at
    read.skip(size)
    sections.push({ id: bytes[start] ?? 0, start, sizeAt: start + 1, begin, end: read.at })
    start = read.at
  }
  return sections
}

/** The section with an id. Throws `internal` if there is none. */
export function sectionWith(sections: readonly Section[], id: number): Section {
  return sections.find((each) => each.id === id) ?? damaged()
}

/** Reads a module from a place on. Each call throws `internal` beyond its end. */
export interface ModuleReader {
  readonly at: number
  skip(count: number): void
  byte(): number
  /** A number in unsigned LEB128 of at most 32 bits. */
  number(): number
  /** A text in ASCII behind the number of its bytes. */
  name(): string
}

export function readModule(bytes: Uint8Array, from: number): ModuleReader {
  let at = from
  const skip = (count: number): void => {
    at += count
    if (at > bytes.length) damaged()
  }
  const byte = (): number => {
    skip(1)
    return bytes[at - 1] ?? 0
  }
  const number = (): number => {
    let value = 0
    for (let scale = 1; scale < 2 ** 35; scale *= 128) {
      const next = byte()
      value += (next & 0x7f) * scale
      if (next < 0x80) return value
    }
    return damaged()
  }
  return {
    get at() {
      return at
    },
    skip,
    byte,
    number,
    name() {
      const length = number()
      skip(length)
      return DECODER.decode(bytes.subarray(at - length, at))
    },
  }
}

/** Throws the error that a module is not valid. */
export function damaged(): never {
  throw new ServiceError('internal', 'duckdb-wasm is damaged; install its package anew')
}
