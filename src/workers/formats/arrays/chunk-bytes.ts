import { ServiceError } from '../../../plan/errors.ts'
import type { Chunks } from '../../store/chunks.ts'

/** Throws `memory_limit` for chunks that have more bytes than are decoded as a whole. */
export function requireChunkBytes(chunkBytes: number, { maxChunkBytes }: Chunks): void {
  if (chunkBytes <= maxChunkBytes) return
  throw new ServiceError(
    'memory_limit',
    `its chunks have ${chunkBytes} bytes, and at most ${maxChunkBytes} are decoded; raise SERVICE_MAX_CHUNK_BYTES`,
  )
}
