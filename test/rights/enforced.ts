import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { createDirectory } from '../../src/main/auth/directory/create-directory.ts'
import type { Rule } from '../../src/main/auth/directory/directory.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../e2e/service.ts'
import { basic, SUPER_USER } from '../http/test-server.ts'
import { EMPTY_DIRECTORY } from '../support/empty-directory.ts'

const NEVER = new AbortController().signal

/** A service whose rules have an effect, over files that a test gives. */
export interface EnforcedService extends TestService {
  /** Runs a statement as the super-user. Throws if its status is not 200. */
  admin(sql: string): Promise<Response>
  /** Makes a user with a role of these rules, such as `GRANT SELECT ON TABLE t`, and returns the headers with which it asks. */
  user(name: string, ...rules: readonly string[]): Promise<Readonly<Record<string, string>>>
  /** Gives the callers without credentials these rules alone. */
  allow(...rules: readonly Rule[]): Promise<void>
  /** The status and the text of an answer to a caller without credentials, or with these headers. */
  ask(path: string, init?: RequestInit): Promise<Asked>
  /** The same of a query. */
  asked(body: object, headers?: Readonly<Record<string, string>>): Promise<Asked>
}

export interface Asked {
  readonly status: number
  readonly text: string
}

export async function startEnforced(
  t: Test,
  files: Readonly<Record<string, string>>,
  options: TestServiceOptions = {},
): Promise<EnforcedService> {
  const directory = createDirectory(EMPTY_DIRECTORY)
  const service = await startTestService(t, {
    ...options,
    directory,
    settings: { SERVICE_AUTH_ENFORCE: 'true', ...options.settings },
  })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(service.datasets, path)), { recursive: true })
    writeFileSync(join(service.datasets, path), text)
  }
  async function ask(path: string, init: RequestInit = {}): Promise<Asked> {
    const response = await fetch(service.url + path, init)
    return { status: response.status, text: await response.text() }
  }
  async function admin(sql: string): Promise<Response> {
    const response = await service.query(
      { sql },
      { headers: { 'content-type': 'application/json', ...SUPER_USER } },
    )
    if (response.status !== 200) throw new Error(`${sql}: ${await response.text()}`)
    return response
  }
  return {
    ...service,
    ask,
    admin,
    async user(name, ...rules) {
      await admin(`CREATE USER "${name}" WITH PASSWORD 'secret of ${name}'`)
      await admin(`CREATE ROLE "role of ${name}"`)
      for (const rule of rules) await admin(`${rule} TO ROLE "role of ${name}"`)
      await admin(`GRANT ROLE "role of ${name}" TO USER "${name}"`)
      return { authorization: basic(name, `secret of ${name}`) }
    },
    asked: (body, headers = {}) =>
      ask('/api/query', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    allow: (...rules) =>
      directory.change(
        () => [
          { kind: 'put_role', role: { name: 'public', rules } },
          { kind: 'put_user', user: { name: 'anonymous', password: null, roles: ['public'] } },
        ],
        NEVER,
      ),
  }
}

export function grantOn(name: string): Rule {
  return { effect: 'grant', target: { kind: 'table', schema: 'public', name } }
}

export function denyOn(name: string): Rule {
  return { effect: 'deny', target: { kind: 'table', schema: 'public', name } }
}

export const GRANT_ALL: Rule = { effect: 'grant', target: { kind: 'all' } }

/** The body of a refusal of a table. */
export function refusal(name: string): string {
  return JSON.stringify(
    `permission denied: SELECT on table ${JSON.stringify(name)}, or there is no such table`,
  )
}
