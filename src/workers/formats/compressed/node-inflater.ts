import { constants, createGunzip, createZstdDecompress } from 'node:zlib'
import { ServiceError } from '../../../plan/errors.ts'
import { fault } from '../fault.ts'
import { type Context, contextOf } from '../zstd-context.ts'
import type { Inflater, ReadNext } from './inflater.ts'
import { createZstdFrames } from './zstd-frames.ts'

/** How many compressed bytes are read at a time. */
const INPUT_BYTES = 256 << 10

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
  return createNodeInflater(createGunzip({ chunkSize: 64 }), read, {
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
  return createNodeInflater(createZstdDecompress({ chunkSize: 64 }), followed, {
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

/**
 * A stream of Node's zlib below its documented functions, as `zstd-context.ts` uses them: it inflates at once, as much as the target holds,
 * and goes on behind the end of a member.
 */
function createNodeInflater(stream: object, read: ReadNext, behaviour: Behaviour): Inflater {
  const context = requireContext(stream)
  const message = messageOf(context)
  const buffer = new Uint8Array(INPUT_BYTES)
  let input: Input = { bytes: buffer.subarray(0, 0), from: 0, isLast: false }
  let hasEnded = false

  function readMore(): void {
    const count = read(buffer)
    input = { bytes: buffer.subarray(0, count), from: 0, isLast: count === 0 }
  }

  return {
    fill(target) {
      let filled = 0
      while (filled < target.length && !hasEnded) {
        if (input.from === input.bytes.length && !input.isLast) readMore()
        const { bytes, from } = input
        const [given, room] = [bytes.length - from, target.length - filled]
        context.handle.writeSync(behaviour.flushOf(input), bytes, from, given, target, filled, room)
        if (context.hasFailed) throw fault(`its compressed data are damaged (${message()})`)
        const [restRoom = 0, rest = 0] = context.writeState
        filled += room - restRoom
        input = { ...input, from: bytes.length - rest }
        if (restRoom < room || rest < given) continue
        if (input.isLast) {
          hasEnded = true
          behaviour.ended()
        } else {
          behaviour.stalled(input)
          input = { ...input, from: bytes.length }
        }
      }
      return filled
    },
  }
}

function requireContext(stream: object): Context {
  const context = contextOf(stream)
  if (context === null)
    throw new ServiceError('not_supported', 'This version of Node does not inflate files piece by piece.')
  return context
}

/** What zlib says of the failure of a context. */
function messageOf(context: Context): () => string {
  const { onerror } = context.handle
  let text = ''
  context.handle.onerror = (message) => {
    text = message
    onerror(message)
  }
  return () => text
}
