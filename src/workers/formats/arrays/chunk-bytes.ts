import { ServiceError } from '../../../plan/errors.ts'
import type { Chunks } from '../../store/chunks.ts'

/** Larger chunks are inflated outside of the core, whose memory never shrinks. */
export const MOST_IN_CORE = 16 << 20

/** Throws `memory_limit` for chunks that have more bytes than are decoded as a whole. */
export function requireChunkBytes(chunkBytes: number, { maxChunkBytes }: Chunks): void {
  if (chunkBytes <= maxChunkBytes) return
  throw new ServiceError(
    'memory_limit',
    `its chunks have ${chunkBytes} bytes, and at most ${maxChunkBytes} are decoded; raise SERVICE_MAX_CHUNK_BYTES`,
  )
}
