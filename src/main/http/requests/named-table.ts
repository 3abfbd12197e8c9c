import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import { attachedFor } from '../../catalog/attached/with-attached.ts'
import { type Catalog, type CatalogTable, PUBLIC } from '../../catalog/catalog.ts'
import { visibleTable } from '../../catalog/visible-tables.ts'
import { attachedNameOf } from '../../sql/gate/attached-name.ts'
import type { WrittenName } from '../../sql/grammar/node.ts'
import type { Services } from '../services.ts'
import { optionalParameter, parametersOf, requiredParameter } from './parameters.ts'

/** The parameters that name a table, for the description of a route. */
export const TABLE_PARAMETERS = {
  type: 'object',
  required: ['table_name'],
  properties: {
    table_name: { type: 'string' },
    catalog: { type: 'string', description: 'Of no effect without `schema`' },
    schema: { type: 'string' },
  },
} as const

/**
 * The table that the parameters name, which are no SQL: a dot is a part of the name. Throws `invalid_parameter`, and
 * `table_not_found` if there is none that the caller may see.
 */
export async function namedTable(
  request: FastifyRequest,
  route: string,
  { catalog, queries }: Pick<Services, 'catalog' | 'queries'>,
  signal: AbortSignal,
): Promise<CatalogTable> {
  const parameters = parametersOf(request)
  const name = requiredParameter(parameters, 'table_name', `${route}?table_name=default`)
  const catalogName = optionalParameter(parameters, 'catalog')
  const schema = optionalParameter(parameters, 'schema')
  const attached =
    schema === null ? null : attachedTable(request, catalog, { catalog: catalogName, schema, name })
  if (attached !== null) return attached
  const isHere =
    schema === null || catalogName === null || foldSqlName(catalogName) === foldSqlName(catalog.name)
  const table = isHere ? visibleTable(catalog.snapshot(), request.caller, name, schema ?? PUBLIC) : null
  const [readable] = table === null ? [] : await queries.readableOf([table], request.caller, signal)
  if (readable !== undefined) return readable
  throw new ServiceError(
    'table_not_found',
    `Table ${isHere ? catalog.name : catalogName}.${schema ?? PUBLIC}.${name} not found`,
  )
}

/** The listed table of an attached catalog, for the super-user. Null: there is none. */
function attachedTable(
  { caller }: FastifyRequest,
  catalog: Catalog,
  written: WrittenName & { readonly schema: string },
): CatalogTable | null {
  const name = attachedNameOf(written, catalog.name, attachedFor(caller, catalog))
  if (name === null || written.catalog === null) return null
  const tables = catalog.attached?.find(written.catalog)?.tables ?? []
  const isListed = tables.some((table) => table.schema === written.schema && table.name === written.name)
  return isListed ? catalog.snapshot().find(caller, name, PUBLIC) : null
}
