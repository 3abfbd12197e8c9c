import type { Store } from '../../../store/store.ts'
import type { ArrayFile, Slab, StoredArray } from '../../arrays/array-file.ts'
import type { OpenContext } from '../../provider.ts'

/** The values of small arrays, which describe others. Each throws `unreadable_file`. */
export interface HeaderValues {
  /** Null: there is no such array of at most one dimension and `MOST_VALUES` values, or its values are not of this kind. */
  numbers(name: string): readonly number[] | null
  texts(name: string): readonly string[] | null
  /** The only value of an array. Null: there is no such array. */
  number(name: string): number | null
  /** The number of values of an array, whatever they are. */
  count(name: string): number
}

/** The most values that are read while a file is opened. An array has at most 32 dimensions. */
const MOST_VALUES = 64

export function headerValues(file: ArrayFile, store: Store, context: OpenContext): HeaderValues {
  const byName = new Map(file.arrays.map((array) => [array.name, array]))

  function valuesOf(name: string, isText: boolean): readonly (number | string)[] | null {
    const array = byName.get(name)
    const extent = array?.dimensions.map(({ size }) => size) ?? []
    const count = extent[0] ?? 1
    if (array === undefined || extent.length > 1 || count > MOST_VALUES) return null
    const { kind } = array.element
    if ((kind === 'text' || kind === 'char') !== isText) return null
    const values: (number | string)[] = []
    if (count === 0) return values
    for (const stored of file.slabs(store, array, { origin: extent.map(() => 0), extent }, context)) {
      const slab = outsideCore(stored)
      const from = slab.origin[0] ?? 0
      const elements = slab.extent[0] ?? 1
      for (let element = 0; element < elements; element++)
        if (from + element < count) values[from + element] = valueIn(slab, element, elements, array)
    }
    return values
  }

  const numbers = (name: string): readonly number[] | null => valuesOf(name, false)?.map(Number) ?? null
  return {
    numbers,
    texts: (name) => valuesOf(name, true)?.map(String) ?? null,
    number(name) {
      const values = numbers(name)
      return values?.length === 1 ? (values[0] ?? null) : null
    },
    count: (name) => byName.get(name)?.dimensions.reduce((product, { size }) => product * size, 1) ?? 0,
  }
}

type SlabOutside = Exclude<Slab, { kind: 'inflated' }>

function outsideCore(slab: Slab): SlabOutside {
  if (slab.kind !== 'inflated') return slab
  return { ...slab, kind: 'elements', bytes: new Uint8Array(slab.bytes.copy()) }
}

/** Element `at` of the `count` elements of a slab. */
function valueIn(slab: SlabOutside, at: number, count: number, { element }: StoredArray): number | string {
  const { bytes } = slab
  if (slab.kind === 'texts')
    return Buffer.from(bytes.subarray(slab.offsets[at], slab.offsets[at + 1])).toString()
  if (element.kind === 'text') return Buffer.from(bytes).toString()
  const size = element.kind === 'int' || element.kind === 'float' ? element.bits / 8 : 1
  const littleEndianView = new DataView(new ArrayBuffer(8))
  const { isBigEndian, isShuffled, stride, offset } =
    slab.kind === 'elements' ? slab : { isBigEndian: false, isShuffled: false, stride: 0, offset: 0 }
  for (let byte = 0; byte < size; byte++) {
    const from = isShuffled ? (offset + byte) * count + at : at * stride + offset + byte
    littleEndianView.setUint8(isBigEndian ? size - 1 - byte : byte, bytes[from] ?? 0)
  }
  if (element.kind === 'char') return String.fromCharCode(littleEndianView.getUint8(0))
  if (element.kind === 'float') {
    if (size === 2) return littleEndianView.getFloat16(0, true)
    return size === 4 ? littleEndianView.getFloat32(0, true) : littleEndianView.getFloat64(0, true)
  }
  if (element.kind !== 'int') return littleEndianView.getUint8(0)
  const bits = littleEndianView.getBigUint64(0, true)
  return Number(element.signed ? BigInt.asIntN(element.bits, bits) : bits)
}
