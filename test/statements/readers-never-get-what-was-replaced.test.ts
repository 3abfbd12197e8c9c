import { writeFileSync } from 'node:fs'
import t from 'tap'
import { generator } from '../support/generate.ts'
import { type StatedService, startStatedService } from './asked-statements.ts'

const READERS = 64
const REPLACEMENTS = 24

/** What is replaced, and queries whose one row is the number of the definition that they read. */
const SUBJECTS = {
  table: {
    replace: (version: number) =>
      `CREATE OR REPLACE EXTERNAL TABLE tab STORED AS CSV LOCATION '${version}.csv'`,
    queries: [
      { sql: 'SELECT n FROM tab' },
      { sql: 'SELECT max(n) AS n FROM above_tab' },
      { sql: 'WITH c AS (SELECT n FROM tab) SELECT n FROM c' },
      { sql: 'SELECT n | 0 AS n FROM above_tab' },
      { from: 'tab', select: ['n'] },
      { from: 'above_tab', select: ['n'] },
      { from: 'sum_above', select: ['n'] },
    ],
  },
  view: {
    replace: (version: number) => `CREATE OR REPLACE VIEW view AS SELECT n FROM base_${version} WHERE n > 0`,
    queries: [
      { sql: 'SELECT n FROM "view"' },
      { sql: 'SELECT n FROM (SELECT max(n) AS n FROM above_view)' },
      { sql: 'WITH c AS (SELECT n FROM "view") SELECT n FROM c' },
      { from: 'view', select: ['n'] },
      { from: 'above_view', select: ['n'], filters: [{ column: 'n', gt: 0 }] },
    ],
  },
} as const

t.test('answers and tags are never older than the last statement that was answered', async (t) => {
  const service = await startStatedService(t)
  const { state, at, settle } = service
  for (let version = 0; version <= REPLACEMENTS; version++)
    writeFileSync(at(`${version}.csv`), `n\n${version + 1}\n`)
  await settle()
  for (let version = 0; version <= REPLACEMENTS; version++)
    await state(`CREATE EXTERNAL TABLE base_${version} STORED AS CSV LOCATION '${version}.csv'`)
  for (const { replace } of Object.values(SUBJECTS)) t.equal(await state(replace(0)), null)
  t.equal(await state('CREATE VIEW above_tab AS SELECT n FROM tab'), null)
  t.equal(await state('CREATE VIEW sum_above AS SELECT CAST(sum(n) AS BIGINT) AS n FROM above_tab'), null)
  t.equal(await state('CREATE VIEW above_view AS SELECT n FROM "view"'), null)

  for (const [name, { replace, queries }] of Object.entries(SUBJECTS)) {
    /** The numbers of the last statements that were sent and answered. */
    let sent = 0
    let answered = 0
    const faults: string[] = []
    const read = async (reader: number): Promise<void> => {
      const random = generator(`${name} ${reader}`)
      /** By query: the tag of the last answer, and its number. */
      const known = new Map<number, readonly [tag: string, version: number]>()
      while (answered < REPLACEMENTS) {
        const index = random(queries.length)
        const least = answered
        const [tag, before] = known.get(index) ?? [null, -1]
        const { status, version, etag } = await versionOf(service, queries[index] ?? {}, tag)
        const got = status === 304 ? before : version
        if (got < least || got > sent)
          faults.push(`${name} ${index}: ${status} ${got}, of ${least} to ${sent}`)
        if (etag !== null) known.set(index, [etag, got])
      }
    }
    const write = async (): Promise<void> => {
      for (let version = 1; version <= REPLACEMENTS; version++) {
        sent = version
        const error = await state(replace(version))
        if (error !== null) faults.push(error)
        answered = version
      }
    }
    await Promise.all([write(), ...Array.from({ length: READERS }, (_, reader) => read(reader))])
    t.same(faults, [], name)
  }
})

/** Asks with a tag. The number is that of the row in the answer. */
async function versionOf(
  { get }: StatedService,
  query: object,
  tag: string | null,
): Promise<{ readonly status: number; readonly version: number; readonly etag: string | null }> {
  const response = await get(
    { ...query, output: { format: 'csv' } },
    tag === null ? {} : { 'if-none-match': tag },
  )
  const text = await response.text()
  const version = response.status === 200 ? Number(text.trim().split('\n').at(-1)) - 1 : -1
  return { status: response.status, version, etag: response.headers.get('etag') }
}

t.test('the same rows by another definition are no 304', async (t) => {
  const { state, get, at, settle } = await startStatedService(t)
  writeFileSync(at('a.csv'), 'n\n1\n')
  await settle()
  t.equal(await state("CREATE EXTERNAL TABLE tab STORED AS CSV LOCATION 'a.csv'"), null)
  t.equal(await state('CREATE VIEW one AS SELECT n FROM tab'), null)
  const queries = [
    { sql: 'SELECT n FROM one' },
    { sql: 'WITH c AS (SELECT n FROM one) SELECT n FROM c' },
    { from: 'one', select: ['n'] },
    { from: 'one', select: [{ function: 'abs', args: ['n'], alias: 'n' }] },
  ]
  const tags: (string | null)[] = []
  for (const query of queries) {
    const response = await get(query)
    await response.arrayBuffer()
    tags.push(response.headers.get('etag'))
  }
  t.equal(await state("CREATE EXTERNAL TABLE elsewhere STORED AS CSV LOCATION 'a.csv'"), null)
  for (const [index, query] of queries.entries())
    t.equal(
      (await get(query, { 'if-none-match': tags[index] ?? '' })).status,
      304,
      'another name is nothing to it',
    )
  t.equal(await state('CREATE OR REPLACE VIEW one AS SELECT n FROM tab WHERE n > 0'), null)
  for (const [index, query] of queries.entries()) {
    const response = await get(query, { 'if-none-match': tags[index] ?? '' })
    await response.arrayBuffer()
    t.equal(response.status, 200, JSON.stringify(query))
    t.not(response.headers.get('etag'), tags[index])
  }
})
