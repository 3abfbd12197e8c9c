import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { DOORS } from '../../src/main/auth/doors/doors.ts'
import { LATER, type Row } from './row.ts'
import { CONTRACT, isLater, nameOf } from './table.ts'
import { WORLDS } from './worlds.ts'

const ROUTES = DOORS.filter(({ kind }) => kind === 'route').map(({ name }) => name)

/** The door at which a request arrives. */
function doorOf({ request }: Row): string | undefined {
  const path = request.path.replace(/\?.*/, '')
  return ROUTES.find((name) => {
    const [method = '', pattern = ''] = name.split(' ')
    const escaped = pattern.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replace('/*', '/.*')
    return method === request.method && new RegExp(`^${escaped}$`).test(path)
  })
}

t.test('each door has a row, and each row a door', async (t) => {
  const sent = CONTRACT.filter((row) => !isLater(row))
  const doors = new Set(sent.filter(({ isNoRoute }) => !isNoRoute).map(doorOf))
  for (const route of ROUTES) t.ok(doors.has(route), route)
  for (const row of sent)
    if (row.isNoRoute) t.equal(doorOf(row), undefined, `no door: ${nameOf(row)}`)
    else t.type(doorOf(row), 'string', nameOf(row))
})

t.test('what is built is not marked as later', async (t) => {
  for (const later of LATER) {
    const rows = CONTRACT.filter((row) => row.later === later)
    t.ok(rows.length > 0, `${rows.length} rows wait for ${later}`)
    for (const row of rows) {
      const door = doorOf(row)
      const isOfNew = !ROUTES.includes(`${row.request.method} ${row.request.path.replace(/\?.*/, '')}`)
      if (NEW_ROUTES.test(row.request.path) && isOfNew)
        t.equal(
          door,
          undefined,
          `take "${later}" out of LATER in test/contract/row.ts: ${nameOf(row)} has a door`,
        )
    }
  }
})

/** Routes that later versions bring. */
const NEW_ROUTES = /^\/(?:mcp|api\/admin\/crawlers)/

t.test('what we answer otherwise on purpose has a line among the decisions', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/decisions.md'), 'utf8')
  for (const row of CONTRACT)
    if (row.differs !== null)
      t.ok(page.includes(`\n| ${row.differs}`), `docs/decisions.md: ${row.differs} (${nameOf(row)})`)
})

t.test('each world is there, and has rows', async (t) => {
  const worlds = new Set(CONTRACT.flatMap(({ world }) => world ?? []))
  for (const world of worlds) t.ok(world in WORLDS, world)
  for (const world of Object.keys(WORLDS)) t.ok(worlds.has(world), world)
})

t.test('no row stands there twice', async (t) => {
  const names = CONTRACT.map((row) =>
    JSON.stringify([row.request, row.first, row.world, row.expected], textOf),
  )
  t.same(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})

function textOf(_: string, value: unknown): unknown {
  return value instanceof RegExp || typeof value === 'function' ? String(value) : value
}
