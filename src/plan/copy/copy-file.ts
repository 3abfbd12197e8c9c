import type { Field } from '../types/schema.ts'

/** Whose rows a file has: `COPY … (FORMAT binary)` of PostgreSQL, or rows of MySQL's binary protocol, with the length of each before it. */
export type CopyForm = 'postgres' | 'mysql'

/**
 * Rows of a database as a file: a head that names their columns, the bytes of the rows as they came, and a foot that says where blocks of
 * rows begin. Head and foot are made here; what lies between is checked by whoever reads it.
 */
export interface CopyHead {
  readonly form: CopyForm
  readonly fields: readonly Field[]
}

/** Rows that are read together. */
export interface CopyBlock {
  /** Where its first row begins, in bytes from the end of the head. */
  readonly offset: number
  /** Where the byte behind its last row is. */
  readonly end: number
  readonly rows: number
  /** The bytes of the values of each column, or about so many. */
  readonly bytes: readonly number[]
}

export interface CopyFoot {
  readonly blocks: readonly CopyBlock[]
}

/** What a file of rows begins with, and ends with. */
export const COPY_MAGIC = 'HCCOPY01'

/** The lengths of the JSON of head and foot have so many bytes, little endian. That of the head is before it, that of the foot behind. */
export const COPY_LENGTH_BYTES = 4

export function copyHead(head: CopyHead): Uint8Array {
  const json = Buffer.from(JSON.stringify(head))
  return Buffer.concat([Buffer.from(COPY_MAGIC), lengthOf(json), json])
}

export function copyFoot(foot: CopyFoot): Uint8Array {
  const json = Buffer.from(JSON.stringify(foot))
  return Buffer.concat([json, lengthOf(json), Buffer.from(COPY_MAGIC)])
}

function lengthOf(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(COPY_LENGTH_BYTES)
  length.writeUInt32LE(bytes.byteLength)
  return length
}
