import type { TempFile } from '../temp/temp-file.ts'
import type { TempFolder } from '../temp/temp-folder.ts'
import { type ContentPacker, createContentPacker, type ZipContent } from './content-packer.ts'
import {
  centralDirectory,
  localHeader,
  localHeaderBytes,
  type ZipEntry,
  type ZipMethod,
} from './zip-records.ts'

/** An archive whose entries grow at the same time. Writes reject as those of temporary files do. */
export interface ArchiveWriter {
  /** Appends content to an entry. It must not be called again before the last call has ended. */
  append(entry: number, content: ZipContent): Promise<void>
  /** Completes the archive. */
  finish(): Promise<void>
  /** Closes what entries were written to. To be called in any case. */
  close(): Promise<void>
}

/** An entry while it is written. */
interface OpenEntry {
  readonly name: string
  readonly packer: ContentPacker
  /** What its content is written to, behind the local header if it is the archive. */
  readonly file: TempFile
  size: number
  crc: number
  packedSize: number
}

/** Writes to an empty file. The first entry grows in it, and each other one in a file of its own, which is copied in the end. */
export async function createArchive(
  archive: TempFile,
  folder: TempFolder,
  names: readonly string[],
  method: ZipMethod,
): Promise<ArchiveWriter> {
  const entries: OpenEntry[] = []
  async function close(): Promise<void> {
    for (const { file, packer } of entries) {
      packer.close()
      if (file !== archive) await file.discard()
    }
  }
  try {
    for (const name of names) {
      const file = entries.length === 0 ? archive : await folder.open()
      entries.push({ name, packer: createContentPacker(method), file, size: 0, crc: 0, packedSize: 0 })
      if (file === archive) await file.write(Buffer.alloc(localHeaderBytes(name)))
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    async append(index, content) {
      const entry = entries[index]
      if (entry === undefined) throw new RangeError(`entry ${index} of ${entries.length}`)
      entry.crc = combineCrc(entry.crc, content.crc, content.size)
      entry.size += content.size
      await write(entry, await entry.packer.pack(content))
    },
    async finish() {
      const written: ZipEntry[] = []
      for (const entry of entries) {
        await write(entry, await entry.packer.end())
        const { name, size, crc, packedSize, file } = entry
        const at = file === archive ? 0 : archive.size
        const record: ZipEntry = { name, method, crc, size, packedSize, at }
        if (file === archive) await archive.writeAt(localHeader(record), at)
        else {
          await archive.write(localHeader(record))
          await copy(file, archive)
        }
        written.push(record)
      }
      await archive.write(centralDirectory(written, archive.size))
    },
    close,
  }
}

async function write(entry: OpenEntry, chunks: readonly Uint8Array[]): Promise<void> {
  for (const chunk of chunks) {
    await entry.file.write(chunk)
    entry.packedSize += chunk.length
  }
}

/** Appends a file to another one. The first is closed then. */
async function copy(from: TempFile, to: TempFile): Promise<void> {
  const chunks = from.read()
  for (;;) {
    const chunk = await chunks.next()
    if (chunk === null) return
    await to.write(chunk)
  }
}

/** The polynomial of CRC-32 (ISO 3309, as in ZIP), reflected: the highest bit is the coefficient of x^0. */
const POLYNOMIAL = 0xedb88320
const ONE = 0x8000_0000

/**
 * The CRC-32 of two runs of bytes that follow each other, from that of each and the length of the second one. Lengths are whole
 * numbers up to 2^53.
 */
export function combineCrc(first: number, second: number, secondLength: number): number {
  return (multiply(zeros(secondLength), first) ^ second) >>> 0
}

/** x^(8 · length) modulo the polynomial: what as many zero bytes multiply a CRC by. */
function zeros(length: number): number {
  let product = ONE
  // x^8, squared once for each bit of the length.
  let power = ONE >>> 8
  for (let remainingLength = length; remainingLength > 0; remainingLength = Math.floor(remainingLength / 2)) {
    if (remainingLength % 2 === 1) product = multiply(power, product)
    power = multiply(power, power)
  }
  return product
}

/** The product of two polynomials modulo that of the CRC. */
function multiply(a: number, b: number): number {
  let product = 0
  let shifted = b
  for (let bit = ONE; bit > 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL
  }
  return product >>> 0
}
