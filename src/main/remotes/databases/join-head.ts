import { freeMemory } from '../../../plan/free-memory.ts'

/**
 * What has come behind the first bytes of a message, with these in front. `head`: those that came before; none: what has come is returned itself. Otherwise
 * it is copied, and its memory is freed.
 */
export function joinHead(head: Buffer, received: Buffer): Buffer {
  if (head.length === 0) return received
  const joined = Buffer.concat([head, received])
  freeMemory(received)
  return joined
}
