import { lookup3 } from '../../../src/workers/formats/hdf5/data/structures/checksum.ts'

/** Bytes of a file that say where other bytes are and what they mean. */
export interface Structure {
  readonly at: number
  readonly length: number
  /** Whether its last four bytes are the checksum of the others. */
  readonly isChecked: boolean
}

const SUPERBLOCK = Buffer.from('\x89HDF\r\n\x1a\n', 'latin1')

/** What structures begin with: object headers, indexes of chunks and links, heaps. */
const SIGNATURES =
  'OHDR OCHK TREE SNOD HEAP GCOL BTHD BTIN BTLF FRHP FHIB FHDB FAHD FADB EAHD EAIB EASB EADB SMTB SMLI'.split(
    ' ',
  )

/** The most bytes of a structure that are changed, if it does not say where it ends. */
const UNCHECKED_BYTES = 320

/** The bytes of data between structures that are changed, if there are so many. */
const DATA_BYTES = 160
const LEAST_DATA_BYTES = 64

/** The longest structure whose checksum is looked for. */
const MOST_CHECKED_BYTES = 8192

/** The structures of a sound file. `headers` are the addresses of object headers, which have no signature in the first version. */
export function structuresOf(bytes: Buffer, headers: readonly number[]): readonly Structure[] {
  const superblock = bytes.indexOf(SUPERBLOCK)
  const signed = SIGNATURES.flatMap((signature) => placesOf(bytes, Buffer.from(signature)))
  const places = [...new Set([superblock, ...signed, ...headers])].toSorted((a, b) => a - b)
  const structures = places.map((at, index): Structure => {
    const checked = checkedLength(bytes, at)
    if (checked !== null) return { at, length: checked, isChecked: true }
    const next = places[index + 1] ?? bytes.length
    return { at, length: Math.min(UNCHECKED_BYTES, next - at, bytes.length - at), isChecked: false }
  })
  return [...structures, ...dataBehind(structures, bytes.length)]
}

/** The first bytes of what lies between structures: chunks, whose bytes decoders read as lengths and places. */
function dataBehind(structures: readonly Structure[], end: number): readonly Structure[] {
  return structures.flatMap((structure, index) => {
    const at = structure.at + structure.length
    const length = Math.min(DATA_BYTES, (structures[index + 1]?.at ?? end) - at)
    return length < LEAST_DATA_BYTES ? [] : [{ at, length, isChecked: false }]
  })
}

/** Where a signature stands in a file. */
export function placesOf(bytes: Buffer, signature: Buffer): number[] {
  const places: number[] = []
  for (let at = bytes.indexOf(signature); at >= 0; at = bytes.indexOf(signature, at + 1)) places.push(at)
  return places
}

/** The length of a structure that ends with its checksum. Null: it has none. */
function checkedLength(bytes: Buffer, at: number): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at)
  for (let end = 8; end + 4 <= Math.min(view.byteLength, MOST_CHECKED_BYTES); end++)
    if (view.getUint32(end, true) === lookup3(view, end)) return end + 4
  return null
}

/** Makes the checksum that of the bytes. */
export function sign(bytes: Buffer, { at, length, isChecked }: Structure): void {
  if (!isChecked) return
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, length)
  view.setUint32(length - 4, lookup3(view, length - 4), true)
}
