import type { FastifyInstance, FastifyReply } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import type { Config } from '../../settings/config.ts'
import { createExplorers, EXPLORERS } from '../openapi/explorers.ts'
import { POLICIES } from '../pages/frame.ts'
import { type AssetName, type Pages, readAsset } from '../pages/pages.ts'

const HIDDEN = { hide: true } as const

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
    reply.type('text/html; charset=utf-8').header('content-security-policy', POLICIES.self).send(text)

  // Loaded for the first request, because most services start without being looked at.
  let loadedPages: Promise<Pages> | undefined
  const pages = (): Promise<Pages> => {
    loadedPages ??= import('../pages/pages.ts').then(({ createPages }) => createPages(config, formats))
    return loadedPages
  }

  app.get('/', { schema: HIDDEN }, async (_request, reply) => html(reply, (await pages()).home()))

  app.get<{ Params: { '*': string } }>('/docs/*', { schema: HIDDEN }, async (request, reply) => {
    const path = request.params['*']
    const text = (await pages()).doc(path)
    if (text === null)
      throw new ServiceError(
        'unknown_route',
        `There is no page ${JSON.stringify(path)} in the documentation. ${basePath}/docs/ lists all pages.`,
      )
    return html(reply, text)
  })

  for (const [path, name] of Object.entries(ASSETS))
    app.get(path, { schema: HIDDEN }, async (_request, reply) => {
      const { type, bytes } = readAsset(name)
      // Pages of a new version must not run the script of the one before.
      return reply.type(type).header('cache-control', 'no-cache').send(bytes)
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
