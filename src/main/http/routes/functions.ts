import type { FastifyInstance } from 'fastify'
import { arrowTypeName } from '../../../plan/functions/arrow-type-name.ts'
import type { FunctionSignature } from '../../../plan/task/task.ts'
import { clientSignal } from '../requests/client-signal.ts'
import type { Services } from '../services.ts'
import { CLIENT_ROUTE, OPEN_ROUTE, routeFor } from './route.ts'

/** Routes that list functions (docs/reference/http.md). */
export function addFunctionRoutes(app: FastifyInstance, { queries }: Services): void {
  /** The answer for the list for which it was made. */
  let listing: { readonly list: readonly FunctionSignature[]; readonly text: string } | null = null

  app.get(
    '/api/functions',
    routeFor(
      OPEN_ROUTE,
      'functions',
      'listFunctions',
      'Functions that queries may call, with parameters and types',
    ),
    async (_request, reply) => {
      const list = await queries.functions(clientSignal(reply))
      if (listing?.list !== list) listing = { list, text: JSON.stringify(onePerName(list)) }
      return reply.type('application/json; charset=utf-8').send(listing.text)
    },
  )

  app.get(
    '/api/table-functions',
    routeFor(CLIENT_ROUTE, 'functions', 'listTableFunctions', 'Always an empty list', { deprecated: true }),
    async () => [],
  )
}

/** The first signature of each function. */
function onePerName(list: readonly FunctionSignature[]) {
  return list
    .filter(({ name }, index) => list[index - 1]?.name !== name)
    .map(({ name, description, returns, parameters, parameterTypes }) => ({
      function_name: name,
      description,
      return_type: arrowTypeName(returns),
      params: parameters.map((parameter, index) => ({
        name: parameter,
        description: '',
        data_type: arrowTypeName(parameterTypes[index] ?? ''),
      })),
    }))
}
