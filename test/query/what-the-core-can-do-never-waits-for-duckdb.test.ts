import t from 'tap'
import { createViewTrees } from '../../src/main/query/core/views/view-trees.ts'

import { prepareQuery } from '../../src/main/query/run/prepare/prepare.ts'
import type { QueryContext } from '../../src/main/query/source/query-context.ts'
import { createKeptStructures } from '../../src/main/query/source/structure/kept-structures.ts'
import { createLru } from '../../src/plan/lru.ts'
import { type FileSummary, list } from '../../src/plan/source/segments.ts'
import { field } from '../../src/plan/types/schema.ts'
import { resolution } from '../catalog/no-lookups.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'
import { parseQuery } from './bound.ts'

const fields = ['a', 'b'].map((name) => field(name, { kind: 'int', bits: 32, signed: true }))
const summary: FileSummary = {
  schema: { fields, metadata: {} },
  segments: list([{ rows: 10, decodedBytes: [40, 40], storedBytes: [40, 40] }]),
  statistics: {},
}

const file = {
  path: 'a.parquet',
  location: '/data/a.parquet',
  version: { device: 1n, inode: 1n, size: 1n, mtimeNs: 1n, ctimeNs: 1n },
}

/** DuckDB never ends its start. */
const never = new Promise<never>(() => {})
const asked: string[] = []

const context = {
  summaries: { of: async () => ({ files: [file], summaries: [summary] }) },
  onObjects() {},
  onNotice() {},
  engines: {
    functions() {
      asked.push('functions')
      return never
    },
    lease() {
      asked.push('lease')
      return never
    },
  },
  named: createLru(1),
  structures: createKeptStructures(),
  ...resolution(async () => [file]),
  signal: new AbortController().signal,
  onAnswer: () => {},
} as unknown as QueryContext

const from = { parquet: { paths: ['a.parquet'] } }
const prepare = (request: object) =>
  prepareQuery(
    parseQuery(JSON.stringify({ select: ['a'], from, ...request })),
    'key',
    createViewTrees(KNOWN_NAMES),
    context,
  )

t.test('columns, literals, filters, offset and limit are planned without it', async (t) => {
  const requests = [
    {},
    { filter: { column: 'a', gt: 3 }, offset: 1, limit: 2, sort_by: [] },
    {
      select: [
        { column: 'a', alias: 'b' },
        { value: 1, alias: 'c' },
      ],
      filters: [{ column: 'c', eq: 1 }],
    },
    { from: null, select: [{ value: 1 }] },
    { limit: 0 },
    { sort_by: [{ Desc: 'a' }], limit: 3 },
    { distinct: { on: ['a'], select: ['a'] }, sort_by: [{ Asc: 'a' }] },
    { select: null, distinct: { on: ['a'], select: [{ value: 1, alias: 'one' }] } },
    { select: ['a', 'b'], sort_by: [{ Asc: 'b' }], distinct: { on: ['a'], select: ['a'] } },
  ]
  for (const request of requests) t.equal((await prepare(request)).plan.engine, 'core')
  t.same(asked, [])
})

t.test('what it has a part in waits for it', async (t) => {
  const even = { function: 'even', args: ['a'], alias: 'e' }
  for (const request of [{ select: ['a', even] }, { select: ['a', even], sort_by: [{ Asc: 'a' }], limit: 3 }])
    void prepare(request)
  await new Promise(setImmediate)
  t.equal(asked.length, 2)
})
