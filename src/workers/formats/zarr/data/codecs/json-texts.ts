import { productOf } from '../../../../../plan/product-of.ts'
import { fault } from '../../../fault.ts'
import type { Codec } from '../../stored-zarr.ts'
import { withFaults, zarritaCodec } from './zarrita.ts'

/** Texts that `json2` has made, as `vlen-utf8` makes them. Null becomes an empty text. Throws `unreadable_file`. */
export function jsonTexts(codec: Codec, shape: readonly number[]): (stored: Uint8Array) => Uint8Array {
  const libraryCodec = zarritaCodec(codec, 'string', shape)
  const count = productOf(shape)
  return (stored) => {
    const { data } = withFaults(codec.name, () => libraryCodec.decode(stored))
    if (!Array.isArray(data) || data.length !== count)
      throw fault(`its codec ${codec.name} did not give ${count} elements`)
    const parts: Buffer[] = [uint32(count)]
    for (const [element, value] of data.entries()) {
      if (typeof value !== 'string' && value !== null)
        throw fault(`element ${element} of its codec ${codec.name} is no text`)
      const text = Buffer.from(value ?? '')
      parts.push(uint32(text.length), text)
    }
    return Buffer.concat(parts)
  }
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
