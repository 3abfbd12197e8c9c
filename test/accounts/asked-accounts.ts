import type { Test } from 'tap'
import { startTestService, type TestService, type TestServiceOptions } from '../e2e/service.ts'
import { basic } from '../http/test-server.ts'

/** The super-user of the services of these tests. */
export const ADMIN = { authorization: basic('root', 'root-password') }

export interface AccountService extends TestService {
  /** Runs a statement as the super-user. Returns the message of its error. Null: it has succeeded. */
  state(sql: string): Promise<string | null>
  /** The answer of a query as somebody, as lines of CSV. A text: the message of its error. */
  lines(sql: string, headers?: Readonly<Record<string, string>>): Promise<readonly string[] | string>
  users(): Promise<readonly ListedUser[]>
  roles(): Promise<readonly ListedRole[]>
}

interface ListedUser {
  readonly username: string
  readonly roles: readonly string[]
  readonly is_super_user: boolean
  readonly is_anonymous: boolean
}

interface ListedRole {
  readonly name: string
  readonly grants: readonly ListedRule[]
  readonly denies: readonly ListedRule[]
}

export interface ListedRule {
  readonly privilege: string
  readonly target_type: string
  readonly target_value: string | null
}

/** A service whose super-user makes users and roles by statements. */
export async function startAccountService(
  t: Test,
  options: TestServiceOptions = {},
): Promise<AccountService> {
  const settings = {
    SERVICE_ADMIN_USERNAME: 'root',
    SERVICE_ADMIN_PASSWORD: 'root-password',
    ...options.settings,
  }
  const service = await startTestService(t, { workers: 1, ...options, settings })
  const post = (body: object, headers: Readonly<Record<string, string>>): Promise<Response> =>
    service.query(body, { headers: { 'content-type': 'application/json', ...headers } })
  const list = async (path: string): Promise<string> => {
    const response = await fetch(`${service.url}/api/admin/auth/${path}`, { headers: ADMIN })
    return response.text()
  }
  return {
    ...service,
    async state(sql) {
      const response = await post({ sql }, ADMIN)
      if (response.status !== 200) return JSON.parse(await response.text())
      await response.arrayBuffer()
      return null
    },
    async lines(sql, headers = {}) {
      const response = await post({ sql, output: { format: 'csv' } }, headers)
      const text = await response.text()
      return response.status === 200 ? text.trim().split('\n') : JSON.parse(text)
    },
    users: async () => JSON.parse(await list('users')),
    roles: async () => JSON.parse(await list('roles')),
  }
}
