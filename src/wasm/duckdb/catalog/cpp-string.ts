import type { Memory } from '../memory.ts'

/** Bytes of libc++'s `std::string` with 32-bit addresses. */
export const CPP_STRING_BYTES = 12

/** The longest text that lies in the string itself. Its length is in the last byte. */
const INLINED_BYTES = 10
/** Set in the last byte if the text lies elsewhere: the string has its address, its length and its capacity. */
const IS_LONG = 0x80

const ENCODER = new TextEncoder()
const DECODER = new TextDecoder()

/** Makes a C++ string at an address. The memory of a long text then belongs to the string. */
export function writeCppString(memory: Memory, address: number, text: string): void {
  const bytes = ENCODER.encode(text)
  if (bytes.length <= INLINED_BYTES) {
    const { u8 } = memory.views()
    u8.fill(0, address, address + CPP_STRING_BYTES)
    u8.set(bytes, address)
    u8[address + CPP_STRING_BYTES - 1] = bytes.length
    return
  }
  const capacity = bytes.length + 1
  const characters = memory.allocate(capacity)
  const { u8, u32 } = memory.views()
  u8.set(bytes, characters)
  u8[characters + bytes.length] = 0
  u32[address / 4] = characters
  u32[address / 4 + 1] = bytes.length
  u32[address / 4 + 2] = capacity
  u8[address + CPP_STRING_BYTES - 1] = (u8[address + CPP_STRING_BYTES - 1] ?? 0) | IS_LONG
}

/** Reads a C++ string. Null: there is none at this address. */
export function readCppString(memory: Memory, address: number): string | null {
  const { u8, u32 } = memory.views()
  const last = u8[address + CPP_STRING_BYTES - 1] ?? 0
  const isLong = (last & IS_LONG) !== 0
  const begin = isLong ? (u32[address / 4] ?? 0) : address
  const length = isLong ? (u32[address / 4 + 1] ?? 0) : last
  if (begin + length > u8.length || (!isLong && length > INLINED_BYTES)) return null
  return DECODER.decode(u8.subarray(begin, begin + length))
}

/** The length of a C++ string in bytes. */
export function cppStringBytes(memory: Memory, address: number): number {
  const { u8, u32 } = memory.views()
  const last = u8[address + CPP_STRING_BYTES - 1] ?? 0
  return (last & IS_LONG) === 0 ? last : (u32[address / 4 + 1] ?? 0)
}

/** Frees what {@link writeCppString} has allocated. */
export function freeCppString(memory: Memory, address: number): void {
  const { u8, u32 } = memory.views()
  if (((u8[address + CPP_STRING_BYTES - 1] ?? 0) & IS_LONG) !== 0) memory.free(u32[address / 4] ?? 0)
}
