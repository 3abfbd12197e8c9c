import type { FastifyInstance } from 'fastify'
import type { Config } from '../../settings/config.ts'
import { VERSION } from '../../settings/version.ts'
import { createExplorers, EXPLORERS } from '../openapi/explorers.ts'

const HIDDEN = { hide: true } as const

/** Routes of the home page, the OpenAPI document and its explorers (docs/reference/http.md). */
export function addDocumentRoutes(app: FastifyInstance, config: Config): void {
  app.get('/', { schema: HIDDEN }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(homePage(config)),
  )

  app.get('/openapi.json', { schema: HIDDEN }, async (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(app.swagger())),
  )

  const explore = createExplorers(config.basePath, `${config.basePath}/openapi.json`)
  for (const folder of Object.values(EXPLORERS)) {
    app.get(folder, { schema: HIDDEN }, async (_request, reply) =>
      reply.redirect(`${config.basePath}${folder}/`, 303),
    )
    app.get(`${folder}/*`, { schema: HIDDEN }, explore)
  }
}

function homePage({ name, basePath }: Config): string {
  const links = [
    ['/swagger/', 'API explorer: Swagger'],
    ['/scalar/', 'API explorer: Scalar'],
    ['/openapi.json', 'OpenAPI document'],
    ['/api/health', 'Health'],
    ['/api/info', 'Version and configuration'],
  ]
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${name} ${VERSION}</title>
<h1>${name} ${VERSION}</h1>
<ul>
${links.map(([path, label]) => `<li><a href="${basePath}${path}">${label}</a></li>`).join('\n')}
</ul>
</html>
`
}
