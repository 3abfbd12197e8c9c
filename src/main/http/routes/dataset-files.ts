import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'
import type { Download } from '../../dataset-files/open-download.ts'
import { createBody } from '../../output/body.ts'
import { withIdleLimit } from '../../output/idle-limit.ts'
import { byteRange, mayBeInParts } from '../answers/byte-range.ts'
import { beyond, isMatched } from '../answers/send-answer.ts'
import { parametersOf, requiredParameter } from '../requests/parameters.ts'
import type { Services } from '../services.ts'
import { ADMIN_ROUTE, routeFor } from './route.ts'

const PATH_PARAMETERS = {
  type: 'object',
  required: ['path'],
  properties: { path: { type: 'string', description: 'The path of one file, relative to the dataset root' } },
} as const

/** Routes that give the files of the dataset root and delete them, for the super-user only (docs/reference/http.md). */
export function addDatasetFileRoutes(app: FastifyInstance, { datasetFiles, config }: Services): void {
  app.get(
    '/api/admin/datasets/download',
    routeFor(ADMIN_ROUTE, 'admin', 'downloadDataset', 'The bytes of a file, or a range of them', {
      querystring: PATH_PARAMETERS,
    }),
    async (request, reply) => {
      const path = requiredParameter(
        parametersOf(request),
        'path',
        '/api/admin/datasets/download?path=a.parquet',
      )
      const { method, headers } = request
      const download = await datasetFiles.download(path)
      try {
        const { size } = download
        const tag = `"${download.tag}"`
        reply.header('etag', tag).header('cache-control', 'no-cache').header('vary', 'authorization')
        if (isMatched(headers['if-none-match'], tag)) {
          await download.close()
          return reply.code(304).send()
        }
        const isRange = method === 'GET' && mayBeInParts(headers['if-range'], tag)
        const range = isRange ? byteRange(headers.range, size) : null
        if (range === 'beyond') throw beyond(reply, size)
        const { first, last } = range ?? { first: 0, last: size - 1 }
        reply
          .header('accept-ranges', 'bytes')
          .header('content-type', 'application/octet-stream')
          .header('content-disposition', attachment(path))
          .header('content-length', last + 1 - first)
        if (range !== null) reply.code(206).header('content-range', `bytes ${first}-${last}/${size}`)
        if (method !== 'HEAD') return sendRange(reply, download, first, last, config.cursorIdleSecs * 1000)
        await download.close()
        // Without a body fastify would say that there are no bytes.
        return reply.send(Readable.from([]))
      } catch (error) {
        await download.close()
        throw error
      }
    },
  )

  app.delete(
    '/api/admin/datasets',
    routeFor(ADMIN_ROUTE, 'admin', 'deleteDataset', 'Delete a file', { querystring: PATH_PARAMETERS }),
    async (request, reply) => {
      const path = requiredParameter(parametersOf(request), 'path', '/api/admin/datasets?path=ctd/a.parquet')
      await datasetFiles.remove(path, request.caller)
      return reply.code(204).send()
    },
  )

  app.get(
    '/api/admin/datasets/storage',
    routeFor(
      ADMIN_ROUTE,
      'admin',
      'getStorage',
      'The volume of the dataset root, and how much of it is free',
    ),
    async () => datasetFiles.storage(),
  )
}

/** Sends some bytes of a file. A client that does not read them for `idleMs` is given up. */
function sendRange(
  reply: FastifyReply,
  download: Download,
  first: number,
  last: number,
  idleMs: number,
): FastifyReply {
  const onIdle = (): void =>
    body.fail(new ServiceError('cursor_idle', 'The client did not read the file for too long.'))
  const body = createBody(
    withIdleLimit(download.read(first, last), idleMs, onIdle),
    () => void download.close(),
  )
  return reply.send(body.stream())
}

/** The header by which a browser saves an answer under the last name of a path. */
function attachment(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replaceAll(/["\\\p{Cc}]/gu, '')
  const plain = name.replaceAll(/[^ -~]/g, '_')
  // As RFC 6266 has it for other letters: percent-encoded UTF-8.
  const extended =
    plain === name ? '' : `; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, escapeLetter)}`
  return `attachment; filename="${plain}"${extended}`
}

function escapeLetter(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
}
