import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTables } from '../external/tables.ts'
import { writeGroup } from './write-store.ts'

const { at, ask, command, settle, post } = await startTables(t)

/** Writes a group with values from `from` on along a coordinate. */
function put(store: string, group: string, size: number, from: number, dimension = 'x'): void {
  const values = Float64Array.from({ length: size }, (_, index) => from + index)
  const array = { shape: [size], chunk: [size], dimensions: [dimension], values }
  writeGroup(join(at(store), group), { [dimension]: array, v: array }, { title: group })
}

const GROUP = JSON.stringify({ zarr_format: 3, node_type: 'group', attributes: {} })

for (const store of ['levels.zarr', 'same.zarr', 'z/levels.zarr']) {
  for (const folder of ['', 'deep']) {
    mkdirSync(join(at(store), folder), { recursive: true })
    writeFileSync(join(at(store), folder, 'zarr.json'), GROUP)
  }
  put(store, 'coarse', 2, 0)
  put(store, 'deep/a', store === 'same.zarr' ? 2 : 3, 10)
  put(store, 'deep/b', 2, 20)
}
put('plain.zarr', '', 2, 0)
await settle()
const created = [
  await command("CREATE EXTERNAL TABLE every STORED AS ZARR LOCATION 'z/'"),
  await command("CREATE EXTERNAL TABLE coarse STORED AS ZARR LOCATION 'z/' OPTIONS ('group' 'coarse')"),
]

async function noticeOf(query: object | string): Promise<string | null> {
  const answer = await post(typeof query === 'string' ? { sql: query } : query)
  await answer.arrayBuffer()
  t.equal(answer.status, 200, JSON.stringify(query))
  return answer.headers.get('x-service-notice')
}

const NOTICE =
  'has groups with different coordinates, whose rows come one after the other: "coarse", "deep/a", "deep/b"; "group" = \'coarse\' would read one'

t.test('a store of such groups', async (t) => {
  t.same(created, ['', ''])
  for (const [query, path] of [
    [{ from: { zarr: { paths: ['levels.zarr'] } }, select: ['v'] }, 'levels.zarr'],
    ["SELECT v FROM read_zarr('levels.zarr')", 'levels.zarr'],
    ["SELECT v + 0 AS w FROM read_zarr('l*.zarr')", 'levels.zarr'],
    ['SELECT v FROM every', 'z/levels.zarr'],
    ['SELECT v + 0 AS w FROM every', 'z/levels.zarr'],
    [{ from: 'every', select: ['v'] }, 'z/levels.zarr'],
  ] as const)
    for (const time of ['first', 'second', 'third'])
      t.equal(await noticeOf(query), `"${path}" ${NOTICE}`, `${JSON.stringify(query)} ${time}`)
})

t.test('others, and one of the groups', async (t) => {
  for (const query of [
    "SELECT v FROM read_zarr('same.zarr')",
    "SELECT v FROM read_zarr('plain.zarr')",
    "SELECT v FROM read_zarr('levels.zarr', group = 'deep/b')",
    "SELECT v FROM read_zarr('levels.zarr/coarse')",
    'SELECT v FROM coarse',
  ])
    t.equal(await noticeOf(query), null, query)
})

t.test('group chooses the rows of one, or of those below it', async (t) => {
  for (const [group, rows] of [
    ['coarse', ['0.0', '1.0']],
    ['/deep/b/', ['20.0', '21.0']],
    ['deep', ['10.0', '11.0', '12.0', '20.0', '21.0']],
    ['', ['0.0', '1.0', '10.0', '11.0', '12.0', '20.0', '21.0']],
  ] as const) {
    const expected = ['v', ...rows]
    t.same(await ask(`SELECT v FROM read_zarr('levels.zarr', group = '${group}')`), expected)
    t.same(await ask(`SELECT v + 0 AS v FROM read_zarr('levels.zarr', "group" := '${group}')`), expected)
    t.same(await ask({ from: { zarr: { paths: ['levels.zarr'], group } }, select: ['v'] }), expected)
  }
  t.same(await ask('SELECT v FROM coarse'), ['v', '0.0', '1.0'])
  t.same(await ask('SELECT v + 0 AS v FROM coarse'), ['v', '0.0', '1.0'])
})

t.test('a group that is none', async (t) => {
  for (const group of ['Coarse', 'deep/a/v', 'deep/c'])
    for (const call of ['v', 'v + 0'])
      t.match(
        await ask(`SELECT ${call} FROM read_zarr('levels.zarr', "group" = '${group}')`),
        /has no group "\S+", which group names; it has "coarse", "deep\/a", "deep\/b"/,
        group,
      )
  for (const group of ['../same.zarr', 'deep/../coarse', 'a//b', '.', '\0', 7, ['deep']])
    t.match(
      await ask({ from: { zarr: { paths: ['levels.zarr'], group } }, select: ['v'] }),
      /group must be the path of a group in the store/,
      String(group),
    )
})

t.test('in SQL its name is in double quotes', async (t) => {
  const call = "read_zarr('levels.zarr', group = 'coarse')"
  t.match(await ask(`SELECT mode(v) FROM ${call}`), /"group" = 'monthly'/)
})
