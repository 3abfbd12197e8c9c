import { freeMemory } from '../../../plan/free-memory.ts'
import { type Chunks, concatenate, type Delivered } from '../body.ts'
import { withIdleLimit } from '../idle-limit.ts'
import type { TempFile } from '../temp/temp-file.ts'
import type { TempFolder } from '../temp/temp-folder.ts'

export interface HoldOptions {
  /** The folder for what is not held in memory. */
  readonly folder: TempFolder
  /** How long chunks are held back, in milliseconds. */
  readonly holdMs: number
  /** How long a file waits for a client that does not read, in milliseconds. */
  readonly idleMs: number
  /** Ends an answer whose client does not read its file. */
  onIdle(): void
}

/** The most bytes of an answer that are held in memory. What comes after them is held in a file. */
const MEMORY_BYTES = 1 << 20

const ELAPSED = Symbol('the time is over')

/**
 * Holds chunks back while an error can still be answered with a status of its own. Resolves when all of them are there, or when
 * `holdMs` is over and there is at least one, or when there is no space for more: then those that are there come first, and the
 * rest as it is made. Rejects with an error before that. `head` comes before the chunks.
 */
export async function holdBack(head: Buffer, chunks: Chunks, options: HoldOptions): Promise<Delivered> {
  const held = createHeld(head, options)
  const elapsed = Promise.withResolvers<typeof ELAPSED>()
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    elapsed.resolve(ELAPSED)
  }, options.holdMs).unref()
  try {
    for (;;) {
      const pending = chunks.next()
      // Awaited later, if the time is over. Until then a rejection must not count as unhandled.
      pending.catch(() => {})
      const next = await (held.hasChunks ? Promise.race([pending, elapsed.promise]) : pending)
      if (next === null) return { ...held.read(), size: held.size }
      if (next === ELAPSED || isOver || !(await held.add(next)))
        return { ...concatenate([held.read(), resume(pending, chunks)]), size: null }
    }
  } catch (error) {
    held.discard()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

interface Held {
  readonly hasChunks: boolean
  /** Bytes of all that is held, the head included. */
  readonly size: number
  /** Takes a chunk over. False: there is no space for it, and it stays the caller's. */
  add(chunk: Buffer): Promise<boolean>
  /** All that is held. To be called at most once. */
  read(): Chunks
  discard(): void
}

function createHeld(head: Buffer, { folder, idleMs, onIdle }: HoldOptions): Held {
  const inMemory = head.length > 0 ? [head] : []
  let memoryBytes = head.length
  let hasChunks = false
  let file: TempFile | null = null

  async function write(chunk: Buffer): Promise<void> {
    file ??= await folder.open()
    await file.write(chunk)
    freeMemory(chunk)
  }

  return {
    get hasChunks() {
      return hasChunks
    },
    get size() {
      return memoryBytes + (file?.size ?? 0)
    },
    async add(chunk) {
      hasChunks = true
      if (file === null && memoryBytes + chunk.length <= MEMORY_BYTES) {
        inMemory.push(chunk)
        memoryBytes += chunk.length
        return true
      }
      return write(chunk).then(
        () => true,
        () => false,
      )
    },
    read() {
      const inFile = file === null ? [] : [withIdleLimit(file.read(), idleMs, onIdle)]
      return concatenate([chunksOf(inMemory), ...inFile])
    },
    discard() {
      void file?.discard()
    },
  }
}

function chunksOf(buffers: Buffer[]): Chunks {
  return {
    next: async () => buffers.shift() ?? null,
    close() {
      buffers.length = 0
    },
  }
}

/** Chunks of which the first has been asked for already. */
function resume(first: Promise<Buffer | null>, rest: Chunks): Chunks {
  let asked: Promise<Buffer | null> | null = first
  return {
    next() {
      const next = asked ?? rest.next()
      asked = null
      return next
    },
    close: rest.close,
  }
}
