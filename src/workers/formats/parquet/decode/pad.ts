import { ServiceError } from '../../../../plan/errors.ts'
import { Encoding, type PageHeader, PageType, PhysicalType } from '../metadata/metadata.ts'
import type { Leaf } from '../metadata/schema.ts'
import type { Page } from '../pages/pages.ts'

/** The most padding of a page, in bytes: as much as a unit. Only leaves whose pages begin far from each other need more. */
const MAX_PADDING_BYTES = 64 << 20

/** 1970-01-01 in INT96: nanoseconds of the day, then the Julian day 2 440 588. */
const INT96_EPOCH = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0x8c, 0x3d, 0x25, 0)

/**
 * A V2 data page of `rows` records that are not wanted: nulls at the outermost level, or zeros if the leaf cannot be null. A
 * time in INT96 is that of 1970 then, because its day 0 is beyond the range of most units. Throws `memory_limit`.
 */
export function paddingPage({ element, maxDefinition, maxRepetition }: Leaf, rows: number): Page {
  const repetition = maxRepetition > 0 ? zeroLevels(rows) : []
  const definition = maxDefinition > 0 ? zeroLevels(rows) : []
  const valueBytes =
    maxDefinition > 0 ? 0 : Math.ceil((rows * plainBits(element.type, element.typeLength)) / 8)
  if (valueBytes > MAX_PADDING_BYTES)
    throw new ServiceError(
      'memory_limit',
      `${rows} rows that are not wanted take ${valueBytes} bytes of padding; at most ${MAX_PADDING_BYTES} are made`,
    )
  const body = new Uint8Array(repetition.length + definition.length + valueBytes)
  body.set([...repetition, ...definition])
  if (element.type === PhysicalType.int96)
    for (let at = body.length - valueBytes; at < body.length; at += INT96_EPOCH.length)
      body.set(INT96_EPOCH, at)
  const header: PageHeader = {
    type: PageType.dataV2,
    uncompressedSize: body.length,
    compressedSize: body.length,
    dataPageV2: {
      values: rows,
      nulls: maxDefinition > 0 ? rows : 0,
      rows,
      encoding: Encoding.plain,
      definitionLevelBytes: definition.length,
      repetitionLevelBytes: repetition.length,
      isCompressed: false,
    },
  }
  return { header, body }
}

/** `count` levels of 0 in the RLE/bit-packing hybrid, as one run. Levels have up to 8 bits. */
function zeroLevels(count: number): number[] {
  const bytes: number[] = []
  for (let rest = count * 2; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest, 0]
    bytes.push((rest % 128) | 128)
  }
}

/** The bits of a zero in PLAIN encoding. An empty byte array has only its length. */
function plainBits(physical: number | undefined, typeLength: number | undefined): number {
  switch (physical) {
    case PhysicalType.boolean:
      return 1
    case PhysicalType.int64:
    case PhysicalType.double:
      return 64
    case PhysicalType.int96:
      return 96
    case PhysicalType.fixedLenByteArray:
      return 8 * (typeLength ?? 0)
    default:
      return 32
  }
}
