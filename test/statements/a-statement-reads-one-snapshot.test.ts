import { pino } from 'pino'
import t from 'tap'
import type { CatalogSnapshot } from '../../src/main/catalog/catalog.ts'
import { createCatalog } from '../../src/main/catalog/create-catalog.ts'
import { createNamesIn } from '../../src/main/sql/gate/names-in.ts'
import { emptyAnswer } from '../../src/main/statements/empty-answer.ts'
import { createStatementService } from '../../src/main/statements/statement-service.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { field } from '../../src/plan/types/schema.ts'
import { put } from '../catalog/definitions.ts'
import { NO_LOOKUPS } from '../catalog/no-lookups.ts'
import { QUERY_ID } from '../http/test-server.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'
import { ACCOUNTS, ANYBODY } from '../support/callers.ts'
import { CRAWLING } from '../support/no-crawlers.ts'

const { signal } = new AbortController()

t.test('though a table is replaced between the writing of its query and its run', async (t) => {
  const namesIn = createNamesIn(KNOWN_NAMES)
  const catalog = createCatalog({ name: 'service', defaultTable: 'default', formats: FORMATS, namesIn })
  await catalog.change([put('obs', 'a.csv')], signal)
  const before = catalog.snapshot()
  const read: (CatalogSnapshot | undefined)[] = []
  const refuse = () => Promise.reject(new Error('not to be called'))
  const service = createStatementService({
    ...ACCOUNTS,
    ...CRAWLING,
    catalog,
    formats: FORMATS,
    metrics: { record: async () => {} },
    log: pino({ level: 'silent' }),
    queries: {
      schema: refuse,
      columnsOf: refuse,
      functions: refuse,
      readableOf: refuse,
      async answerColumns(_query, _caller, _signal, snapshot) {
        read.push(snapshot)
        await catalog.change([put('obs', 'b.csv')], signal)
        return { fields: [field('n', { kind: 'utf8' })], metadata: {} }
      },
      async run(_query, _caller, _signal, snapshot) {
        read.push(snapshot)
        return emptyAnswer(QUERY_ID, NO_LOOKUPS)
      },
    },
  })
  const sql = 'SUMMARIZE obs'
  const request = { kind: 'sql', sql, output: null } as const
  await service.run({ request, json: { sql }, caching: true }, ANYBODY, signal)
  t.same(
    read.map((snapshot) => snapshot === before),
    [true, true],
  )
  t.not(catalog.snapshot(), before)
})
