import t from 'tap'
import { PLACEHOLDER, PUBLIC } from '../../src/main/catalog/catalog.ts'
import { createCatalog } from '../../src/main/catalog/create-catalog.ts'
import { createNamesIn } from '../../src/main/sql/gate/names-in.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'
import { ANYBODY } from '../support/callers.ts'
import { put } from './definitions.ts'

const NEVER = new AbortController().signal

function emptyCatalog() {
  const namesIn = createNamesIn(KNOWN_NAMES)
  return createCatalog({ name: 'service', defaultTable: 'default', formats: FORMATS, namesIn })
}

t.test('a snapshot stays as it is, and the next one has the change', async (t) => {
  const catalog = emptyCatalog()
  const before = catalog.snapshot()
  await catalog.change([put('Obs')], NEVER)
  t.same(before.all(ANYBODY), [PLACEHOLDER])
  t.equal(before.find(ANYBODY, 'obs', PUBLIC), null)
  const after = catalog.snapshot()
  for (const name of ['Obs', 'obs', 'OBS'])
    t.match(after.find(ANYBODY, name, 'Public'), { name: 'Obs', type: 'BASE TABLE', schema: PUBLIC })
  t.equal(after.find(ANYBODY, 'Obs', 'other'), null)

  await catalog.change([{ kind: 'drop', name: 'OBS' }], NEVER)
  t.equal(catalog.snapshot().find(ANYBODY, 'obs', PUBLIC), null)
  t.ok(after.find(ANYBODY, 'obs', PUBLIC), 'for who has begun with it')
})

t.test('names that differ in the case of A to Z alone are one, others are two', async (t) => {
  const catalog = emptyCatalog()
  await catalog.change([put('obs'), put('OBS', 'b.csv'), put('é'), put('É')], NEVER)
  const names = catalog
    .snapshot()
    .all(ANYBODY)
    .map(({ name }) => name)
  t.same(names, ['OBS', 'default', 'É', 'é'], 'in the order of their bytes')
})

t.test('the placeholder gives way to a table of its name, and comes back', async (t) => {
  const catalog = emptyCatalog()
  await catalog.change([put('Default')], NEVER)
  t.same(
    catalog
      .snapshot()
      .all(ANYBODY)
      .map(({ name }) => name),
    ['Default'],
  )
  await catalog.change([{ kind: 'drop', name: 'default' }], NEVER)
  t.equal(catalog.snapshot().find(ANYBODY, 'default', PUBLIC), PLACEHOLDER)
})

t.test('a digest changes with the definition, and with nothing else', async (t) => {
  const catalog = emptyCatalog()
  const digest = () => catalog.snapshot().find(ANYBODY, 'obs', PUBLIC)?.digest
  await catalog.change([put('obs')], NEVER)
  const first = digest()
  await catalog.change([put('obs', 'b.csv'), put('other')], NEVER)
  t.not(digest(), first)
  await catalog.change([put('obs')], NEVER)
  t.equal(digest(), first)
})

t.test('all changes of a statement are made or none', async (t) => {
  const catalog = emptyCatalog()
  const before = catalog.snapshot()
  await t.rejects(catalog.change([put('obs'), put('other', 'a.x', 'NONE')], NEVER), { code: 'not_supported' })
  t.equal(catalog.snapshot(), before)
  await t.rejects(catalog.change([put('obs')], AbortSignal.abort()), { name: 'AbortError' })
  t.equal(catalog.snapshot(), before)
})
