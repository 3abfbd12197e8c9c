import type { Formats } from '../../plan/format/create-formats.ts'
import { type CatalogTable, PUBLIC } from './catalog.ts'
import type { Definition } from './definition.ts'
import { sourceOf, withLogin } from './sources/source-of.ts'

/**
 * The table or view of a definition.
 * @param digest That of the stored definition.
 * Throws `not_supported` if its format is not known.
 */
export function tableOf(definition: Definition, digest: string, formats: Formats): CatalogTable {
  const { statement, columns, login } = definition
  const isView = statement.kind === 'create_view'
  return Object.freeze({
    schema: PUBLIC,
    name: statement.name.name,
    type: isView ? 'VIEW' : 'BASE TABLE',
    columns,
    source: isView ? null : withLogin(sourceOf(statement, formats), login),
    query: isView ? statement.query : null,
    definition,
    digest,
  })
}
