import { crc32, inflateRawSync, zstdDecompressSync } from 'node:zlib'

/** The files of a ZIP archive by their names, in the order of its directory. Throws if a size or checksum is wrong. */
export function readArchive(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.of(0x50, 0x4b, 5, 6))
  const entries = archive.readUInt16LE(end + 10)
  const files = new Map<string, string>()
  let at = archive.readUInt32LE(end + 16)
  for (let index = 0; index < entries; index++) {
    const [method, crc] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 16)]
    const [packedSize, size] = [archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24)]
    const [nameBytes, extraBytes] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30)]
    const header = archive.readUInt32LE(at + 42)
    const name = archive.toString('latin1', at + 46, at + 46 + nameBytes)
    const from = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
    const content = unpacked(method, archive.subarray(from, from + packedSize))
    if (content.length !== size || crc32(content) !== crc) throw new RangeError(`${name} is damaged`)
    files.set(name, content.toString())
    at += 46 + nameBytes + extraBytes
  }
  return files
}

function unpacked(method: number, bytes: Buffer): Buffer {
  if (method === 8) return inflateRawSync(bytes)
  return method === 93 ? zstdDecompressSync(bytes) : bytes
}

/** A spreadsheet of Ocean Data View: its comments, and its rows by the titles of their columns. */
export interface Spreadsheet {
  readonly comments: readonly string[]
  readonly titles: readonly string[]
  readonly rows: readonly Readonly<Record<string, string>>[]
}

/** Reads text whose fields have neither tabs nor line ends in them. */
export function readSpreadsheet(text: string): Spreadsheet {
  const lines = text.split('\n').slice(0, -1)
  const comments = lines.filter((line) => line.startsWith('//'))
  const [titles = [], ...records] = lines.slice(comments.length).map((line) => line.split('\t').map(plain))
  const rows = records.map((fields) => {
    if (fields.length !== titles.length) throw new RangeError(`${fields.length} fields: ${fields.join()}`)
    return Object.fromEntries(titles.map((title, index) => [title, fields[index] ?? '']))
  })
  return { comments, titles, rows }
}

function plain(field: string): string {
  return field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field
}
