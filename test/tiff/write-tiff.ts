import { deflateSync, zstdCompressSync } from 'node:zlib'

/** What a written file has. */
export interface TiffOptions {
  readonly isBig?: boolean
  readonly isBigEndian?: boolean
  readonly width: number
  readonly height: number
  /** The bits of each sample, without a sign: by band, and then in C order. */
  readonly samples: readonly (readonly bigint[])[]
  readonly bits: number
  /** 1: unsigned, 2: signed, 3: float. */
  readonly format?: number
  /** Pixels along x and y. Absent: strips. */
  readonly tile?: readonly [number, number] | undefined
  readonly rowsPerStrip?: number
  readonly isSeparate?: boolean
  readonly compression?: number
  readonly predictor?: number
  readonly isBitReversed?: boolean
  /** The tiles that are not written. */
  readonly holes?: ReadonlySet<number>
  /** Whether the last strip has as many rows as the others. */
  readonly isFilledUp?: boolean
  /** Further tags, and those that replace others: numbers are LONG, doubles DOUBLE. */
  readonly tags?: Readonly<Record<number, TagValue>>
}

export type TagValue =
  | { readonly kind: 'short' | 'long' | 'double'; readonly values: readonly number[] }
  | { readonly kind: 'text'; readonly text: string }

/** Writes a TIFF file of one image. The directory comes last. */
export function writeTiff(options: TiffOptions): Buffer {
  const { isBig = false, isBigEndian = false, width, height, samples, bits } = options
  const { format = 1, tile, isSeparate = false, compression = 1, predictor = 1 } = options
  const rowsPerStrip = options.rowsPerStrip ?? height
  // Without compression, and in PackBits, the tag means nothing.
  const done = compression === 1 || compression === 32_773 ? 1 : predictor
  const [tileWidth, tileHeight] = tile ?? [width, rowsPerStrip]
  const parts: Buffer[] = [Buffer.alloc(isBig ? 16 : 8)]
  let end = parts[0]?.length ?? 0
  const add = (bytes: Buffer): number => {
    const place = end
    // Values begin at even places.
    const padded = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)])
    parts.push(padded)
    end += padded.length
    return place
  }
  const [offsets, counts]: [number[], number[]] = [[], []]
  const groups = isSeparate ? samples.map((band) => [band]) : [samples]
  for (const bands of groups)
    for (let y = 0; y < height; y += tileHeight)
      for (let x = 0; x < width; x += tileWidth) {
        if (options.holes?.has(offsets.length)) {
          offsets.push(0)
          counts.push(0)
          continue
        }
        const isShort = tile === undefined && options.isFilledUp !== true
        const rows = isShort ? Math.min(tileHeight, height - y) : tileHeight
        const values: bigint[][] = Array.from({ length: rows }, (_, row) =>
          Array.from({ length: tileWidth * bands.length }, (__, at) => {
            const [column, band] = [x + Math.floor(at / bands.length), at % bands.length]
            const isInside = column < width && y + row < height
            return (isInside && bands[band]?.[(y + row) * width + column]) || 0n
          }),
        )
        const stored = Buffer.concat(
          values.map((row) => encodeRow(row, bands.length, bits, done, isBigEndian)),
        )
        const compressed = compress(stored, compression)
        offsets.push(add(options.isBitReversed ? reversed(compressed) : compressed))
        counts.push(compressed.length)
      }
  const long = (...values: number[]): TagValue => ({ kind: 'long', values })
  const short = (...values: number[]): TagValue => ({ kind: 'short', values })
  const tags: Record<number, TagValue> = {
    256: long(width),
    257: long(height),
    258: short(...samples.map(() => bits)),
    259: short(compression),
    262: short(1),
    277: short(samples.length),
    284: short(isSeparate ? 2 : 1),
    339: short(...samples.map(() => format)),
    ...(options.isBitReversed && { 266: short(2) }),
    ...(predictor !== 1 && { 317: short(predictor) }),
    ...(tile === undefined
      ? { 273: long(...offsets), 278: long(rowsPerStrip), 279: long(...counts) }
      : { 322: long(tileWidth), 323: long(tileHeight), 324: long(...offsets), 325: long(...counts) }),
    ...options.tags,
  }
  const number = (value: number, bytes: number): Buffer => ordered(BigInt(value), bytes, isBigEndian)
  const entries = Object.entries(tags).map(([tag, value]) => {
    const { type, count, bytes } = tagBytes(value, isBigEndian)
    const inline = isBig ? 8 : 4
    const place = bytes.length <= inline ? bytes : number(add(bytes), inline)
    const padding = Buffer.alloc(inline - place.length)
    return Buffer.concat([number(Number(tag), 2), number(type, 2), number(count, inline), place, padding])
  })
  const directory = add(Buffer.concat([number(entries.length, isBig ? 8 : 2), ...entries, Buffer.alloc(8)]))
  const order = Buffer.from(isBigEndian ? 'MM' : 'II')
  const header = isBig
    ? [order, number(43, 2), number(8, 2), number(0, 2), number(directory, 8)]
    : [order, number(42, 2), number(directory, 4)]
  parts[0] = Buffer.concat(header)
  return Buffer.concat(parts)
}

function tagBytes(value: TagValue, isBigEndian: boolean): { type: number; count: number; bytes: Buffer } {
  if (value.kind === 'text') {
    const bytes = Buffer.from(`${value.text}\0`)
    return { type: 2, count: bytes.length, bytes }
  }
  const { kind, values } = value
  const [type, size] = kind === 'short' ? [3, 2] : kind === 'long' ? [4, 4] : [12, 8]
  const bytes = values.map((each) => {
    if (kind !== 'double') return ordered(BigInt(each), size, isBigEndian)
    const double = Buffer.alloc(8)
    if (isBigEndian) double.writeDoubleBE(each)
    else double.writeDoubleLE(each)
    return double
  })
  return { type, count: values.length, bytes: Buffer.concat(bytes) }
}

/** The lowest bytes of a number. */
function ordered(value: bigint, bytes: number, isBigEndian: boolean): Buffer {
  const all = Buffer.alloc(8)
  all.writeBigUInt64LE(BigInt.asUintN(64, value))
  const low = all.subarray(0, bytes)
  return isBigEndian ? Buffer.from(low).reverse() : low
}

function encodeRow(
  row: readonly bigint[],
  samples: number,
  bits: number,
  predictor: number,
  isBigEndian: boolean,
): Buffer {
  const isWhole = [8, 16, 32, 64].includes(bits)
  if (predictor === 3) {
    const bytes = row.map((value) => ordered(value, bits / 8, true))
    const planes = Buffer.from(
      Array.from({ length: bits / 8 }, (_, byte) => bytes.map((each) => each[byte] ?? 0)).flat(),
    )
    for (let at = planes.length - 1; at >= samples; at--)
      planes[at] = ((planes[at] ?? 0) - (planes[at - samples] ?? 0)) & 0xff
    return planes
  }
  const values =
    predictor === 2
      ? row.map((value, at) => BigInt.asUintN(bits, value - (at < samples ? 0n : (row[at - samples] ?? 0n))))
      : row
  if (isWhole) return Buffer.concat(values.map((value) => ordered(value, bits / 8, isBigEndian)))
  // libtiff swaps 24 bits.
  if (bits === 24 && isBigEndian) return Buffer.concat(values.map((value) => ordered(value, 3, false)))
  const stream = values.map((value) => value.toString(2).padStart(bits, '0')).join('')
  const bytes = Math.ceil(stream.length / 8)
  return Buffer.from(
    Array.from({ length: bytes }, (_, byte) =>
      Number.parseInt(stream.slice(8 * byte, 8 * byte + 8).padEnd(8, '0'), 2),
    ),
  )
}

function compress(bytes: Buffer, compression: number): Buffer {
  if (compression === 5) return lzw(bytes)
  if (compression === 8 || compression === 32_946) return deflateSync(bytes)
  if (compression === 50_000) return zstdCompressSync(bytes)
  return compression === 32_773 ? packBits(bytes) : bytes
}

function packBits(bytes: Buffer): Buffer {
  const out: number[] = []
  for (let at = 0; at < bytes.length; ) {
    let run = 1
    while (run < 128 && bytes[at + run] === bytes[at] && at + run < bytes.length) run++
    if (run > 1) out.push(257 - run, bytes[at] ?? 0)
    else out.push(0, bytes[at] ?? 0)
    at += run
  }
  return Buffer.from(out)
}

function lzw(bytes: Buffer): Buffer {
  let [stream, width, next, before] = ['100000000', 9, 258, '']
  const codes = new Map<string, number>()
  const put = (code: number): void => {
    stream += code.toString(2).padStart(width, '0')
  }
  const codeOf = (string: string): number =>
    string.length === 1 ? string.charCodeAt(0) : (codes.get(string) ?? 0)
  for (const byte of bytes) {
    const string = before + String.fromCharCode(byte)
    if (string.length === 1 || codes.has(string)) {
      before = string
      continue
    }
    put(codeOf(before))
    codes.set(string, next++)
    if (next === 1 << width) width++
    if (next === 4095) {
      put(256)
      codes.clear()
      ;[width, next] = [9, 258]
    }
    before = String.fromCharCode(byte)
  }
  if (before !== '') {
    put(codeOf(before))
    if (next + 1 === 1 << width && width < 12) width++
  }
  put(257)
  const count = Math.ceil(stream.length / 8)
  return Buffer.from(
    Array.from({ length: count }, (_, byte) =>
      Number.parseInt(stream.slice(8 * byte, 8 * byte + 8).padEnd(8, '0'), 2),
    ),
  )
}

function reversed(bytes: Buffer): Buffer {
  return Buffer.from(
    bytes.map((byte) => Number.parseInt(byte.toString(2).padStart(8, '0').split('').reverse().join(''), 2)),
  )
}
