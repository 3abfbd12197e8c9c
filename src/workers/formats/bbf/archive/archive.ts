import { fault } from '../../fault.ts'

/**
 * An archive of rkyv 0.8 (little-endian, aligned, 64-bit pointers), which is read in place. Positions are counted from its beginning, and
 * each is compared with its length before it is used. Errors are `unreadable_file`; callers add the file's name.
 */
export interface Archive {
  readonly bytes: Uint8Array
  readonly view: DataView
  /** How many bytes of texts may still be read. */
  readonly budget: { remainingBytes: number }
}

/** Elements that lie one behind the other. */
export interface Vector {
  readonly at: number
  readonly count: number
}

/**
 * Any number of texts may refer to the same bytes, so that reading them would take memory without bound. Reading stops at this multiple of the
 * archive's bytes, plus `FREE_BYTES`.
 */
const MAX_SHARING = 16
const FREE_BYTES = 1 << 20

/** Structs, and numbers of 64 bits, are aligned to so many bytes. */
export const ALIGNMENT = 8

const TWO_TO_32 = 2 ** 32

export function openArchive(bytes: Uint8Array): Archive {
  return {
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
    budget: { remainingBytes: FREE_BYTES + MAX_SHARING * bytes.length },
  }
}

/** The position of the root, which has the last `size` bytes. */
export function rootOf({ bytes }: Archive, size: number): number {
  const at = bytes.length - size
  if (at < 0 || at % ALIGNMENT !== 0)
    throw fault(`an archive of ${bytes.length} bytes, where its root takes ${size}`)
  return at
}

/** A number of 64 bits. Throws for one that no file has. */
export function numberAt({ view }: Archive, at: number): number {
  const value = view.getUint32(at, true) + TWO_TO_32 * view.getUint32(at + 4, true)
  if (!Number.isSafeInteger(value)) throw fault(`a number of ${value}`)
  return value
}

/** A byte that says which one of `count` variants follows. */
export function tagAt({ view }: Archive, at: number, count: number, what: string): number {
  const tag = view.getUint8(at)
  if (tag >= count) throw fault(`${what} of the unknown kind ${tag}`)
  return tag
}

/** Whether an option has a value. */
export function isSome(archive: Archive, at: number): boolean {
  return tagAt(archive, at, 2, 'an option') === 1
}

/** Where a pointer leads. `base` is the position from which it counts, its own if it is not given. */
function targetOf({ view, bytes }: Archive, at: number, base = at): number {
  const target = base + view.getUint32(at, true) + TWO_TO_32 * view.getInt32(at + 4, true)
  if (!(target >= 0 && target <= bytes.length))
    throw fault(`a pointer to byte ${target} of an archive of ${bytes.length}`)
  return target
}

/** The position of a struct of `size` bytes to which a pointer leads. */
export function boxAt(archive: Archive, at: number, size: number): number {
  const target = targetOf(archive, at)
  if (target % ALIGNMENT !== 0 || size > archive.bytes.length - target)
    throw fault(`a pointer to byte ${target}, where no struct of ${size} bytes can be`)
  return target
}

/** The vector at a position, of elements of `stride` bytes. */
export function vectorAt(archive: Archive, at: number, stride: number): Vector {
  const count = numberAt(archive, at + 8)
  if (count === 0) return { at: 0, count: 0 }
  return elementsAt(archive, targetOf(archive, at), count, stride)
}

function elementsAt({ bytes }: Archive, target: number, count: number, stride: number): Vector {
  if (stride % ALIGNMENT === 0 && target % ALIGNMENT !== 0)
    throw fault(`structs at byte ${target}, which is odd`)
  if (count > (bytes.length - target) / stride)
    throw fault(`${count} elements of ${stride} bytes from byte ${target} of ${bytes.length}`)
  return { at: target, count }
}

/** The bytes of the vector at a position. They are not copied. */
export function bytesAt(archive: Archive, at: number): Uint8Array {
  const vector = vectorAt(archive, at, 1)
  return archive.bytes.subarray(vector.at, vector.at + vector.count)
}

/** The bytes of a map, and of the pairs of its keys and values. */
export const MAP_BYTES = 32
const KEY_BYTES = 16

/** The pairs of a map in their order. The hash table is not looked at. */
export function* pairsAt(
  archive: Archive,
  at: number,
  valueBytes: number,
): Generator<{ readonly key: string; readonly value: number }> {
  const count = numberAt(archive, at + 8)
  if (count === 0) return
  const stride = KEY_BYTES + Math.ceil(valueBytes / ALIGNMENT) * ALIGNMENT
  const pairs = elementsAt(archive, targetOf(archive, at + 24), count, stride)
  const keys = new Set<string>()
  for (let index = 0; index < count; index++) {
    const pair = pairs.at + index * stride
    const key = textAt(archive, pair)
    if (keys.has(key)) throw fault(`the name ${JSON.stringify(key.slice(0, 100))} twice`)
    keys.add(key)
    yield { key, value: pair + KEY_BYTES }
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A text of up to so many bytes lies in its place. */
export const INLINE_BYTES = 16

/** Fills the rest of the place of a short text. No text in UTF-8 has it. */
const PADDING = 0xff

export function textAt(archive: Archive, at: number): string {
  const { bytes, view, budget } = archive
  const place = bytes.subarray(at, at + INLINE_BYTES)
  // The two highest bits of a long text are 10, which no first byte in UTF-8 has.
  if (((place[0] ?? 0) & 0xc0) !== 0x80) {
    const end = place.indexOf(PADDING)
    return decodeName(end < 0 ? place : place.subarray(0, end))
  }
  const [low, high] = [view.getUint32(at, true), view.getUint32(at + 4, true)]
  // The lowest 6 bits of the length, two bits that mark a long text, and the others.
  const length = (low & 0x3f) + 64 * (Math.floor(low / 256) + high * 2 ** 24)
  const target = targetOf(archive, at + 8, at)
  if (length <= INLINE_BYTES || length > bytes.length - target)
    throw fault(`a text of ${length} bytes at byte ${target} of ${bytes.length}`)
  budget.remainingBytes -= length
  if (budget.remainingBytes < 0) throw fault('one text is referred to too often')
  return decodeName(bytes.subarray(target, target + length))
}

function decodeName(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw fault('a name that is not UTF-8', { cause })
  }
}
