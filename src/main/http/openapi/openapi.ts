import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { Formats } from '../../../plan/format/create-formats.ts'
import type { Config } from '../../settings/config.ts'
import { VERSION } from '../../settings/version.ts'
import { WHAT_IT_DOES } from '../what-it-does.ts'
import { defaultsInWords } from './defaults-in-words.ts'
import { QUERY_SCHEMAS } from './query-schemas.ts'
import { sourceSchemas } from './source-schemas.ts'

/** How the user of a request is known. None of a token is the super-user. */
const BASIC = { 'basic-auth': [] }
const BEARER = { bearer: [] }
const SCHEMES = { 'basic-auth': { type: 'http', scheme: 'basic' } } as const
const TOKEN_SCHEMES = { ...SCHEMES, bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } as const

const TAGS = [
  { name: 'query', description: 'Run, check and explain queries' },
  { name: 'datasets', description: 'Files that can be queried, and their columns' },
  { name: 'tables', description: 'Named tables' },
  { name: 'functions', description: 'Functions that queries may call' },
  { name: 'system', description: 'The service itself' },
  { name: 'admin', description: 'For the super-user' },
]

/**
 * Collects the OpenAPI document (docs/reference/http.md) from the schemas of the routes that are added after this call. The
 * document is built for its first request.
 */
export async function addOpenApi(app: FastifyInstance, config: Config, formats: Formats): Promise<void> {
  const security = {
    open: [],
    client: [{}, BASIC, ...(config.oidcEnabled ? [BEARER] : [])],
    admin: [BASIC],
  }
  const options: FastifyDynamicSwaggerOptions = {
    openapi: {
      openapi: '3.1.0',
      info: infoOf(config),
      // Relative to where the document was loaded from, whatever proxy is in between.
      servers: [{ url: '/', description: 'This service' }],
      tags: TAGS,
      components: { securitySchemes: config.oidcEnabled ? TOKEN_SCHEMES : SCHEMES },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
    transform: ({ schema, url, route }) => ({
      url,
      schema: {
        ...schema,
        ...(schema.body !== undefined && { body: defaultsInWords(schema.body) }),
        security: security[route.config?.access ?? 'open'],
      },
    }),
  }
  await app.register(swagger, options)
  for (const schema of [...QUERY_SCHEMAS, ...sourceSchemas(formats)]) app.addSchema(defaultsInWords(schema))
}

function infoOf(config: Config) {
  const {
    apiContactName,
    apiContactUrl,
    apiContactEmail,
    apiLicenseName,
    apiLicenseUrl,
    apiLicenseIdentifier,
  } = config
  const contact = given({ name: apiContactName, url: apiContactUrl, email: apiContactEmail })
  return {
    title: config.apiTitle ?? `${config.name} Rest API`,
    version: VERSION,
    description: config.apiDescription || WHAT_IT_DOES,
    ...given({ termsOfService: config.apiTermsOfService }),
    ...(Object.keys(contact).length > 0 && { contact }),
    ...(apiLicenseName !== null && {
      license: { name: apiLicenseName, ...given({ url: apiLicenseUrl, identifier: apiLicenseIdentifier }) },
    }),
  }
}

/** The members that are not null. */
function given(members: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== null),
  )
}
