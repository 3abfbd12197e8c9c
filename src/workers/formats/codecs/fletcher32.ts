import { fault } from '../fault.ts'

const CHECKSUM_BYTES = 4

/** The sums stay below 2^32 over as many words. */
const WORDS_AT_ONCE = 360

/** Filter 3: checks the checksum behind the data, and leaves it out. */
export function checkFletcher32(stored: Uint8Array): Uint8Array {
  const length = stored.length - CHECKSUM_BYTES
  if (length < 0) throw fault('it is too short for its checksum')
  const data = stored.subarray(0, length)
  const expected = new DataView(stored.buffer, stored.byteOffset + length).getUint32(0, true)
  const checksum = fletcher32(data)
  // Libraries before 1.6.3 wrote the bytes of each half in the other order.
  const swapped = (((checksum & 0x00ff00ff) << 8) | ((checksum >>> 8) & 0x00ff00ff)) >>> 0
  if (expected !== checksum && expected !== swapped) throw fault('it has a wrong checksum (fletcher32)')
  return data
}

/** Of words of two bytes, the higher one first. A last single byte is a word's higher one. */
function fletcher32(data: Uint8Array): number {
  let low = 0
  let high = 0
  for (let at = 0; at < data.length; ) {
    const end = Math.min(data.length, at + 2 * WORDS_AT_ONCE)
    for (; at < end; at += 2) {
      low += ((data[at] ?? 0) << 8) | (data[at + 1] ?? 0)
      high += low
    }
    low = (low & 0xffff) + (low >>> 16)
    high = (high & 0xffff) + (high >>> 16)
  }
  low = (low & 0xffff) + (low >>> 16)
  high = (high & 0xffff) + (high >>> 16)
  return ((high << 16) | low) >>> 0
}
