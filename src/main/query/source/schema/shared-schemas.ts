import { hash } from 'node:crypto'
import { createLru } from '../../../../plan/lru.ts'
import { memoize } from '../../../../plan/memoize.ts'
import type { Schema } from '../../../../plan/types/schema.ts'

/** The most fields of all schemas that are remembered, and attributes of them. Each takes some 200 bytes. */
const CAPACITY = 1 << 16

/** Gives one object for equal schemas. */
export type SharedSchemas = (digest: string, schema: Schema) => Schema

/** The digest of a schema, as workers make it. */
export const schemaDigest = memoize((schema: Schema) => hash('sha256', JSON.stringify(schema), 'base64url'))

/**
 * Gives one object for all equal schemas, by their digest. Many files have the same schema: what follows from it is then found out once
 * for all of them, and it is held in memory once.
 */
export function createSharedSchemas(): SharedSchemas {
  const schemas = createLru<Schema>(CAPACITY, weightOf)
  return (digest, schema) => {
    const earlierSchema = schemas.get(digest)
    if (earlierSchema !== undefined) return earlierSchema
    schemas.put(digest, schema)
    return schema
  }
}

function weightOf({ fields }: Schema): number {
  return fields.reduce((sum, { metadata }) => sum + 1 + Object.keys(metadata).length, 1)
}
