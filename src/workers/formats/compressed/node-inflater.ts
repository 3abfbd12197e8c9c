import { constants, createGunzip, createZstdDecompress } from 'node:zlib'
import { ServiceError } from '../../../plan/errors.ts'
import { MOST_PLAIN_IN_MEMORY } from '../../../plan/limits.ts'
import { type Context, contextOf } from '../../../wasm/zstd-context.ts'
import { fault } from '../fault.ts'
import type { Inflater, ReadNext } from './inflater.ts'
import { createZstdFrames } from './zstd-frames.ts'

/** How many compressed bytes are read at a time. */
const INPUT_BYTES = 64 << 10

/** The state of a stream of Node's zlib: what was read of the data and not inflated yet. */
interface Input {
  /** The bytes, of which those before `from` are inflated. */
  readonly bytes: Uint8Array
  readonly from: number
  /** Whether no bytes come behind them. */
  readonly isLast: boolean
}

/** Inflates gzip, every member of it. Zero bytes behind the last one are padding, as for gzip itself. */
export function createGzipInflater(read: ReadNext): Inflater {
  return createNodeInflater('gzip', read, {
    // Only then does zlib tell that the data end too early.
    flushOf: ({ isLast }) => (isLast ? constants.Z_FINISH : constants.Z_NO_FLUSH),
    stalled({ bytes, from }) {
      if (bytes.subarray(from).some((byte) => byte !== 0))
        throw fault('it has bytes behind its last member that are no member')
    },
    ended: () => {},
  })
}

/** Inflates Zstandard, every frame of it, with windows of at most 128 MiB. */
export function createZstdInflater(read: ReadNext): Inflater {
  const frames = createZstdFrames()
  const followed: ReadNext = (target) => {
    const count = read(target)
    frames.follow(target.subarray(0, count))
    return count
  }
  return createNodeInflater('zstd', followed, {
    flushOf: () => constants.ZSTD_e_continue,
    stalled: () => {
      throw fault('its compressed data are damaged')
    },
    ended() {
      if (!frames.isBetweenFrames()) throw fault('its compressed data end too early')
    },
  })
}

interface Behaviour {
  flushOf(input: Input): number
  /** Called when nothing is read of input that is left. What is left is dropped, unless it throws. */
  stalled(input: Input): void
  /** Called when all is inflated. */
  ended(): void
}

/** A stream of Node's zlib below its documented functions, as `zstd-context.ts` uses them, with a buffer for its input. */
interface Decoder {
  readonly context: Context
  readonly buffer: Uint8Array
  /** What zlib says of a failure. */
  readonly failure: { message: string }
}

const STREAMS = Object.freeze({ gzip: createGunzip, zstd: createZstdDecompress })

/** Decoders that have come to the end of a small file. They are used again: of a small file, making one takes longer than inflating it. */
const free: Readonly<Record<keyof typeof STREAMS, Decoder[]>> = Object.freeze({ gzip: [], zstd: [] })

/** As many files are seldom inflated at once in a thread. */
const MOST_FREE = 2

/** Inflates at once, as much as the target holds, and goes on behind the end of a member. */
function createNodeInflater(kind: keyof typeof STREAMS, read: ReadNext, behaviour: Behaviour): Inflater {
  const { context, buffer, failure } = free[kind].pop() ?? createDecoder(kind)
  let input: Input = { bytes: buffer.subarray(0, 0), from: 0, isLast: false }
  let total = 0
  let hasEnded = false

  function readMore(): void {
    const count = read(buffer)
    input = { bytes: buffer.subarray(0, count), from: 0, isLast: count === 0 }
  }

  function end(): void {
    behaviour.ended()
    hasEnded = true
    context.handle.reset()
    // A large file may have made it take much memory, which it keeps.
    if (total <= MOST_PLAIN_IN_MEMORY && free[kind].length < MOST_FREE)
      free[kind].push({ context, buffer, failure })
  }

  return {
    fill(target) {
      let filled = 0
      while (filled < target.length && !hasEnded) {
        if (input.from === input.bytes.length && !input.isLast) readMore()
        const { bytes, from } = input
        const [given, room] = [bytes.length - from, target.length - filled]
        context.handle.writeSync(behaviour.flushOf(input), bytes, from, given, target, filled, room)
        if (context.hasFailed) throw fault(`its data cannot be decoded (${failure.message})`)
        const [restRoom = 0, rest = 0] = context.writeState
        filled += room - restRoom
        total += room - restRoom
        input = { ...input, from: bytes.length - rest }
        if (restRoom < room || rest < given) continue
        if (input.isLast) {
          end()
        } else {
          behaviour.stalled(input)
          input = { ...input, from: bytes.length }
        }
      }
      return filled
    },
  }
}

function createDecoder(kind: keyof typeof STREAMS): Decoder {
  const context = contextOf(STREAMS[kind]({ chunkSize: 64 }))
  if (context === null)
    throw new ServiceError('not_supported', 'This version of Node does not inflate files piece by piece.')
  const failure = { message: '' }
  const { onerror } = context.handle
  context.handle.onerror = (message) => {
    failure.message = message
    onerror(message)
  }
  return { context, buffer: new Uint8Array(INPUT_BYTES), failure }
}
