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

/**
 * The sections of which something can be observed by requests. Not among them: the base path (H1.5), which the second world has; events and
 * limits of the interface, which say that there are none; and what settings do at the start and a restart leaves (S4, S5), which have tests
 * of their own.
 */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  I: [
    '1',
    '2.1',
    '2.2',
    '2.3',
    '2.4',
    '2.5',
    '2.6',
    '2.7',
    '2.8',
    '2.9',
    '2.10',
    '2.11',
    '2.12',
    '4.1',
    '4.2',
    '4.3',
    '4.4',
    '4.5',
    '4.6',
    '5',
    '7',
    '9',
  ],
  H: [
    ...[
      '1.1',
      '1.2',
      '1.3',
      '1.4',
      '1.6',
      '2.1',
      '2.2',
      '2.3',
      '2.4',
      '2.5',
      '2.6',
      '3.1',
      '3.2',
      '3.3',
      '3.4',
      '3.5',
      '3.6',
    ],
    ...[
      '4.1',
      '4.2',
      '4.3',
      '4.4',
      '4.5',
      '4.6',
      '4.7',
      '4.8',
      '4.9',
      '4.10',
      '4.11',
      '4.12',
      '5.1',
      '5.2',
      '5.3',
      '5.4',
      '5.5',
    ],
    ...Array.from({ length: 16 }, (_, index) => `6.${index + 1}`),
    ...[
      '7.1',
      '7.2',
      '7.3',
      '7.4',
      '7.5',
      '7.6',
      '7.7',
      '8.1',
      '8.2',
      '8.3',
      '8.4',
      '8.5',
      '8.6',
      '8.7',
      '9',
    ],
    ...['10.1', '10.2', '10.3', '10.4', '10.5', '10.6', '11', '12.1', '12.2', '12.3', '12.4', '13'],
  ],
  S: [
    ...[
      '1.1',
      '1.2',
      '1.3',
      '1.4',
      '1.5',
      '1.6',
      '1.7',
      '1.8',
      '1.9',
      '1.10',
      '1.11',
      '1.12',
      '1.13',
      '1.14',
      '1.15',
      '1.17',
      '1.18',
    ],
    ...['2', '2.2', '2.3', '2.4', '3.2', '3.4', '3.5', '3.6', '3.7', '4.4'],
  ],
}

t.test('each section has a row', async (t) => {
  const sections = new Set(CONTRACT.map(({ section }) => section))
  for (const [chapter, numbers] of Object.entries(SECTIONS))
    for (const number of numbers) t.ok(sections.has(chapter + number), chapter + number)
})

t.test('what is built is not marked as later', async (t) => {
  t.comment(`${CONTRACT.length} rows, of which ${CONTRACT.filter(isLater).length} later`)
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
    JSON.stringify([row.section, row.request, row.first, row.world, row.expected], textOf),
  )
  t.same(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})

function textOf(_: string, value: unknown): unknown {
  return value instanceof RegExp || typeof value === 'function' ? String(value) : value
}
