import t from 'tap'
import { prepareSelect } from '../../src/main/query/core/prepare-select.ts'
import { createViewTrees } from '../../src/main/query/core/views/view-trees.ts'
import type { QueryContext } from '../../src/main/query/source/query-context.ts'
import { createKeptStructures } from '../../src/main/query/source/structure/kept-structures.ts'
import { readStatement } from '../../src/main/sql/gate/gate.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { createLru } from '../../src/plan/lru.ts'
import { requestKey, type SourceRequest } from '../../src/plan/statement/statement.ts'
import type { SqlPrepareTask } from '../../src/plan/task/task.ts'
import { resolution } from '../catalog/no-lookups.ts'
import { csvFormat } from '../formats/product.ts'
import { KNOWN_NAMES } from './known-names.ts'

const csv = (path: string): SourceRequest => ({ kind: 'files', format: csvFormat(), paths: [path] })

/** Prepares a statement over these files. Returns the files that were resolved, and how often its worker was asked. */
async function prepared(sql: string, paths: readonly string[]) {
  const resolved: string[] = []
  let rounds = 0
  const run = async ({ sources }: SqlPrepareTask) => {
    rounds++
    const known = sources.map(({ request }) => request && requestKey(request))
    const indexes = paths.map((path) => known.indexOf(requestKey(csv(path))))
    const missing = paths.filter((_, index) => indexes[index] === -1)
    const answer =
      missing.length > 0
        ? { kind: 'sql_needs', values: [], sources: missing.map(csv) }
        : {
            kind: 'sql_prepared',
            output: { fields: [], metadata: {} },
            plan: { name: 'READ_CSV', details: {}, children: [], scan: 0 },
            isConstant: true,
            scans: indexes.map((source) => ({ source, columns: null, filters: [] })),
          }
    return { answer, worker: 0, queueMs: 0 }
  }
  const context = {
    formats: FORMATS,
    named: createLru<readonly SourceRequest[]>(8),
    structures: createKeptStructures(),
    signal: new AbortController().signal,
    engines: { lease: async () => ({ run, release() {} }) },
    ticket: { cancel: new SharedArrayBuffer(4) },
    summaries: { of: async () => ({ files: [], summaries: [] }) },
    onObjects() {},
    onNotice() {},
    ...resolution(async ([first = '']: readonly string[]) => {
      resolved.push(first)
      return []
    }),
    onAnswer() {},
  } as unknown as QueryContext
  const { plan } = await prepareSelect(
    readStatement(sql, KNOWN_NAMES),
    'a',
    createViewTrees(KNOWN_NAMES),
    context,
    null,
  )
  return { resolved, rounds, reason: plan.engine === 'duckdb' ? plan.reason : null }
}

t.test('what was found for the core is what DuckDB reads', async (t) => {
  t.same(await prepared("SELECT a FROM read_csv('a.csv')", ['a.csv']), {
    resolved: ['a.csv'],
    rounds: 1,
    reason: 'the name "a", which no column has (line 1, column 8)',
  })
  const union = "SELECT a FROM read_csv('a.csv') UNION ALL SELECT a FROM read_csv('b.csv')"
  t.match(await prepared(union, ['a.csv', 'b.csv']), { resolved: ['a.csv', 'b.csv'], rounds: 1 })
})

t.test('of a statement that is not of the simple shape, the worker tells the sources', async (t) => {
  t.same(await prepared(" EXPLAIN  SELECT lag(a) OVER () FROM read_csv('a.csv')", ['a.csv']), {
    resolved: ['a.csv'],
    rounds: 2,
    reason: 'a window function (line 1, column 15)',
  })
})
