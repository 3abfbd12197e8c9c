import type { FastifyInstance, FastifyRequest } from 'fastify'
import { printExtensions } from '../../catalog/extensions/extension.ts'
import type { SetExtensions } from '../../sql/grammar/node.ts'
import { clientSignal } from '../requests/client-signal.ts'
import { jsonBody, jsonObject } from '../requests/json-body.ts'
import { namedTable, TABLE_PARAMETERS } from '../requests/named-table.ts'
import type { Services } from '../services.ts'
import { ADMIN_ROUTE, CLIENT_ROUTE, routeFor } from './route.ts'

const NAME_PARAMETER = {
  type: 'object',
  required: ['table_name'],
  properties: { table_name: { type: 'string', description: 'The name as it is; dots are a part of it' } },
} as const

/** The body for the OpenAPI document. */
const BODY = {
  type: 'object',
  additionalProperties: false,
  properties: {
    mcp: {
      type: ['object', 'null'],
      description: 'How the table is a tool of MCP. Absent: it is none',
      additionalProperties: false,
      properties: {
        enabled: { type: 'boolean', default: false },
        tool_name: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
        title: { type: 'string' },
        description: { type: 'string' },
        exposed_columns: { type: 'array', items: { type: ['string', 'object'] } },
        guardrails: { type: 'object' },
      },
    },
    preset: {
      type: ['object', 'null'],
      description: 'Named filters. Absent: there are none',
      additionalProperties: false,
      required: ['presets'],
      properties: {
        presets: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'filters'],
            properties: {
              name: { type: 'string' },
              description: { type: 'string' },
              filters: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['column', 'op', 'value'],
                  properties: {
                    column: { type: 'string' },
                    op: { enum: ['=', '!=', '<', '<=', '>', '>=', 'between', 'in'] },
                    value: {},
                  },
                },
              },
            },
          },
        },
      },
    },
  },
} as const

const EXAMPLE =
  '{"preset": {"presets": [{"name": "surface", "filters": [{"column": "depth", "op": "<", "value": 10}]}]}}'

/** Routes for what is stored beside the definition of a table (docs/reference/http.md). */
export function addTableExtensionRoutes(app: FastifyInstance, services: Services): void {
  const { statements } = services

  app.get(
    '/api/table-extensions',
    routeFor(CLIENT_ROUTE, 'tables', 'getTableExtensions', 'The extensions of a table or a view', {
      querystring: TABLE_PARAMETERS,
    }),
    async (request, reply) => {
      const signal = clientSignal(reply)
      const { definition } = await namedTable(request, '/api/table-extensions', services, signal)
      return reply.type('application/json').send(printExtensions(definition?.extensions ?? {}))
    },
  )

  app.put(
    '/api/admin/table-extensions/:table_name',
    routeFor(ADMIN_ROUTE, 'admin', 'putTableExtensions', 'Put these in place of the extensions of a table', {
      params: NAME_PARAMETER,
      body: BODY,
    }),
    async (request, reply) => {
      const body = jsonObject(jsonBody(request), `Extensions are a JSON object, such as ${EXAMPLE}`)
      await statements.runCommand(statementFor(request, body), request.caller, clientSignal(reply))
      return reply.send()
    },
  )

  app.delete(
    '/api/admin/table-extensions/:table_name',
    routeFor(ADMIN_ROUTE, 'admin', 'deleteTableExtensions', 'Take all extensions of a table away', {
      params: NAME_PARAMETER,
    }),
    async (request, reply) => {
      await statements.runCommand(statementFor(request, {}), request.caller, clientSignal(reply))
      return reply.send()
    },
  )
}

/** The statement that gives the table of a request these extensions and no others. */
function statementFor({ params }: FastifyRequest, extensions: object): SetExtensions {
  const table = (params as { readonly table_name: string }).table_name
  const name = Object.freeze({ catalog: null, schema: null, name: table })
  return Object.freeze({ kind: 'set_extensions', name, json: JSON.stringify(extensions) })
}
