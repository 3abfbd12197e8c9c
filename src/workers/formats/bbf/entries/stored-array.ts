import type { DataType } from '../../../../plan/types/schema.ts'
import { fault } from '../../fault.ts'
import { type Archive, boxAt, bytesAt, isSome, numberAt, tagAt } from '../archive/archive.ts'
import { TYPES, widthOf } from '../types.ts'

/** An array as a group has it. Its bytes are those of the group. */
export interface StoredArray {
  readonly type: DataType
  /** The number of elements. An array of nulls, and one of runs, may claim any number. */
  readonly length: number
  /** Bit `i` is set if element, or run, `i` is not null. Null: none is null. */
  readonly validity: Uint8Array | null
  /** Of text: where the values begin, and the last one ends. 32 bits each. */
  readonly offsets: Uint8Array | null
  readonly values: Uint8Array
  /** Of an array of runs: the number of elements up to the end of each, 32 bits. The others are about the values of the runs. */
  readonly ends: Uint8Array | null
}

export const ARRAY_BYTES = 72

/** Arrays of runs, and one for each type. */
const KINDS = TYPES.length + 1

/** Reads an array and compares its buffers with its length. Throws `unreadable_file`. */
export function readArray(archive: Archive, at: number): StoredArray {
  const tag = tagAt(archive, at, KINDS, 'an array')
  return tag === 0 ? readRuns(archive, at) : readPlain(archive, at, tag)
}

function readRuns(archive: Archive, at: number): StoredArray {
  const runs = numberAt(archive, at + 24)
  const ends = bytesAt(archive, at + 8)
  const values = boxAt(archive, at + 32, ARRAY_BYTES)
  const tag = tagAt(archive, values, KINDS, 'an array')
  if (tag === 0) throw fault('an array of runs of runs')
  const inner = readPlain(archive, values, tag)
  if (4 * runs > ends.length || runs > inner.length)
    throw fault(`${runs} runs, of which ${ends.length / 4} have an end and ${inner.length} a value`)
  const view = new DataView(ends.buffer, ends.byteOffset, 4 * runs)
  let length = 0
  for (let run = 0; run < runs; run++) {
    const end = view.getInt32(4 * run, true)
    if (end <= length) throw fault(`a run that ends at ${end}, behind one that ends at ${length}`)
    length = end
  }
  return { ...inner, length, ends: ends.subarray(0, 4 * runs) }
}

function readPlain(archive: Archive, at: number, tag: number): StoredArray {
  const type = TYPES[tag - 1]
  if (type === undefined) throw fault(`an array of the unknown kind ${tag}`)
  if (type.kind === 'null')
    return {
      type,
      length: numberAt(archive, at + 8),
      validity: null,
      offsets: null,
      values: NOTHING,
      ends: null,
    }
  const isText = type.kind === 'utf8'
  const lengthPlace = at + (isText ? 40 : 24)
  const length = numberAt(archive, lengthPlace)
  const values = bytesAt(archive, at + 8)
  const offsets = isText ? bytesAt(archive, at + 24) : null
  const validity = isSome(archive, lengthPlace + 8) ? bytesAt(archive, lengthPlace + 16) : null
  requireBytes('a bitmap of nulls', validity, Math.ceil(length / 8))
  requireBytes('offsets of text', offsets, 4 * (length + 1))
  requireBytes('values', values, type.kind === 'bool' ? Math.ceil(length / 8) : length * (widthOf(type) ?? 0))
  return { type, length, validity, offsets, values, ends: null }
}

const NOTHING = new Uint8Array(0)

function requireBytes(what: string, bytes: Uint8Array | null, least: number): void {
  if (bytes !== null && bytes.length < least)
    throw fault(`${what} of ${bytes.length} bytes, where ${least} are needed`)
}
