import { ServiceError } from '../../plan/errors.ts'

const MEMORY_SECTION = 5

/**
 * A copy of a module with a maximum for its only memory, in pages of 64 KiB. Its memory section is replaced (WebAssembly core
 * specification, "Binary Format").
 */
export function withMaximumMemory(wasm: Uint8Array, maximum: number): Uint8Array {
  for (let at = 8; at < wasm.length; ) {
    const id = wasm[at]
    const [size, content] = readLeb(wasm, at + 1)
    if (id === MEMORY_SECTION) {
      // Count 1, limits flag (bit 0: has a maximum), initial, maximum.
      const [initial] = readLeb(wasm, content + 2)
      const memory = [1, 1, ...leb(initial), ...leb(Math.max(initial, maximum))]
      const section = [MEMORY_SECTION, ...leb(memory.length), ...memory]
      return Buffer.concat([wasm.subarray(0, at), Uint8Array.from(section), wasm.subarray(content + size)])
    }
    at = content + size
  }
  throw new ServiceError('internal', 'the WebAssembly module has no memory of its own')
}

function readLeb(bytes: Uint8Array, start: number): [value: number, end: number] {
  let value = 0
  for (let at = start, scale = 1; ; at++, scale *= 128) {
    const byte = bytes[at] ?? 0
    value += (byte & 127) * scale
    if (byte < 128) return [value, at + 1]
  }
}

function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)]
}
