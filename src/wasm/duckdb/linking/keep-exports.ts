import { damaged, readModule, SECTION, sectionsOf, sectionWith } from './module-bytes.ts'

/**
 * Removes all exports from a WebAssembly module whose names `keep` refuses. The module is changed in place; the result is the
 * part of `bytes` that it has then. Throws `internal` when the module is not valid.
 */
export function keepExports(bytes: Uint8Array, keep: (name: string) => boolean): Uint8Array {
  const section = sectionWith(sectionsOf(bytes), SECTION.export)
  const read = readModule(bytes, section.begin)
  const countAt = read.at
  const count = read.number()
  const widthOfCount = read.at - countAt
  let retained = 0
  let end = read.at
  for (let i = 0; i < count; i++) {
    const from = read.at
    const name = read.name()
    read.byte()
    read.number()
    if (!keep(name)) continue
    retained++
    bytes.copyWithin(end, from, read.at)
    end += read.at - from
  }
  if (read.at !== section.end) damaged()
  // LEB128 allows leading zeros, so the numbers keep their width and nothing before them has to move.
  write(bytes, countAt, widthOfCount, retained)
  write(bytes, section.sizeAt, section.begin - section.sizeAt, end - section.begin)
  bytes.copyWithin(end, section.end)
  return bytes.subarray(0, bytes.length - (section.end - end))
}

function write(bytes: Uint8Array, at: number, width: number, value: number): void {
  for (let i = 0, rest = value; i < width; i++, rest = Math.floor(rest / 128))
    bytes[at + i] = (rest % 128) | (i < width - 1 ? 0x80 : 0)
}
