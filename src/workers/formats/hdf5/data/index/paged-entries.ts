import type { Structures } from '../structures/structures.ts'
import type { StoredChunk } from './chunk-grid.ts'
import type { EntryForm } from './entry.ts'

export const CHECKSUM_BYTES = 4

/** Pages of entries, which follow each other in the file. Behind the entries of each page is their checksum. */
export interface Pages {
  /** The address of the first page. */
  readonly address: number
  /** Entries of all pages together. */
  readonly entries: number
  /** Entries of a page. The last one may have fewer. */
  readonly perPage: number
  /** A bit for each page, the highest of a byte first: whether anything was written to it. */
  readonly written: DataView
  /** Where in `written` the bits of these pages begin. Bytes. */
  readonly writtenFrom: number
}

/** The entry with a number. */
export function readPaged(
  structures: Structures,
  form: EntryForm,
  { address, entries, perPage, written, writtenFrom }: Pages,
  number: number,
): StoredChunk | null {
  const page = Math.floor(number / perPage)
  const bits = written.getUint8(writtenFrom + (page >>> 3))
  if ((bits & (0x80 >> (page & 7))) === 0) return null
  const inPage = Math.min(perPage, entries - page * perPage)
  const start = address + page * (perPage * form.bytes + CHECKSUM_BYTES)
  const view = structures.readChecked(start, inPage * form.bytes + CHECKSUM_BYTES, '')
  return form.read(view, (number - page * perPage) * form.bytes)
}
