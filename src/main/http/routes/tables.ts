import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Schema } from '../../../plan/types/schema.ts'
import { type Catalog, type CatalogTable, PUBLIC } from '../../catalog/catalog.ts'
import { visibleTables } from '../../catalog/visible-tables.ts'
import { fieldToJson, schemaToJson } from '../arrow-json.ts'
import { clientSignal } from '../requests/client-signal.ts'
import { namedTable, TABLE_PARAMETERS } from '../requests/named-table.ts'
import type { Services } from '../services.ts'
import { CLIENT_ROUTE, routeFor } from './route.ts'

/** Routes that list the named tables that the caller may see (docs/reference/http.md). */
export function addTableRoutes(app: FastifyInstance, services: Services): void {
  const { catalog, queries } = services
  const publicTables = async ({ caller }: FastifyRequest, reply: FastifyReply) => {
    const tables = catalog.snapshot().all(caller)
    return queries.readableOf(tables, caller, clientSignal(reply))
  }
  const defaultTable = async ({ caller }: FastifyRequest, reply: FastifyReply) => {
    const table = catalog.snapshot().find(caller, catalog.defaultTable, PUBLIC)
    const [readable = null] =
      table === null ? [] : await queries.readableOf([table], caller, clientSignal(reply))
    return readable
  }

  /** The columns of a table of an attached catalog, which is asked for them. Null: it is none. */
  const attachedColumns = async (
    { name, source, columns }: CatalogTable,
    { caller }: FastifyRequest,
    signal: AbortSignal,
  ) =>
    source?.kind === 'remote' && columns === null
      ? queries.columnsOf({ name, source, declared: null }, caller, signal)
      : null

  app.get(
    '/api/tables',
    routeFor(CLIENT_ROUTE, 'tables', 'listTables', 'Names of the tables of the default schema'),
    async (request, reply) => (await publicTables(request, reply)).map((table) => table.name),
  )

  app.get(
    '/api/tables-with-schema',
    routeFor(
      CLIENT_ROUTE,
      'tables',
      'listTablesWithSchema',
      'Tables of the default schema with their columns',
    ),
    async (request, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .send(Readable.from(tablesJson(await publicTables(request, reply)))),
  )

  app.get(
    '/api/catalogs',
    routeFor(CLIENT_ROUTE, 'tables', 'listCatalogs', 'Catalogs, their schemas and tables'),
    async (request, reply) => {
      const { caller } = request
      const visible = visibleTables(catalog.snapshot(), caller)
      const schemas = schemasOf(await queries.readableOf(visible, caller, clientSignal(reply)))
      return {
        default_catalog: catalog.name,
        default_schema: PUBLIC,
        catalogs: [
          ...(schemas.length > 0 ? [{ name: catalog.name, schemas }] : []),
          ...(caller.isSuperUser ? attachedTrees(catalog) : []),
        ],
      }
    },
  )

  app.get(
    '/api/table-schema',
    routeFor(CLIENT_ROUTE, 'tables', 'getTableSchema', 'Columns of a table', {
      querystring: TABLE_PARAMETERS,
    }),
    async (request, reply) => {
      const signal = clientSignal(reply)
      const table = await namedTable(request, '/api/table-schema', services, signal)
      return schemaToJson((await attachedColumns(table, request, signal)) ?? columnsOf(table))
    },
  )

  app.get(
    '/api/default-table',
    routeFor(CLIENT_ROUTE, 'tables', 'getDefaultTable', 'Name of the table of a query without `from`'),
    async (_request, reply) => reply.type('application/json').send(JSON.stringify(catalog.defaultTable)),
  )

  app.get(
    '/api/default-table-schema',
    routeFor(CLIENT_ROUTE, 'tables', 'getDefaultTableSchema', 'Columns of the default table'),
    async (request, reply) => schemaToJson(columnsOf(await defaultTable(request, reply))),
  )

  app.get(
    '/api/query/available-columns',
    routeFor(CLIENT_ROUTE, 'query', 'listAvailableColumns', 'Use /api/default-table-schema', {
      deprecated: true,
    }),
    async (request, reply) => columnsOf(await defaultTable(request, reply)).fields.map((field) => field.name),
  )
}

/** Tables that are written at a time. Ten thousand of 50 columns have 50 MB of JSON, which takes half a second to write. */
const TABLES_AT_ONCE = 32

/** Tables with their columns as JSON, some at a time, as the client reads them. */
function* tablesJson(tables: readonly CatalogTable[]): Generator<string, void> {
  yield '['
  for (let first = 0; first < tables.length; first += TABLES_AT_ONCE) {
    const some = tables
      .slice(first, first + TABLES_AT_ONCE)
      .map((table) =>
        JSON.stringify({ table_name: table.name, columns: columnsOf(table).fields.map(fieldToJson) }),
      )
    yield (first === 0 ? '' : ',') + some.join(',')
  }
  yield ']'
}

/** The columns of a table that are known without opening a file. */
function columnsOf(table: CatalogTable | null): Schema {
  return table?.columns ?? { fields: [], metadata: {} }
}

/** The attached catalogs, which the super-user alone sees. */
function attachedTrees({ attached }: Pick<Catalog, 'attached'>) {
  return (attached?.list() ?? []).map(({ name, tables }) => ({
    name,
    schemas: schemasOf(
      tables.map(({ schema, name, isView }) => ({ schema, name, type: isView ? 'VIEW' : 'BASE TABLE' })),
    ),
  }))
}

function schemasOf(tables: readonly Pick<CatalogTable, 'schema' | 'name' | 'type'>[]) {
  return [...Map.groupBy(tables, (table) => table.schema)].map(([name, members]) => ({
    name,
    tables: members.map((table) => ({ name: table.name, table_type: table.type })),
  }))
}
