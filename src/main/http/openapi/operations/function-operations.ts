import {
  CLIENT_ERRORS,
  jsonAnswer,
  listOf,
  type Operation,
  plainErrorAnswer,
  TEXT,
  TEXTS,
} from './operation.ts'

const PLAIN = { plain: { summary: 'No parameters' } }

const PARAMETER = {
  type: 'object',
  required: ['name', 'description', 'data_type'],
  properties: { name: TEXT, description: { ...TEXT, description: 'Always empty' }, data_type: TEXT },
}

const FUNCTIONS = listOf({
  type: 'object',
  required: ['function_name', 'description', 'return_type', 'params'],
  properties: {
    function_name: TEXT,
    description: TEXT,
    return_type: { ...TEXT, description: 'The name of a type in Arrow, or one that stands for several' },
    params: listOf(PARAMETER),
  },
})

const ABS = {
  function_name: 'abs',
  return_type: 'Float64',
  params: [{ name: 'x', description: '', data_type: 'Float64' }],
}

/** The operations that list functions. */
export const FUNCTION_OPERATIONS: Readonly<Record<string, Operation>> = {
  listFunctions: {
    requests: PLAIN,
    answers: {
      200: jsonAnswer('The functions by name, with the first signature of each', FUNCTIONS, {
        plain: [ABS],
      }),
      503: plainErrorAnswer('DuckDB, which knows its functions, cannot be started', {}),
    },
  },
  listTableFunctions: {
    requests: PLAIN,
    answers: { 200: jsonAnswer('An empty list', TEXTS, { plain: [] }), ...CLIENT_ERRORS },
  },
}
