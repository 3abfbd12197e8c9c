import t from 'tap'
import { prepareStatement } from '../../src/main/query/duckdb/prepare-statement.ts'
import type { QueryContext } from '../../src/main/query/source/query-context.ts'
import { ServiceError } from '../../src/plan/errors.ts'
import { createLru } from '../../src/plan/lru.ts'
import { requestKey, type SourceRequest } from '../../src/plan/statement/statement.ts'
import type { SqlPrepareTask } from '../../src/plan/task/task.ts'
import { resolution } from '../catalog/no-lookups.ts'
import { csvFormat } from '../formats/product.ts'

const SQL = `FROM read_csv(strftime(now()::TIMESTAMP, '%H') || '.csv')`
const csv = (path: string): SourceRequest => ({ kind: 'files', format: csvFormat(), paths: [path] })

/** A service in which the statement names one file, which may be another one each time. */
function service() {
  const asked: string[] = []
  const files = new Set<string>()
  const named = createLru<readonly SourceRequest[]>(8)
  let path = ''
  const run = async ({ sources }: SqlPrepareTask) => {
    const source = sources.findIndex(
      ({ request }) => request && requestKey(request) === requestKey(csv(path)),
    )
    const output = { fields: [], metadata: {} }
    const plan = { name: 'READ_CSV', details: {}, children: [], scan: 0 }
    const answer =
      source < 0
        ? { kind: 'sql_needs', values: [], sources: [csv(path)] }
        : {
            kind: 'sql_prepared',
            output,
            plan,
            isConstant: true,
            scans: [{ source, columns: null, filters: [] }],
          }
    return { answer, worker: 0, queueMs: 0 }
  }
  const context = {
    named,
    signal: new AbortController().signal,
    engines: { lease: async () => ({ run, release() {} }) },
    ticket: { cancel: new SharedArrayBuffer(4) },
    summaries: { of: async () => ({ files: [], summaries: [] }) },
    onObjects() {},
    onNotice() {},
    ...resolution(async ([first = '']: readonly string[]) => {
      asked.push(first)
      if (!files.has(first)) throw new ServiceError('no_files', `No file matched "${first}".`)
      return []
    }),
    onAnswer() {},
  } as unknown as QueryContext
  return {
    files,
    named,
    /** The files that are resolved when the statement names `now`. */
    async prepare(now: string): Promise<readonly string[]> {
      path = now
      asked.length = 0
      await prepareStatement({ text: SQL, tables: [] }, [], 'a', context)
      return [...asked]
    },
  }
}

t.test('a file that it named before may be gone', async (t) => {
  const { files, prepare } = service()
  files.add('10.csv')
  t.same(await prepare('10.csv'), ['10.csv'])
  t.same(await prepare('10.csv'), ['10.csv'])
  files.clear()
  files.add('11.csv')
  t.same(await prepare('11.csv'), ['10.csv', '11.csv'])
  t.same(await prepare('11.csv'), ['11.csv'])
  files.clear()
  await t.rejects(prepare('11.csv'), { code: 'no_files' })
})

t.test('what it named before is not resolved again and again', async (t) => {
  const { files, prepare, named } = service()
  for (const path of ['10.csv', '11.csv', '12.csv']) {
    files.add(path)
    await prepare(path)
  }
  t.same(named.get(SQL), [csv('12.csv')])
  t.same(await prepare('12.csv'), ['12.csv'])
})

t.test('long names are not remembered', async (t) => {
  const { files, prepare, named } = service()
  const path = `${'a'.repeat(40_000)}.csv`
  files.add(path)
  await prepare(path)
  t.equal(named.get(SQL), undefined)
})
