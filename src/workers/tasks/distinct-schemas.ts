import { hash } from 'node:crypto'
import type { DigestedSchema } from '../../plan/task/inspect.ts'
import { sameSchema } from '../../plan/types/same-schema.ts'
import type { Schema } from '../../plan/types/schema.ts'

/** The distinct schemas of files, each once. */
export interface DistinctSchemas {
  /** The index of a schema among all. */
  indexOf(schema: Schema): number
  all(): readonly DigestedSchema[]
}

/**
 * The most schemas that a file's is compared with, the last ones first. Digesting a schema of 250 columns takes some 50 times as long
 * as comparing it with an equal one.
 */
const COMPARED = 4

export function createDistinctSchemas(): DistinctSchemas {
  const all: DigestedSchema[] = []
  const indexes = new Map<string, number>()

  function add(schema: Schema): number {
    const digest = hash('sha256', JSON.stringify(schema), 'base64url')
    const index = indexes.get(digest) ?? all.push({ digest, schema }) - 1
    indexes.set(digest, index)
    return index
  }

  return {
    indexOf(schema) {
      for (let index = all.length - 1; index >= Math.max(0, all.length - COMPARED); index--) {
        const known = all[index]
        if (known !== undefined && sameSchema(known.schema, schema)) return index
      }
      return add(schema)
    },
    all: () => all,
  }
}
