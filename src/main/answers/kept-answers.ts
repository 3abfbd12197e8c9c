import { hash } from 'node:crypto'
import { createLru } from '../../plan/lru.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { isStillTrue } from '../catalog/lookups.ts'
import type { Fingerprint } from '../datasets/fingerprint/fingerprint.ts'
import type { CacheFigures } from '../gauges/cache-figures.ts'
import { join, lengthOf } from '../output/body.ts'
import { type ContentCoding, compress } from './content-coding.ts'
import { answerWeight, type WholeAnswer } from './whole-answer.ts'

/** An LRU cache of whole answers by request and caller. */
export interface KeptAnswers {
  /** The kept answer, if a run begun after this call would give the same. Null: there is none. */
  find(key: string): Promise<WholeAnswer | null>
  /**
   * Keeps an answer whose fingerprint is verifiable. A large one is kept only when its key comes again so soon that the answer
   * would still be here. Returns the kept copy, to be used in place of the answer. Null: it is not kept.
   */
  keep(key: string, answer: WholeAnswer): WholeAnswer | null
  /** Whether a run would give the same answer now. */
  isCurrent(answer: WholeAnswer): Promise<boolean>
  /** The answer under a content coding, if that makes it shorter. It is coded once and kept beside the answer. */
  coded(key: string, answer: WholeAnswer, coding: ContentCoding): Promise<WholeAnswer>
  figures(): CacheFigures
}

/**
 * Larger answers are kept when they come again. Most come once, and would displace others that are used. Their memory would not
 * be freed when they are sent either: V8 marks all of the heap for each 64 MB of buffers that outlive the young generation.
 */
const LARGE_BYTES = 64 << 10

/** Keys of large answers that came once, about 200 bytes each. */
const MAX_SEEN = 4096

export function createKeptAnswers(
  catalog: Catalog,
  maxBytes: number,
  isUnchanged: (fingerprint: Fingerprint) => Promise<boolean>,
): KeptAnswers {
  const answers = createLru<WholeAnswer>(maxBytes, (answer, key) => answerWeight(answer) + 2 * key.length)
  /**
   * The bytes of large answers that came once, by digests of their keys. The last ones together take as much as the cache may: an
   * answer that comes again later than that would have been evicted before it was used.
   */
  const seen = createLru<number>(maxBytes, (bytes) => Math.max(bytes, maxBytes / MAX_SEEN))
  /** Variants that are being coded now. */
  const variants = new Map<string, Promise<WholeAnswer>>()
  let hits = 0
  let misses = 0

  async function isCurrent({ fingerprint, lookedUp }: WholeAnswer): Promise<boolean> {
    // Names are checked last: their meaning may change while the files are checked.
    return (
      fingerprint?.isVerifiable === true &&
      (await isUnchanged(fingerprint)) &&
      isStillTrue(catalog.snapshot(), lookedUp)
    )
  }

  /** Whether the key of a large answer came before. Remembers it. */
  function wasSeen(key: string, bytes: number): boolean {
    const digest = hash('sha256', key)
    if (seen.get(digest) !== undefined) return true
    seen.put(digest, bytes)
    return false
  }

  return {
    isCurrent,
    async find(key) {
      const answer = answers.get(key)
      if (answer !== undefined && (await isCurrent(answer))) {
        hits++
        return answer
      }
      // During the check a newer answer may have been kept under the key.
      if (answer !== undefined && answers.get(key) === answer) answers.remove(key)
      misses++
      return null
    },
    keep(key, answer) {
      if (!answer.fingerprint?.isVerifiable) return null
      const bytes = lengthOf(answer.chunks)
      if (bytes > LARGE_BYTES && !wasSeen(key, bytes)) return null
      const joinedAnswer = { ...answer, chunks: [join(answer.chunks)] }
      answers.put(key, joinedAnswer)
      return answers.get(key) === joinedAnswer ? joinedAnswer : null
    },
    async coded(key, answer, coding) {
      // Answers with the same tag have the same bytes, and so the same variants.
      const variantKey = `${coding} ${answer.tag}\n${key}`
      const cachedVariant = answers.get(variantKey) ?? variants.get(variantKey)
      if (cachedVariant !== undefined) return cachedVariant
      const pendingVariant = compress(join(answer.chunks), coding).then((bytes) =>
        bytes === null
          ? answer
          : { ...answer, chunks: [bytes], tag: `${answer.tag}-${coding}`, coding, isUnshared: false },
      )
      variants.set(variantKey, pendingVariant)
      try {
        const variant = await pendingVariant
        if (answers.get(key) === answer) answers.put(variantKey, variant)
        return variant
      } finally {
        variants.delete(variantKey)
      }
    },
    figures: () => ({
      hits,
      misses,
      evictions: answers.evictions,
      entries: answers.size,
      bytes: answers.weight,
    }),
  }
}
