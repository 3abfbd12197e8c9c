/**
 * FlatBuffers (flatbuffers.dev, "Internals"), as far as Arrow's metadata need them: tables are written front to back, parents
 * before children.
 */

/** The value of a slot in a table to be written. An undefined one is left out. */
export type Slot =
  | { readonly size: 1 | 2 | 4 | 8; readonly value: number }
  | { readonly text: string }
  | { readonly table: readonly (Slot | undefined)[] }
  | { readonly tables: readonly (readonly (Slot | undefined)[])[] }

/** A buffer whose root table has these slots, padded to a multiple of 8 bytes. */
export function writeFlatbuffer(root: readonly (Slot | undefined)[]): Uint8Array {
  const buffer = { bytes: Buffer.alloc(1024), end: 4 }
  const at = writeTable(buffer, root)
  buffer.bytes.writeUInt32LE(at, 0)
  return buffer.bytes.subarray(0, align(buffer.end, 8))
}

interface Growing {
  bytes: Buffer
  end: number
}

const encoder = new TextEncoder()

function writeTable(buffer: Growing, slots: readonly (Slot | undefined)[]): number {
  const offsets: number[] = []
  let size = 4
  for (const slot of slots) {
    const width = slot && 'size' in slot ? slot.size : 4
    // Every scalar is aligned to its size, and the table to 8 bytes.
    offsets.push(slot === undefined ? 0 : align(size, width))
    if (slot !== undefined) size = align(size, width) + width
  }
  const head = allocate(buffer, 4 + 2 * slots.length, 2)
  const at = allocate(buffer, size, 8)
  buffer.bytes.writeUInt16LE(4 + 2 * slots.length, head)
  buffer.bytes.writeUInt16LE(size, head + 2)
  for (const [i, offset] of offsets.entries()) buffer.bytes.writeUInt16LE(offset, head + 4 + 2 * i)
  buffer.bytes.writeInt32LE(at - head, at)
  for (const [i, slot] of slots.entries()) {
    const target = at + (offsets[i] ?? 0)
    if (slot === undefined) continue
    if ('size' in slot) {
      if (slot.size === 8) buffer.bytes.writeBigInt64LE(BigInt(slot.value), target)
      else buffer.bytes.writeIntLE(slot.value, target, slot.size)
    } else {
      const child = writeChild(buffer, slot)
      buffer.bytes.writeUInt32LE(child - target, target)
    }
  }
  return at
}

function writeChild(buffer: Growing, slot: Exclude<Slot, { size: number }>): number {
  if ('table' in slot) return writeTable(buffer, slot.table)
  if ('text' in slot) {
    const text = encoder.encode(slot.text)
    const at = allocate(buffer, 4 + text.length + 1, 4)
    buffer.bytes.writeUInt32LE(text.length, at)
    buffer.bytes.set(text, at + 4)
    return at
  }
  const at = allocate(buffer, 4 + 4 * slot.tables.length, 4)
  buffer.bytes.writeUInt32LE(slot.tables.length, at)
  for (const [i, table] of slot.tables.entries()) {
    const target = at + 4 + 4 * i
    const child = writeTable(buffer, table)
    buffer.bytes.writeUInt32LE(child - target, target)
  }
  return at
}

function allocate(buffer: Growing, size: number, alignment: number): number {
  const at = align(buffer.end, alignment)
  // 8 bytes more, for the padding at the end of the buffer.
  if (at + size + 8 > buffer.bytes.length) {
    const grown = Buffer.alloc(Math.max(2 * buffer.bytes.length, at + size + 8))
    grown.set(buffer.bytes)
    buffer.bytes = grown
  }
  buffer.end = at + size
  return at
}

function align(at: number, alignment: number): number {
  return Math.ceil(at / alignment) * alignment
}
