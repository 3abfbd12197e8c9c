import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Formats } from '../../../plan/format/create-formats.ts'
import type { Config } from '../../settings/config.ts'
import { createExplorers, EXPLORERS } from '../openapi/explorers.ts'
import { type AssetName, readAsset } from '../pages/assets.ts'
import { createDocPages, type DocPages } from '../pages/docs.ts'
import { POLICIES } from '../pages/frame.ts'
import { homePage } from '../pages/home.ts'

const HIDDEN = { hide: true } as const

/** Seconds that a browser may use an asset without asking again. */
const ASSET_SECS = 3600

const ASSETS: Readonly<Record<string, AssetName>> = {
  '/favicon.svg': 'favicon.svg',
  // Browsers ask for this name where a page names no icon.
  '/favicon.ico': 'favicon.svg',
  '/assets/pages.css': 'pages.css',
  '/assets/home.js': 'home.js',
}

/** Routes of the pages, and of the explorers of the OpenAPI document (docs/reference/http.md). */
export function addDocumentRoutes(app: FastifyInstance, config: Config, formats: Formats): void {
  const { basePath } = config
  const html = (reply: FastifyReply, text: string) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', POLICIES.own).send(text)

  app.get('/', { schema: HIDDEN }, async (_request, reply) => html(reply, homePage(config, formats)))

  let docs: DocPages | undefined
  app.get<{ Params: { '*': string } }>('/docs/*', { schema: HIDDEN }, async (request, reply) => {
    docs ??= createDocPages(basePath)
    const text = docs(request.params['*'])
    return text === null ? reply.code(404).send() : html(reply, text)
  })

  for (const [path, name] of Object.entries(ASSETS))
    app.get(path, { schema: HIDDEN }, async (_request, reply) => {
      const { type, bytes } = readAsset(name)
      return reply.type(type).header('cache-control', `max-age=${ASSET_SECS}`).send(bytes)
    })

  const explore = createExplorers(basePath, `${basePath}/openapi.json`)
  for (const folder of Object.values(EXPLORERS)) {
    app.get(folder, { schema: HIDDEN }, async (_request, reply) =>
      reply.redirect(`${basePath}${folder}/`, 303),
    )
    app.get(`${folder}/*`, { schema: HIDDEN }, explore)
  }
  app.get('/docs', { schema: HIDDEN }, async (_request, reply) => reply.redirect(`${basePath}/docs/`, 303))
}
