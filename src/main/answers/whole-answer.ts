import { createHash, hash } from 'node:crypto'
import { lengthOf } from '../output/body.ts'
import type { RunningQuery } from '../query/run/service.ts'
import type { ContentCoding } from './content-coding.ts'

/** An answer that is in memory from its first byte to its last. */
export interface WholeAnswer extends Omit<RunningQuery, 'body'> {
  /** One after the other. */
  readonly chunks: readonly Buffer[]
  readonly tag: string
  /** What the bytes are under; null: nothing. */
  readonly coding: ContentCoding | null
  /** Nobody but the one who sends it has it: the memory of its bytes may be given back then. */
  readonly isGiven: boolean
}

export function wholeAnswer({ body: _, ...head }: RunningQuery, chunks: readonly Buffer[]): WholeAnswer {
  const tag = (head.tag ?? digest(head, chunks)).slice(0, TAG_LENGTH)
  return { ...head, chunks, tag, coding: null, isGiven: false }
}

function digest(
  { contentType, fileName }: Pick<RunningQuery, 'contentType' | 'fileName'>,
  chunks: readonly Buffer[],
): string {
  const bytes = createHash('sha256')
  for (const chunk of chunks) bytes.update(chunk)
  return hash('sha256', `${contentType} ${fileName} ${bytes.digest('hex')}`, 'base64url')
}

/** Of 6 bits each: as good as the 128 of a UUID. */
const TAG_LENGTH = 22

/** What a version or a place takes in memory beside its path, about: an entry, an object and five integers. */
const LOOK_BYTES = 300

/** What anything takes beside its bytes. */
const ANSWER_BYTES = 2000

/** Bytes that a whole answer takes in memory, about. */
export function answerWeight({ chunks, fingerprint }: WholeAnswer): number {
  let weight = ANSWER_BYTES + lengthOf(chunks)
  for (const [path, location] of fingerprint?.realpaths ?? [])
    weight += LOOK_BYTES + path.length + (location?.length ?? 0)
  for (const path of fingerprint?.versions.keys() ?? []) weight += LOOK_BYTES + path.length
  return weight
}
