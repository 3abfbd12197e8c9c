import t from 'tap'
import { createFunctionList } from '../../src/main/query/run/looking/function-list.ts'
import { ServiceError } from '../../src/plan/errors.ts'
import { FUNCTIONS } from '../../src/plan/functions/functions.ts'
import type { FunctionSignature } from '../../src/plan/task/task.ts'
import { startTestService } from '../e2e/service.ts'
import { startTestServer } from './test-server.ts'

interface Listed {
  readonly function_name: string
  readonly description: string
  readonly return_type: string
  readonly params: readonly {
    readonly name: string
    readonly description: string
    readonly data_type: string
  }[]
}

async function listOf(url: string, headers: Record<string, string> = {}): Promise<readonly Listed[]> {
  const response = await fetch(`${url}/api/functions`, { headers })
  const type = response.headers.get('content-type') ?? ''
  if (response.status !== 200 || !type.startsWith('application/json'))
    throw new Error(`${response.status} ${type}`)
  return (await response.json()) as readonly Listed[]
}

const service = await startTestService(t, { settings: { SERVICE_ENABLE_SQL: 'false' } })
const functions = await listOf(service.url)

t.test('one entry for each name, in their order, with texts alone', async (t) => {
  const names = functions.map(({ function_name }) => function_name)
  t.same(names, [...new Set(names)].toSorted())
  for (const entry of functions) {
    t.strictSame(Object.keys(entry), ['function_name', 'description', 'return_type', 'params'])
    const { params, ...texts } = entry
    for (const text of Object.values(texts)) t.type(text, 'string', entry.function_name)
    for (const parameter of params) {
      t.strictSame(Object.keys(parameter), ['name', 'description', 'data_type'])
      t.type(parameter.name, 'string', entry.function_name)
      t.equal(parameter.description, '')
      t.type(parameter.data_type, 'string', entry.function_name)
    }
  }
})

t.test('all of the table, and what DuckDB has besides', async (t) => {
  const byName = new Map(functions.map((entry) => [entry.function_name, entry]))
  for (const [name, { description }] of FUNCTIONS) t.equal(byName.get(name)?.description, description, name)
  for (const name of ['list_transform', 'hash', 'map_keys', 'row_number', 'array_append', 'pi'])
    t.ok(byName.has(name), name)
  t.match(byName.get('abs'), {
    return_type: 'Float64',
    params: [{ name: 'x', description: '', data_type: 'Float64' }],
  })
})

t.test('no function that reads tables, or that no query may call', async (t) => {
  const names = new Set(functions.map(({ function_name }) => function_name))
  for (const name of [
    'read_parquet',
    'read_csv',
    'list_datasets',
    'unnest',
    'current_setting',
    'getenv',
    'nextval',
    'has_table_privilege',
    '_rows',
  ])
    t.notOk(names.has(name), name)
})

t.test('without credentials and with wrong ones', async (t) => {
  const signature: FunctionSignature = {
    name: 'zz',
    kind: 'scalar',
    returns: 'VARCHAR',
    parameters: [],
    parameterTypes: [],
    description: '',
    example: '',
  }
  const { url } = await startTestServer(t, { queries: { functions: async () => [signature] } })
  const authorization = `Basic ${Buffer.from('nobody:wrong').toString('base64')}`
  for (const headers of [{}, { authorization }])
    t.same(await listOf(url, headers), [
      { function_name: 'zz', description: '', return_type: 'Utf8', params: [] },
    ])
})

t.test('DuckDB is asked once, however many ask, and again after an error', async (t) => {
  let asked = 0
  let answer = Promise.withResolvers<readonly FunctionSignature[]>()
  const find = createFunctionList(() => {
    asked++
    return answer.promise
  })
  const { signal } = new AbortController()
  const failing = [find(signal), find(signal)]
  answer.reject(new ServiceError('overloaded', 'no'))
  for (const each of failing) await t.rejects(each, { code: 'overloaded' })
  t.equal(asked, 1)
  answer = Promise.withResolvers()
  const leaving = new AbortController()
  const left = find(leaving.signal)
  const [first, second] = [find(signal), find(signal)]
  leaving.abort(new ServiceError('cancelled', 'left'))
  await t.rejects(left, { code: 'cancelled' })
  answer.resolve([])
  t.equal(await first, await second)
  t.equal(await find(signal), await first)
  t.equal(asked, 2)
})
