import { createHash } from 'node:crypto'
import { createLru } from '../../../plan/lru.ts'

/** A statement is long once it has used a CPU for so many milliseconds. */
export const LONG_MS = 250

/** The statements that were long the last time. They take 100 bytes each. */
const REMEMBERED = 4096

/** Remembers which statements were long, by their texts. */
export interface LongStatements {
  has(sql: string): boolean
  add(sql: string): void
  remove(sql: string): void
}

export function createLongStatements(): LongStatements {
  const long = createLru<true>(REMEMBERED)
  const keyOf = (sql: string): string => createHash('sha1').update(sql).digest('base64')
  return {
    has: (sql) => long.size > 0 && long.get(keyOf(sql)) === true,
    add: (sql) => long.put(keyOf(sql), true),
    remove(sql) {
      if (long.size > 0) long.remove(keyOf(sql))
    },
  }
}
