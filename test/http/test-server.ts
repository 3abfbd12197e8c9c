import { EventEmitter, once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { Test } from 'tap'
import { type Answers, createAnswers } from '../../src/main/answers/answers.ts'
import { createAuthenticator } from '../../src/main/auth/authenticate.ts'
import { createCallers } from '../../src/main/auth/callers.ts'
import { createDirectory } from '../../src/main/auth/directory/create-directory.ts'
import type { Directory } from '../../src/main/auth/directory/directory.ts'
import { createHashQueue, type HashQueue } from '../../src/main/auth/passwords/hash-queue.ts'
import { createTokens } from '../../src/main/auth/tokens/create-tokens.ts'
import type { Catalog } from '../../src/main/catalog/catalog.ts'
import { createCatalog } from '../../src/main/catalog/create-catalog.ts'
import {
  type DatasetFileOptions,
  openDatasetFileService,
} from '../../src/main/dataset-files/dataset-files.ts'
import { createSharedChecks } from '../../src/main/datasets/fingerprint/shared-checks.ts'
import { openDatasetRoot } from '../../src/main/datasets/root.ts'
import { type Body, createBody } from '../../src/main/output/body.ts'
import type { QueryService, RunningQuery } from '../../src/main/query/run/service.ts'
import { createRemotes } from '../../src/main/remotes/remotes.ts'
import { createSecrets } from '../../src/main/secrets/create-secrets.ts'
import { createServer, prepareServer } from '../../src/main/server.ts'
import { readConfig } from '../../src/main/settings/config.ts'
import { createNamesIn } from '../../src/main/sql/gate/names-in.ts'
import { createNameOrder } from '../../src/main/statements/name-order.ts'
import { createStatementService, type StatementService } from '../../src/main/statements/statement-service.ts'
import { ServiceError } from '../../src/plan/errors.ts'
import type { Formats } from '../../src/plan/format/create-formats.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { attachedInMemory } from '../attach/in-memory.ts'
import { NO_LOOKUPS } from '../catalog/no-lookups.ts'
import { EMPTY_DIRECTORY } from '../support/empty-directory.ts'
import { inMemoryCrawlers, NO_STATISTICS } from '../support/no-crawlers.ts'

export const SUPER_USER = { authorization: basic('service-admin', 'service-password') }

export const QUERY_ID = '6f0c3f5e-8f0a-4c4f-9a0e-0f6d7a0b7c11'

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

export interface TestServer {
  readonly url: string
  readonly root: string
  readonly app: FastifyInstance
  /** The signals of the clients of the first so many queries, once those run or wait for one that does. */
  asked(queries: number): Promise<readonly AbortSignal[]>
}

export interface TestServerOptions {
  readonly env?: Record<string, string>
  /** Content by path below the dataset root. */
  readonly files?: Record<string, string>
  readonly queries?: Partial<QueryService>
  readonly statements?: Partial<StatementService>
  readonly formats?: Formats
  readonly notReady?: string
  /** Absent: one in which there is the placeholder alone. */
  readonly catalog?: Catalog
  /** Absent: nobody has made any user. */
  readonly directory?: Directory
  readonly hashes?: HashQueue
  readonly datasetFiles?: Partial<DatasetFileOptions>
}

/** The real server on a free port, over a folder of its own and a fake query side. Gone when the test ends. */
export async function startTestServer(t: Test, options: TestServerOptions = {}): Promise<TestServer> {
  const root = await mkdtemp(join(tmpdir(), 'halocline-http-'))
  for (const [path, content] of Object.entries(options.files ?? {})) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  const { config } = readConfig({ SERVICE_DATASETS_DIR: root, ...options.env })
  const { formats = FORMATS } = options
  const namesIn = createNamesIn({ formats, catalog: config.name })
  const catalog = options.catalog ?? createCatalog({ ...config, formats, namesIn })
  const queries = { ...refusing, ...options.queries }
  const { directory = createDirectory(EMPTY_DIRECTORY), hashes = createHashQueue() } = options
  const crawlers = inMemoryCrawlers()
  const statements = createStatementService({
    crawlers,
    fileStatistics: NO_STATISTICS,
    order: createNameOrder(),
    config,
    catalog,
    directory,
    hashes,
    attached: attachedInMemory(),
    remotes: createRemotes({ remoteHosts: [] }),
    secrets: createSecrets({ keys: [], commit: async () => undefined }),
    logins: createSecrets({ keys: [], commit: async () => undefined }),
    formats,
    queries,
    metrics: { record: async () => {} },
    log: pino({ level: 'silent' }),
  })
  const staging = join(await realpath(root), `__${config.name}__`)
  const datasets = await openDatasetRoot(root, { hidden: [staging] })
  const datasetFiles = await openDatasetFileService({
    ...config,
    tmpDir: root,
    // What other tests leave of the disk is no matter of these.
    minFreeBytes: 0,
    root: datasets,
    catalog,
    store: { owner: '0123abcd', begun: [], commit: async () => {} },
    log: pino({ level: 'silent' }),
    ...options.datasetFiles,
  })
  const { answers, asked } = noting(
    createAnswers(queries, catalog, config.cacheBytes, createSharedChecks(datasets.files)),
  )
  const logger = pino({ level: 'silent' })
  const callers = createCallers(directory, config)
  const tokens = config.oidcEnabled ? createTokens({ ...config, callers, directory, log: logger }) : undefined
  const app = await createServer(await prepareServer({ config, logger, formats }), {
    config,
    logger,
    authenticator: createAuthenticator({
      ...config,
      callers,
      directory,
      hashes,
      tokens,
    }),
    directory,
    catalog,
    datasets,
    datasetFiles,
    formats,
    queries,
    answers,
    statements: { ...statements, ...options.statements },
    crawlers,
    gauges: {
      caches: () => ({ ...answers.figures() }),
      notReady: () => options.notReady ?? null,
      memory: async () => null,
    },
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    app.server.closeAllConnections()
    await app.close()
    await datasetFiles.close()
    tokens?.close()
    await rm(root, { recursive: true })
  })
  return { url, root, app, asked }
}

/** The answers, and the clients that ask them for one. */
function noting(answers: Answers): { answers: Answers; asked: TestServer['asked'] } {
  const clients: AbortSignal[] = []
  const events = new EventEmitter()
  return {
    answers: {
      ...answers,
      run(key, query, caller, client, holdMs) {
        const answer = answers.run(key, query, caller, client, holdMs)
        clients.push(client)
        events.emit('asked')
        return answer
      },
    },
    async asked(queries) {
      while (clients.length < queries) await once(events, 'asked')
      return clients.slice(0, queries)
    },
  }
}

/** A query that answers with these chunks. */
export function answering(...chunks: string[]): Pick<QueryService, 'run'> {
  return { run: async () => runningQuery(Readable.from(chunks.map((chunk) => Buffer.from(chunk)))) }
}

export function runningQuery(body: Readable): RunningQuery {
  return {
    id: QUERY_ID,
    contentType: 'application/vnd.apache.arrow.stream',
    fileName: null,
    size: null,
    body: bodyOf(body),
    fingerprint: null,
    lookedUp: NO_LOOKUPS,
    notice: null,
    tag: null,
  }
}

function bodyOf(stream: Readable): Body {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]()
  const next = async (): Promise<Buffer | null> => {
    const { done, value } = await chunks.next()
    return done ? null : value
  }
  return createBody({ next, close: () => stream.destroy() }, () => {})
}

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** For what `fetch` cannot send: any method, no content type, half a body. */
export async function send(
  url: string,
  options: RequestOptions,
  body = '',
): Promise<{ message: IncomingMessage; text: string }> {
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end(body)
  })
  return { message, text: Buffer.concat(await message.toArray()).toString() }
}

const refuse = async (): Promise<never> => {
  throw new ServiceError('not_supported', 'the fake runs nothing')
}

const refusing: QueryService = {
  run: refuse,
  explain: refuse,
  explainAnalyze: refuse,
  answerColumns: refuse,
  functions: refuse,
  metrics: () => null,
  schema: refuse,
  structure: refuse,
  readableOf: async (tables) => tables,
  columnsOf: refuse,
}
