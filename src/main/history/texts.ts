import { hash } from 'node:crypto'
import type { SqliteDatabase } from '../sqlite/open-database.ts'
import { changesOf, numbersOf, templateOf } from './numbers.ts'

/** A text as it is stored in a row of query_metrics. */
interface StoredText {
  /** The id of the shared text with the same template, in metrics_texts. Null: `text` is whole. */
  readonly base: number | null
  /** The whole text, or the numbers in which it differs from the shared one (`changesOf`). */
  readonly text: string
}

/** The texts of the rows of one transaction. They are shared with each other and with those of earlier rows. */
export interface TextBatch {
  add(text: string): StoredText
  /** Writes the reference counts of shared texts. To be called once, in the same transaction. */
  end(): void
}

/** The texts that rows of query_metrics share. Every call has to be in a transaction. */
export interface Texts {
  batch(): TextBatch
  /** Subtracts references of deleted rows, by the id of the text. Texts without references are deleted. */
  release(references: ReadonlyMap<number, number>): void
}

/** The fewest characters of a shared text. Below that, a row of metrics_texts and its index entry take more than is saved. */
const MIN_SHARED_CHARACTERS = 64

/** Hex digits of the SHA-256 of a template that name it: 16 bytes, so that it takes 2^64 templates until two are equal by chance. */
const DIGEST_HEX_DIGITS = 32

/**
 * How many templates are remembered as seen, at least. A text is shared when its template comes for the second time: an entry
 * in an index of random keys costs more to write than the text, and queries of which each has a template of its own would take
 * twice the time.
 */
const MAX_SEEN = 5000

interface SharedText {
  readonly id: number
  readonly numbers: readonly string[]
  references: number
}

export function createTexts(database: SqliteDatabase): Texts {
  const find = database.prepare<[Buffer], { id: number; text: string }>(
    'SELECT id, text FROM metrics_texts WHERE template_digest = ?',
  )
  const insert = database.prepare<[Buffer, string]>(
    'INSERT INTO metrics_texts (template_digest, reference_count, text) VALUES (?, 0, ?)',
  )
  const count = database.prepare<[number, number]>(
    'UPDATE metrics_texts SET reference_count = reference_count + ? WHERE id = ?',
  )
  const removeUnused = database.prepare<[number]>(
    'DELETE FROM metrics_texts WHERE id = ? AND reference_count = 0',
  )

  const isNew = createSeen()

  /** The shared text of a template. If there is none, `text` becomes it. Null: the template comes for the first time. */
  function share(template: string, text: string): SharedText | null {
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
          if (text.length < MIN_SHARED_CHARACTERS) return { base: null, text }
          const template = templateOf(text)
          const base = used.get(template) ?? share(template, text)
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

/** Returns a function that decides whether a key is new, and remembers it. At least the last `MAX_SEEN` keys are remembered. */
function createSeen(): (key: string) => boolean {
  let keys = new Set<string>()
  let earlierKeys = keys
  return (key) => {
    if (keys.has(key)) return false
    const isNew = !earlierKeys.has(key)
    if (keys.size === MAX_SEEN) {
      earlierKeys = keys
      keys = new Set()
    }
    keys.add(key)
    return isNew
  }
}
