import { createHash, hash } from 'node:crypto'
import { tableDigests } from '../catalog/lookups.ts'
import { lengthOf } from '../output/body.ts'
import type { RunningQuery } from '../query/run/service.ts'
import type { ContentCoding } from './content-coding.ts'

/** An answer that is in memory as a whole. */
export interface WholeAnswer extends Omit<RunningQuery, 'body' | 'size'> {
  /** Its bytes, in order. */
  readonly chunks: readonly Buffer[]
  /** The entity tag of these bytes, without quotes. */
  readonly tag: string
  /** The content coding of the bytes. Null: none. */
  readonly coding: ContentCoding | null
  /** Only the client that it is sent to has it, so the memory of its bytes may be freed after that. */
  readonly isUnshared: boolean
}

export function wholeAnswer(
  { body: _, size: __, ...head }: RunningQuery,
  chunks: readonly Buffer[],
): WholeAnswer {
  const tag = shortTag(head.tag ?? digest(head, chunks))
  return { ...head, chunks, tag, coding: null, isUnshared: false }
}

/** A digest of the bytes of an answer, and of what its names mean: the same rows by another definition have another tag. */
function digest(
  { contentType, fileName, lookedUp }: Pick<RunningQuery, 'contentType' | 'fileName' | 'lookedUp'>,
  chunks: readonly Buffer[],
): string {
  const bytes = createHash('sha256')
  for (const chunk of chunks) bytes.update(chunk)
  const names = tableDigests(lookedUp)
  const text = `${contentType} ${fileName} ${bytes.digest('hex')}`
  return hash('sha256', names.length === 0 ? text : `${text} ${JSON.stringify(names)}`, 'base64url')
}

/** A tag as it is sent. */
export function shortTag(digest: string): string {
  return digest.slice(0, TAG_LENGTH)
}

/** Characters of 6 bits each: 132 bits, as many as a UUID has. */
const TAG_LENGTH = 22

/** Bytes of a fingerprint's entry in memory besides its paths, about: a map entry, an object and five integers. */
const ENTRY_BYTES = 300

/** Bytes of an answer in memory besides its chunks and its fingerprint, about. */
const ANSWER_BYTES = 2000

/** Bytes that a whole answer takes in memory, about. */
export function answerWeight({ chunks, fingerprint }: WholeAnswer): number {
  let weight = ANSWER_BYTES + lengthOf(chunks)
  for (const [path, location] of fingerprint?.realpaths ?? [])
    weight += ENTRY_BYTES + path.length + (location?.length ?? 0)
  for (const path of fingerprint?.versions.keys() ?? []) weight += ENTRY_BYTES + path.length
  for (const { bytes } of fingerprint?.lists ?? []) weight += bytes
  return weight
}
