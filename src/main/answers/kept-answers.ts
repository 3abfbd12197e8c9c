import { hash } from 'node:crypto'
import { createRecent } from '../../plan/recent.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { isStillTrue } from '../catalog/lookups.ts'
import type { Fingerprint } from '../datasets/fingerprint/fingerprint.ts'
import type { CacheFigures } from '../metrics/cache-figures.ts'
import { joined, lengthOf } from '../output/body.ts'
import { type ContentCoding, coded } from './content-coding.ts'
import { answerWeight, type WholeAnswer } from './whole-answer.ts'

/** Whole answers by request and caller, the longest not asked for given up first. */
export interface KeptAnswers {
  /** An answer that is right at a moment after this call; null: there is none. */
  find(key: string): Promise<WholeAnswer | null>
  /**
   * Keeps an answer, if it can be told later whether it is still right; a large one only if it is asked for again. What it
   * keeps, in place of the answer; null: nothing.
   */
  keep(key: string, answer: WholeAnswer): WholeAnswer | null
  /** Whether a run would give the same now. */
  isRight(answer: WholeAnswer): Promise<boolean>
  /** The answer under a coding, if that makes it shorter. Coded once while it is kept. */
  coded(key: string, answer: WholeAnswer, coding: ContentCoding): Promise<WholeAnswer>
  figures(): CacheFigures
}

/** An answer with more bytes is kept when it is asked for the second time: most are not, and would drive others out. */
const LARGE_BYTES = 64 << 10

/** Questions that are remembered without their answers, about 200 bytes each. */
const ASKED = 4096

export function createKeptAnswers(
  catalog: Catalog,
  mostBytes: number,
  isUnchanged: (fingerprint: Fingerprint) => Promise<boolean>,
): KeptAnswers {
  const answers = createRecent<WholeAnswer>(mostBytes, (answer, key) => answerWeight(answer) + 2 * key.length)
  /** Digests of keys whose answers were not kept the first time. */
  const asked = createRecent<true>(ASKED)
  /** Being coded. */
  const variants = new Map<string, Promise<WholeAnswer>>()
  let hits = 0
  let misses = 0

  async function isRight({ fingerprint, lookedUp }: WholeAnswer): Promise<boolean> {
    // Names come last: what they mean may have changed while files were looked at.
    return (
      fingerprint?.isVerifiable === true && (await isUnchanged(fingerprint)) && isStillTrue(catalog, lookedUp)
    )
  }

  /** Whether it was asked before; from now on it was. */
  function wasAsked(key: string): boolean {
    const name = hash('sha256', key)
    if (asked.get(name) !== undefined) return true
    asked.put(name, true)
    return false
  }

  return {
    isRight,
    async find(key) {
      const answer = answers.get(key)
      if (answer !== undefined && (await isRight(answer))) {
        hits++
        return answer
      }
      // Another one may have taken its place meanwhile.
      if (answer !== undefined && answers.get(key) === answer) answers.remove(key)
      misses++
      return null
    },
    keep(key, answer) {
      if (!answer.fingerprint?.isVerifiable) return null
      if (lengthOf(answer.chunks) > LARGE_BYTES && !wasAsked(key)) return null
      const kept = { ...answer, chunks: [joined(answer.chunks)] }
      answers.put(key, kept)
      return answers.get(key) === kept ? kept : null
    },
    async coded(key, answer, coding) {
      // An answer of the same bytes and name has the same variants, whenever it was made.
      const variantKey = `${coding} ${answer.tag}\n${key}`
      const known = answers.get(variantKey) ?? variants.get(variantKey)
      if (known !== undefined) return known
      const made = coded(joined(answer.chunks), coding).then((bytes) =>
        bytes === null
          ? answer
          : { ...answer, chunks: [bytes], tag: `${answer.tag}-${coding}`, coding, isGiven: false },
      )
      variants.set(variantKey, made)
      try {
        const variant = await made
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
