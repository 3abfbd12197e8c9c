import { hash } from 'node:crypto'
import type { Catalog } from '../catalog/open.ts'
import { changesOf, numbersOf, templateOf } from './numbers.ts'

/** A text as a record holds it. */
export interface StoredText {
  /** The shared text of the same template, a row of metrics_texts; null: `text` is whole. */
  readonly base: number | null
  /** What turns the numbers of the shared text into those of this one. */
  readonly text: string
}

/** Shares texts among the records of one transaction and all records before it. */
export interface TextBatch {
  add(text: string): StoredText
  /** Writes how often shared texts are referred to from now on. Call it once, in the same transaction. */
  end(): void
}

/** The texts that records of metrics share. Every call is part of a transaction of the caller. */
export interface Texts {
  batch(): TextBatch
  /** So many references to each text are gone; a text without any is deleted. */
  release(references: ReadonlyMap<number, number>): void
}

/** Characters from which a text is shared: a row of metrics_texts and of its index takes as much. */
const SHARED_FROM = 64

/** Of a SHA-256, to name a template: 16 bytes, so that it takes 2^64 templates until two are equal by chance. */
const DIGEST_HEX_DIGITS = 32

/**
 * Templates that are remembered as seen, and as many again. A text is shared from the second time on that its template comes: an
 * entry in an index of random keys costs more than the text, and queries that all differ would take twice the time to write.
 */
const MOST_SEEN = 5000

interface SharedText {
  readonly id: number
  readonly numbers: readonly string[]
  references: number
}

export function createTexts(catalog: Catalog): Texts {
  const find = catalog.prepare<[Buffer], { id: number; text: string }>(
    'SELECT id, text FROM metrics_texts WHERE template_digest = ?',
  )
  const insert = catalog.prepare<[Buffer, string]>(
    'INSERT INTO metrics_texts (template_digest, reference_count, text) VALUES (?, 0, ?)',
  )
  const count = catalog.prepare<[number, number]>(
    'UPDATE metrics_texts SET reference_count = reference_count + ? WHERE id = ?',
  )
  const removeUnused = catalog.prepare<[number]>(
    'DELETE FROM metrics_texts WHERE id = ? AND reference_count = 0',
  )

  const isNew = createSeen()

  /** The shared text of a template, which `text` becomes when there is none; null when the template is new. */
  function shared(template: string, text: string): SharedText | null {
    const hex = hash('sha256', template, 'hex').slice(0, DIGEST_HEX_DIGITS)
    if (isNew(hex)) return null
    const digest = Buffer.from(hex, 'hex')
    const row = find.get(digest)
    const id = row?.id ?? Number(insert.run(digest, text).lastInsertRowid)
    return { id, numbers: numbersOf(row?.text ?? text), references: 0 }
  }

  return {
    batch() {
      const used = new Map<string, SharedText>()
      return {
        add(text) {
          if (text.length < SHARED_FROM) return { base: null, text }
          const template = templateOf(text)
          const base = used.get(template) ?? shared(template, text)
          if (base === null) return { base, text }
          used.set(template, base)
          const changes = changesOf(base.numbers, numbersOf(text))
          if (changes.length >= text.length) return { base: null, text }
          base.references += 1
          return { base: base.id, text: changes }
        },
        end() {
          for (const { id, references } of used.values()) count.run(references, id)
        },
      }
    },
    release(references) {
      for (const [id, gone] of references) {
        count.run(-gone, id)
        removeUnused.run(id)
      }
    },
  }
}

/** Tells whether a key has not come lately. */
function createSeen(): (key: string) => boolean {
  let keys = new Set<string>()
  let earlierKeys = keys
  return (key) => {
    if (keys.has(key)) return false
    const isNew = !earlierKeys.has(key)
    if (keys.size === MOST_SEEN) {
      earlierKeys = keys
      keys = new Set()
    }
    keys.add(key)
    return isNew
  }
}
