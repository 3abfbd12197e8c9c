import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Schema } from '../../../plan/types/schema.ts'
import { type CatalogTable, PUBLIC } from '../../catalog/catalog.ts'
import { visibleTables } from '../../catalog/visible-tables.ts'
import { fieldToJson, schemaToJson } from '../arrow-json.ts'
import { clientSignal } from '../requests/client-signal.ts'
import { namedTable, TABLE_PARAMETERS } from '../requests/named-table.ts'
import type { Services } from '../services.ts'

const CLIENT_ROUTE = { access: 'client' } as const

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

  app.get(
    '/api/tables',
    {
      config: CLIENT_ROUTE,
      schema: {
        operationId: 'listTables',
        tags: ['tables'],
        summary: 'Names of the tables of the default schema',
      },
    },
    async (request, reply) => (await publicTables(request, reply)).map((table) => table.name),
  )

  app.get(
    '/api/tables-with-schema',
    {
      config: CLIENT_ROUTE,
      schema: {
        operationId: 'listTablesWithSchema',
        tags: ['tables'],
        summary: 'Tables of the default schema with their columns',
      },
    },
    async (request, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .send(Readable.from(tablesJson(await publicTables(request, reply)))),
  )

  app.get(
    '/api/catalogs',
    {
      config: CLIENT_ROUTE,
      schema: {
        operationId: 'listCatalogs',
        tags: ['tables'],
        summary: 'Catalogs, their schemas and tables',
      },
    },
    async (request, reply) => {
      const { caller } = request
      const visible = visibleTables(catalog.snapshot(), caller)
      const schemas = schemasOf(await queries.readableOf(visible, caller, clientSignal(reply)))
      return {
        default_catalog: catalog.name,
        default_schema: PUBLIC,
        catalogs: schemas.length > 0 ? [{ name: catalog.name, schemas }] : [],
      }
    },
  )

  app.get(
    '/api/table-schema',
    {
      config: CLIENT_ROUTE,
      schema: {
        operationId: 'getTableSchema',
        tags: ['tables'],
        summary: 'Columns of a table',
        querystring: TABLE_PARAMETERS,
      },
    },
    async (request, reply) =>
      schemaToJson(columnsOf(await namedTable(request, '/api/table-schema', services, clientSignal(reply)))),
  )

  app.get(
    '/api/default-table',
    {
      config: CLIENT_ROUTE,
      schema: {
        operationId: 'getDefaultTable',
        tags: ['tables'],
        summary: 'Name of the table of a query without `from`',
      },
    },
    async (_request, reply) => reply.type('application/json').send(JSON.stringify(catalog.defaultTable)),
  )

  app.get(
    '/api/default-table-schema',
    {
      config: CLIENT_ROUTE,
      schema: {
        operationId: 'getDefaultTableSchema',
        tags: ['tables'],
        summary: 'Columns of the default table',
      },
    },
    async (request, reply) => schemaToJson(columnsOf(await defaultTable(request, reply))),
  )

  app.get(
    '/api/query/available-columns',
    {
      config: CLIENT_ROUTE,
      schema: {
        operationId: 'listAvailableColumns',
        tags: ['query'],
        deprecated: true,
        summary: 'Use /api/default-table-schema',
      },
    },
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

function schemasOf(tables: readonly CatalogTable[]) {
  return [...Map.groupBy(tables, (table) => table.schema)].map(([name, members]) => ({
    name,
    tables: members.map((table) => ({ name: table.name, table_type: table.type })),
  }))
}
