import t from 'tap'
import { startTestServer } from './test-server.ts'

interface Operation {
  readonly tags: readonly string[]
  readonly deprecated?: boolean
  readonly security: readonly object[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> }
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
}

interface Document {
  readonly openapi: string
  readonly info: Record<string, unknown>
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: object; readonly securitySchemes: object }
}

const OPEN = ['/api/functions', '/api/health', '/api/ready']

function securityOf(path: string): readonly object[] {
  if (OPEN.includes(path)) return []
  return path.startsWith('/api/admin/') ? [{ 'basic-auth': [] }] : [{}, { 'basic-auth': [] }]
}

async function documentOf(url: string): Promise<Document> {
  return (await fetch(`${url}/openapi.json`)).json() as Promise<Document>
}

const OPERATIONS = [
  'delete /api/admin/crawlers/{name}',
  'delete /api/admin/datasets',
  'delete /api/admin/datasets/upload',
  'delete /api/admin/table-extensions/{table_name}',
  'get /api/admin/auth/roles',
  'get /api/admin/auth/users',
  'get /api/admin/check',
  'get /api/admin/crawlers',
  'get /api/admin/crawlers/{name}',
  'get /api/admin/crawlers/{name}/runs',
  'get /api/admin/datasets/download',
  'get /api/admin/datasets/storage',
  'get /api/admin/table-config',
  'get /api/admin/table-definition',
  'get /api/catalogs',
  'get /api/dataset-schema',
  'get /api/dataset-structure',
  'get /api/datasets',
  'get /api/default-table',
  'get /api/default-table-schema',
  'get /api/functions',
  'get /api/health',
  'get /api/info',
  'get /api/list-datasets',
  'get /api/query',
  'get /api/query/available-columns',
  'get /api/query/metrics/{query_id}',
  'get /api/ready',
  'get /api/table-extensions',
  'get /api/table-functions',
  'get /api/table-schema',
  'get /api/tables',
  'get /api/tables-with-schema',
  'get /api/total-datasets',
  'post /api/admin/crawlers',
  'post /api/admin/crawlers/{name}/run',
  'post /api/admin/datasets/upload',
  'post /api/admin/datasets/upload/complete',
  'post /api/admin/datasets/upload/initiate',
  'post /api/admin/external-tables',
  'post /api/explain-analyze-query',
  'post /api/explain-query',
  'post /api/parse-query',
  'post /api/query',
  'put /api/admin/datasets/upload/part',
  'put /api/admin/table-extensions/{table_name}',
]

t.test('without the alias and the documentation itself', async (t) => {
  const { url } = await startTestServer(t)
  const { openapi, paths } = await documentOf(url)
  t.equal(openapi, '3.1.0')
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  t.same(operations.sort(), OPERATIONS)
})

t.test('with a tag each, deprecated ones marked, access told', async (t) => {
  const { url } = await startTestServer(t)
  const { paths, components } = await documentOf(url)
  const deprecated: string[] = []
  for (const [path, methods] of Object.entries(paths))
    for (const operation of Object.values(methods)) {
      t.ok(
        ['query', 'datasets', 'tables', 'functions', 'system', 'admin'].includes(operation.tags[0] ?? ''),
        path,
      )
      if (operation.deprecated) deprecated.push(path)
      t.same(operation.security, securityOf(path), path)
    }
  t.same(deprecated.sort(), [
    '/api/admin/table-config',
    '/api/datasets',
    '/api/query/available-columns',
    '/api/table-functions',
  ])
  t.same(components.securitySchemes, { 'basic-auth': { type: 'http', scheme: 'basic' } })
})

t.test('with tokens where there is an issuer', async (t) => {
  const env = {
    SERVICE_OIDC_ENABLED: 'true',
    SERVICE_OIDC_ISSUER: 'https://id.example.org',
    SERVICE_OIDC_JWKS_URL: 'https://id.example.org/certs',
  }
  const { url } = await startTestServer(t, { env })
  const { paths, components } = await documentOf(url)
  for (const [path, methods] of Object.entries(paths))
    for (const { security } of Object.values(methods)) {
      const known = securityOf(path)
      // What anybody may ask, a user of a token may. What is for the super-user, none may.
      t.same(security, known.length > 1 ? [...known, { bearer: [] }] : known, path)
    }
  t.same(components.securitySchemes, {
    'basic-auth': { type: 'http', scheme: 'basic' },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  })
})

t.test('with the query language as components, all references leading somewhere', async (t) => {
  const { url } = await startTestServer(t)
  const document = await documentOf(url)
  t.match(Object.keys(document.components.schemas), ['Query'])
  for (const name of ['Query', 'QueryBody', 'Filter', 'Select', 'OutputFormat'])
    t.ok(name in document.components.schemas, name)
  t.same(document.paths['/api/query']?.['post']?.requestBody?.content['application/json']?.schema, {
    $ref: '#/components/schemas/Query',
  })
  for (const [, name = ''] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) {
    t.match(name, /^#\/components\/schemas\//)
    t.ok(name.slice('#/components/schemas/'.length) in document.components.schemas, name)
  }
})

t.test('with parameters as the handlers take them', async (t) => {
  const { url } = await startTestServer(t)
  const { paths } = await documentOf(url)
  const parametersOf = (path: string) =>
    paths[path]?.['get']?.parameters?.map(({ name, required }) => (required ? `${name}!` : name))
  t.same(parametersOf('/api/list-datasets'), ['pattern', 'offset', 'limit'])
  t.same(parametersOf('/api/dataset-schema'), ['file!'])
  t.same(parametersOf('/api/table-schema'), ['table_name!', 'catalog', 'schema'])
  t.same(parametersOf('/api/query/metrics/{query_id}'), ['query_id!'])
})

t.test('with the title, contact and licence that the settings give', async (t) => {
  const plain = await startTestServer(t)
  t.match((await documentOf(plain.url)).info, { title: 'service Rest API' })
  const env = {
    SERVICE_API_TITLE: 'Ocean',
    SERVICE_API_DESCRIPTION: 'All of it',
    SERVICE_API_CONTACT_EMAIL: 'a@example.org',
    SERVICE_API_LICENSE_NAME: 'Apache 2.0',
    SERVICE_API_LICENSE_IDENTIFIER: 'Apache-2.0',
  }
  const { url } = await startTestServer(t, { env })
  t.match((await documentOf(url)).info, {
    title: 'Ocean',
    description: 'All of it',
    contact: { email: 'a@example.org' },
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
  })
})
