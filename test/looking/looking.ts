import type { Test } from 'tap'
import type { Catalog } from '../../src/main/catalog/catalog.ts'
import { createCatalog } from '../../src/main/catalog/create-catalog.ts'
import { createNamesIn } from '../../src/main/sql/gate/names-in.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { startTestService, type TestService } from '../e2e/service.ts'
import { SUPER_USER } from '../http/test-server.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'

export interface LookingService extends TestService {
  readonly catalog: Catalog
  /** The rows of the answer, as JSON. Throws with the text of any other answer. Without headers the caller is the super-user. */
  look(
    sql: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** The message of a 400. */
  refusal(sql: string, headers?: Readonly<Record<string, string>>): Promise<string>
}

interface JsonAnswer {
  readonly columns: readonly { readonly name: string }[]
  readonly rows: readonly (readonly unknown[])[]
}

/** A service whose catalog is in memory. */
export async function startLooking(t: Test): Promise<LookingService> {
  const catalog = createCatalog({
    name: 'service',
    defaultTable: 'default',
    formats: FORMATS,
    namesIn: createNamesIn(KNOWN_NAMES),
  })
  const service = await startTestService(t, { catalog, workers: 1 })
  const ask = (sql: string, headers: Readonly<Record<string, string>>, output: object | null) =>
    service.query({ sql, output }, { headers: { 'content-type': 'application/json', ...headers } })
  return {
    ...service,
    catalog,
    async look(sql, headers = SUPER_USER) {
      const answer = await ask(sql, headers, { format: 'json' })
      if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
      const { columns, rows } = (await answer.json()) as JsonAnswer
      return rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])))
    },
    async refusal(sql, headers = SUPER_USER) {
      const answer = await ask(sql, headers, null)
      const text = await answer.text()
      if (answer.status !== 400) throw new Error(`${answer.status}: ${text}`)
      return JSON.parse(text)
    },
  }
}
