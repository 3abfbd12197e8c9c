import t from 'tap'
import { createCatalog } from '../../src/main/catalog/create-catalog.ts'
import { createLookups } from '../../src/main/catalog/lookups.ts'
import { NO_FILE_REGISTRY } from '../../src/main/learned/file-registry.ts'
import { makeSystemValues } from '../../src/main/query/duckdb/make-system-values.ts'
import { createSystemRows } from '../../src/main/query/source/named/system-rows.ts'
import type { QueryContext } from '../../src/main/query/source/query-context.ts'
import { createNamesIn } from '../../src/main/sql/gate/names-in.ts'
import { type Condition, compare } from '../../src/plan/condition/condition.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { systemRelation } from '../../src/plan/statement/system-relations.ts'
import { field } from '../../src/plan/types/schema.ts'
import { put } from '../catalog/definitions.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'
import { ACCOUNTS, SUPER_CALLER } from '../support/callers.ts'

const { signal } = new AbortController()

/** What the super-user's scans need over a catalog of so many tables, each of 50 columns. */
async function contextOf(tables: number): Promise<QueryContext> {
  const catalog = createCatalog({
    name: 'service',
    defaultTable: 'default',
    formats: FORMATS,
    namesIn: createNamesIn(KNOWN_NAMES),
  })
  const fields = Array.from({ length: 50 }, (_, index) =>
    field(`a column of its own ${index}`, { kind: 'utf8' }),
  )
  const changes = Array.from({ length: tables }, (_, index) =>
    put(`table_${index}`, 'a.csv', 'CSV', { fields, metadata: {} }),
  )
  await catalog.change(changes, signal)
  const metrics = {
    async *list() {
      yield []
    },
  }
  const context = {
    lookups: createLookups(catalog, SUPER_CALLER),
    systemRows: createSystemRows({
      crawlerRuns: () => [],
      registry: NO_FILE_REGISTRY,
      catalog: 'service',
      metrics,
      ...ACCOUNTS,
      adminUsername: 'service-admin',
      settings: {},
    }),
    signal,
  }
  return context as unknown as QueryContext
}

function equals(column: string, value: string): Condition {
  return compare({ kind: 'column', column, type: { kind: 'utf8' } }, 'eq', {
    kind: 'bytes',
    value: Buffer.from(value),
  })
}

t.test('those of a table alone, if the filter names it', async (t) => {
  const relation = systemRelation('information_schema', 'columns')
  if (relation === null) throw new Error('there is no such table')
  const context = await contextOf(1000)
  const rows = async (filter: Condition | null, columns: readonly number[] | null) =>
    (await makeSystemValues({ relation, columns, filter }, context)).reduce((sum, each) => sum + each.rows, 0)
  t.equal(await rows(equals('table_name', 'table_7'), null), 50)
  t.equal(await rows(equals('table_name', 'Table_7'), null), 0)
  t.equal(await rows(equals('table_schema', 'system'), []), 4 + 12 + 10 + 6 + 15 + 8 + 3 + 4)
  t.equal(
    await rows(equals('column_name', 'a column of its own 3'), [3]),
    50_000 + 15 + 2 + 10 + 12 + 7 + 4 + 4 + 4 + 12 + 10 + 6 + 15 + 8 + 3 + 4,
  )
})

t.test('their memory is bounded, and the error says how to ask for less', async (t) => {
  const relation = systemRelation('information_schema', 'columns')
  if (relation === null) throw new Error('there is no such table')
  const context = await contextOf(10_000)
  await t.rejects(makeSystemValues({ relation, columns: null, filter: null }, context), {
    code: 'memory_limit',
    message: /information_schema\.columns.*WHERE table_name = /,
  })
  const some = await makeSystemValues({ relation, columns: [2, 3], filter: null }, context)
  t.ok(
    some.reduce((sum, { rows }) => sum + rows, 0) > 500_000,
    'two columns of half a million rows are no problem',
  )
})
