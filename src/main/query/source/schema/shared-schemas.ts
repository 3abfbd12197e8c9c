import { createLru } from '../../../../plan/lru.ts'
import type { Schema } from '../../../../plan/types/schema.ts'

/** Characters of the schemas that are remembered, as JSON. */
const CAPACITY = 1 << 20

/**
 * Gives one object for all equal schemas. Many files have the same schema: what follows from it is then found out once for
 * all of them, and it is held in memory once.
 */
export function createSharedSchemas(): (schema: Schema) => Schema {
  const schemas = createLru<Schema>(CAPACITY, (_, key) => key.length)
  return (schema) => {
    const key = JSON.stringify(schema)
    const shared = schemas.get(key) ?? schema
    schemas.put(key, shared)
    return shared
  }
}
