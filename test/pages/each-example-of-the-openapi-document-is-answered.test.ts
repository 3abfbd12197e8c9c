import t from 'tap'
import { operationsOf } from '../../src/main/http/openapi/operations/operations.ts'
import { SUPER_USER, startTestServer } from '../http/test-server.ts'
import { startSampleService } from '../service/sample-service.ts'

interface Example {
  readonly summary?: string
  readonly value: unknown
}

interface Media {
  readonly schema: object
  readonly examples?: Readonly<Record<string, Example>>
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: 'query' | 'path'
    readonly examples?: Readonly<Record<string, Example>>
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
}

interface Document {
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const MAKING_TABLES = '/api/admin/external-tables'

const { address } = await startSampleService(t)
const document = (await (await fetch(`${address}/openapi.json`)).json()) as Document

/** All operations. The last one makes a table, which the examples of others do not have. */
const operations = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  .toSorted((a, b) => Number(a.path === MAKING_TABLES) - Number(b.path === MAKING_TABLES))

t.test('every operation has an id of its own, a tag that is described, and answers', async (t) => {
  const ids = operations.map(({ operation }) => operation.operationId)
  t.equal(new Set(ids).size, operations.length)
  t.same(ids.toSorted(), Object.keys(operationsOf('service')).sort(), 'none is described that no route has')
  t.same(
    document.servers.map(({ url }) => url),
    ['/'],
  )
  for (const { path, operation } of operations)
    t.ok(operation.responses['200'] ?? operation.responses['204'], path)
})

for (const { path, method, operation } of operations)
  t.test(`${method} ${path}`, async (t) => {
    const requests = requestsOf(path, operation)
    t.ok(requests.length > 0)
    const answered = new Set<string>()
    for (const { name, url, body, type: sent } of requests) {
      const answer = await fetch(address + url, {
        method: method.toUpperCase(),
        headers: { ...SUPER_USER, ...(body !== undefined && { 'content-type': sent }) },
        ...(body !== undefined && {
          body: sent === 'application/json' ? JSON.stringify(body) : String(body),
        }),
      })
      const described = operation.responses[answer.status]
      t.ok(described, `${name}: ${answer.status}`)
      const whole = answer.headers.get('content-type') ?? ''
      const [type = ''] = whole.split(';')
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (described?.content === undefined) {
        t.equal(bytes.length, 0, name)
        continue
      }
      const media = described.content[whole] ?? described.content[type]
      t.ok(media, `${name}: ${type}`)
      const example = media?.examples?.[name]
      // Arrow has no text that could be shown.
      if (type.startsWith('application/vnd.apache.arrow.')) continue
      t.ok(example, `${name} has an example answer`)
      answered.add(`${answer.status} ${name}`)
      const given = type === 'application/json' ? JSON.parse(bytes.toString()) : bytes.toString()
      t.ok(isShownBy(given, example?.value), `${name}: ${bytes}`)
    }
    for (const [status, { content = {} }] of Object.entries(operation.responses))
      for (const { examples = {} } of Object.values(content))
        for (const name of Object.keys(examples))
          t.ok(answered.has(`${status} ${name}`), `${status} ${name} was given`)
  })

t.test('where there is no sample, no example asks for it', async (t) => {
  const { url } = await startTestServer(t)
  const text = await (await fetch(`${url}/openapi.json`)).text()
  t.notMatch(text, /observations/)
  const { paths } = JSON.parse(text) as Document
  const content = paths['/api/query']?.['post']?.requestBody?.content['application/json']
  t.same(Object.keys(content?.examples ?? {}), ['formats'], 'what "Try it out" sends runs on any service')
})

interface Request {
  readonly name: string
  readonly url: string
  readonly body?: unknown
  /** The media type of the body. */
  readonly type: string
}

/** The example requests: one for each name of an example. Without parameters and body there is one, the URL itself. */
function requestsOf(path: string, { parameters = [], requestBody }: Operation): Request[] {
  const [[type, { examples: bodies = {} }] = ['', {}]] = Object.entries<Partial<Media>>(
    requestBody?.content ?? {},
  )
  const names = new Set([
    ...Object.keys(bodies),
    ...parameters.flatMap(({ examples = {} }) => Object.keys(examples)),
  ])
  if (names.size === 0) return [{ name: 'plain', url: path, type }]
  return [...names].map((name) => {
    const query = new URLSearchParams()
    let url = path
    for (const parameter of parameters) {
      const value = parameter.examples?.[name]?.value
      if (value === undefined) continue
      if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, String(value))
      else query.set(parameter.name, String(value))
    }
    return { name, url: query.size > 0 ? `${url}?${query}` : url, body: bodies[name]?.value, type }
  })
}

/**
 * Whether a value is as its example shows. An example of JSON may leave out members and last elements. Its numbers and times stand
 * for any.
 */
function isShownBy(given: unknown, example: unknown): boolean {
  if (typeof example === 'number') return typeof given === 'number'
  if (typeof example === 'string')
    return given === example || (typeof given === 'string' && isTime(given) && isTime(example))
  if (Array.isArray(example))
    return Array.isArray(given) && example.every((each, index) => isShownBy(given[index], each))
  if (typeof example !== 'object' || example === null) return given === example
  if (typeof given !== 'object' || given === null) return false
  const members = given as Readonly<Record<string, unknown>>
  return Object.entries(example).every(([key, value]) => isShownBy(members[key], value))
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT/.test(text)
}
