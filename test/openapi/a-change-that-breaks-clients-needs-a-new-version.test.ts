import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { OPENAPI_FILE, RELEASED_FILE } from '../../scripts/openapi-file.ts'
import { fc } from '../support/generate.ts'
import { type Document, documentBreaks, mayBreak } from './document-breaks.ts'
import { type Schema, schemaBreaks } from './schema-breaks.ts'

const released = documentIn(RELEASED_FILE)
const current = documentIn(OPENAPI_FILE)

function documentIn(file: string): Document {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'))
}

t.test('the document breaks no client of the version before, or the version has moved', async (t) => {
  const breaks = documentBreaks(released, current)
  const [was, is] = [released.info.version, current.info.version]
  t.ok(
    breaks.length === 0 || mayBreak(was, is),
    `Clients of ${was} break. Take the change back, or move the version in package.json and run node scripts/write-openapi.ts:\n${breaks.join('\n')}`,
  )
})

t.test('a candidate may be broken by any other version, a release only by a next major one', async (t) => {
  t.notOk(mayBreak('2.0.0-rc.5', '2.0.0-rc.5'))
  t.ok(mayBreak('2.0.0-rc.5', '2.0.0-rc.6'))
  t.ok(mayBreak('2.0.0-rc.5', '2.0.0'))
  t.notOk(mayBreak('2.0.0', '2.1.0'))
  t.ok(mayBreak('2.9.0', '3.0.0-rc.1'))
  t.ok(mayBreak('9.0.0', '10.0.0'))
})

const NAMED = {
  Tree: { oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/Branch' }] },
  Branch: { type: 'object', properties: { and: { type: 'array', items: { $ref: '#/Tree' } } } },
}

/** Two schemas, and what breaks if one follows the other where clients make values, and where the service does. */
const CHANGES: readonly (readonly [string, Schema, Schema, string[], string[]])[] = [
  ['a type more', { type: 'string' }, { type: ['string', 'null'] }, [], ['x may be a value of type null']],
  [
    'whole numbers alone',
    { type: 'number' },
    { type: 'integer' },
    ['x takes no longer a value of type number'],
    [],
  ],
  ['a value more', { enum: ['a'] }, { enum: ['a', 'b'] }, [], ['x may be "b"']],
  ['values listed', {}, { enum: ['a', 'b'] }, ['x takes no longer a value that is none of a, b'], []],
  ['a member more', { properties: { a: {} } }, { properties: { a: {}, b: { type: 'string' } } }, [], []],
  ['a member less', { properties: { a: {} } }, { properties: {} }, ['x.a is gone'], ['x.a is gone']],
  [
    'a required member',
    { properties: { a: {} } },
    { properties: { a: {} }, required: ['a'] },
    ['x takes no longer an object without `a`'],
    [],
  ],
  [
    'a closed object',
    { properties: { a: {} } },
    { properties: { a: {} }, additionalProperties: false },
    ['x takes no longer any other member'],
    [],
  ],
  [
    'other members of another type',
    { additionalProperties: { type: 'string' } },
    { additionalProperties: { type: ['string', 'null'] } },
    [],
    ['x.* may be a value of type null'],
  ],
  ['a bound', { minimum: 0 }, { minimum: 1 }, ['x takes no longer a value beyond minimum 1'], []],
  ['a bound less', { maxLength: 9 }, {}, [], ['x may be a value beyond maxLength 9']],
  [
    'another default',
    { type: 'boolean', default: false },
    { type: 'boolean', default: true },
    ['x is by default true and was false'],
    [],
  ],
  [
    'a pattern, which nobody compares with another',
    { pattern: 'a' },
    { pattern: 'a|b' },
    ['x takes no longer a value that is not of pattern "a|b"'],
    ['x may be a value that is not of pattern "a"'],
  ],
  [
    'an alternative more',
    { oneOf: [{ type: 'string' }] },
    { oneOf: [{ type: 'integer' }, { type: 'string' }] },
    [],
    ['x may be a value of type integer'],
  ],
  [
    'types as alternatives',
    { type: ['string', 'null'] },
    { anyOf: [{ type: 'null' }, { type: 'string' }] },
    [],
    [],
  ],
  [
    'elements',
    { items: { type: 'object', properties: { a: {} } } },
    { items: { type: 'object', properties: {} } },
    ['x[].a is gone'],
    ['x[].a is gone'],
  ],
  ['itself, through itself', { $ref: '#/Tree' }, { $ref: '#/Tree' }, [], []],
  ['words', { description: 'a', examples: ['a'] }, { description: 'b' }, [], []],
]

for (const [name, before, after, ofClients, ofService] of CHANGES)
  t.test(`a schema with ${name}`, async (t) => {
    const [a, b] = [before, after].map((schema) => ({ schema, named: NAMED })) as [never, never]
    t.same(schemaBreaks('x', a, b, 'client'), ofClients, 'made by clients')
    t.same(schemaBreaks('x', a, b, 'service'), ofService, 'made by the service')
  })

t.test('of an operation, whatever clients name or send is kept', async (t) => {
  const query = current.paths['/api/query']?.['get']
  if (query === undefined) throw new TypeError('there is no query')
  const breaksOf = (changes: Partial<typeof query>): string[] =>
    documentBreaks(current, {
      ...current,
      paths: {
        ...current.paths,
        '/api/query': { ...current.paths['/api/query'], get: { ...query, ...changes } },
      },
    })
  t.same(breaksOf({}), [])
  t.match(breaksOf({ operationId: 'query' }), [/another id/])
  t.match(breaksOf({ tags: ['system'] }), [/another tag/])
  t.match(breaksOf({ security: [{ 'basic-auth': [] }] }), [/refuses whoever has no credentials/])
  t.match(breaksOf({ parameters: [] }), [/\?q is gone/])
  t.match(
    breaksOf({
      parameters: [...(query.parameters ?? []), { name: 'p', in: 'query', required: true, schema: {} }],
    }),
    [/\?p is required/],
  )
  t.match(breaksOf({ requestBody: { required: true, content: {} } }), [/body is required/])
  const { 200: rows = {}, 400: _, ...others } = query.responses
  t.same(breaksOf({ responses: { 200: rows, ...others } }), [], 'an error less')
  t.match(breaksOf({ responses: others }), [/200 is gone/])
  const { 'application/json': json, ...rest } = rows.content ?? {}
  t.match(breaksOf({ responses: { ...others, 200: { ...rows, content: rest } } }), [
    /is never application\/json/,
  ])
  t.match(breaksOf({ responses: { ...others, 200: { content: rows.content ?? {} } } }), [
    /has no header x-service-query-id/,
    /has no header x-service-notice/,
    /has no header ETag/,
  ])
  t.ok(json)
})

t.test('whatever is removed is noticed, and nothing that is added', async () => {
  const places = [...placesOf(current.paths), ...placesOf(current.components.schemas)]
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.constantFrom('less', 'more'), (place, change) => {
      const changed = structuredClone(current)
      const members = place.reduce<Record<string, unknown>>(
        (object, key) => object[key] as Record<string, unknown>,
        (place[0]?.startsWith('/') ? changed.paths : changed.components.schemas) as Record<string, unknown>,
      )
      if (change === 'more') members['another'] = { type: 'string' }
      else delete members[Object.keys(members)[0] ?? '']
      return documentBreaks(current, changed).length > 0 === (change === 'less')
    }),
  )
})

/** Where objects of properties are that are not empty. */
function placesOf(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return []
  const here = at.at(-1) === 'properties' && Object.keys(value).length > 0 ? [at] : []
  return [
    ...here,
    ...Object.entries(value).flatMap(([key, inner]) =>
      key === 'examples' || key === 'default' ? [] : placesOf(inner, [...at, key]),
    ),
  ]
}
