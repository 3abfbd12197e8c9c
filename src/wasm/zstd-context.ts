import { constants, createZstdDecompress } from 'node:zlib'
import { isWholeSizedFrame } from './zstd-frame.ts'

/** What Node has below a stream of its zlib. It is not documented, but other programs, such as npm, rely on it. */
interface Handle {
  onerror: (message: string) => void
  writeSync(
    flush: number,
    input: Uint8Array,
    inputAt: number,
    inputLength: number,
    output: Uint8Array,
    outputAt: number,
    outputLength: number,
  ): void
  reset(): void
}

/** Makes memory of at least so many bytes, which may hold anything. */
export type Allocate = (bytes: number) => Uint8Array

/** A stream of Node's zlib that is used again for each piece of data. */
export interface Context {
  readonly handle: Handle
  /** The bytes of output that were not filled, and those of input that were not read. */
  readonly writeState: Uint32Array
  hasFailed: boolean
}

/** The context of this thread. Undefined: not yet made, or the last one has failed. Null: this Node has none. */
let threadContext: Context | null | undefined

/**
 * Inflates Zstandard data to exactly `size` bytes by a context that is kept. `zstdDecompressSync` makes a stream for each call,
 * which takes as long as inflating 20 kB, and the memory that streams count makes V8 collect garbage twice as often. Null: it
 * cannot be done this way; `zstdDecompressSync` then says what is wrong.
 */
export function inflateByContext(stored: Uint8Array, size: number, allocate: Allocate): Uint8Array | null {
  if (ready() === null) return null
  // A byte to spare shows whether the data hold more.
  const output = allocate(size + 1)
  const isExact = inflateInto(stored, output, size + 1) === size
  return isExact ? output.subarray(0, size) : null
}

/**
 * Inflates the beginning of the first frame of Zstandard data into `room`, until that is full. Returns the number of bytes, or null: the frame is
 * damaged or cut off before `room` is full, or other data follow it, or it cannot be done this way.
 */
export function inflateZstdInto(stored: Uint8Array, room: Uint8Array): number | null {
  return inflateInto(stored, room, room.length)
}

function ready(): Context | null {
  if (threadContext === undefined) threadContext = contextOf(createZstdDecompress({ chunkSize: 64 }))
  return threadContext
}

/** The number of bytes that were written. Null: the data are damaged, or were not read to their end although there was room. */
function inflateInto(stored: Uint8Array, output: Uint8Array, length: number): number | null {
  const context = ready()
  if (context === null) return null
  const { handle, writeState } = context
  handle.writeSync(constants.ZSTD_e_end, stored, 0, stored.length, output, 0, length)
  if (context.hasFailed) {
    threadContext = undefined
    return null
  }
  const isRead = writeState[1] === 0
  const isFull = writeState[0] === 0
  // After any other frame the context may expect more of it, or hold memory for its window.
  if (!isRead || isFull || !isWholeSizedFrame(stored)) handle.reset()
  return (isRead || isFull) && !context.hasFailed ? length - (writeState[0] ?? 0) : null
}

/** What is below a stream. Null: this Node has something else there. */
export function contextOf(stream: object): Context | null {
  const handle: unknown = Reflect.get(stream, '_handle')
  const writeState: unknown = Reflect.get(stream, '_writeState')
  if (!isHandle(handle) || !(writeState instanceof Uint32Array) || writeState.length !== 2) return null
  const context: Context = { handle, writeState, hasFailed: false }
  handle.onerror = () => {
    context.hasFailed = true
  }
  return context
}

function isHandle(value: unknown): value is Handle {
  if (typeof value !== 'object' || value === null) return false
  return ['writeSync', 'reset', 'onerror'].every((name) => typeof Reflect.get(value, name) === 'function')
}
