import t from 'tap'
import { PUBLIC } from '../../src/main/catalog/catalog.ts'
import { createCatalog } from '../../src/main/catalog/create-catalog.ts'
import { createNamesIn } from '../../src/main/sql/gate/names-in.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'
import { ANYBODY } from '../support/callers.ts'
import { put, putView } from './definitions.ts'

const NEVER = new AbortController().signal

t.test('a snapshot of the catalog has the digests of views', async (t) => {
  const namesIn = createNamesIn(KNOWN_NAMES)
  const catalog = createCatalog({ name: 'service', defaultTable: 'default', formats: FORMATS, namesIn })
  const digest = (name: string): string | undefined => catalog.snapshot().find(ANYBODY, name, PUBLIC)?.digest
  await catalog.change([putView('Above', 'SELECT * FROM service.public."Mid"')], NEVER)
  const alone = digest('above')
  await catalog.change(
    [putView('mid', 'WITH c AS (FROM obs) SELECT * FROM c JOIN public.other USING (n)')],
    NEVER,
  )
  const overMid = digest('above')
  t.not(overMid, alone, 'a name below is there')
  await catalog.change([put('elsewhere')], NEVER)
  t.equal(digest('above'), overMid, 'what it does not name is nothing to it')
  const before = catalog.snapshot()
  const { snapshot: preview, viewsAbove } = catalog.preview([put('OTHER')])
  t.same(
    viewsAbove.map(({ name }) => name),
    ['mid', 'Above'],
    'the lowest first',
  )
  t.equal(catalog.snapshot(), before, 'a preview changes nothing')
  await catalog.change([put('OTHER')], NEVER)
  t.not(digest('above'), overMid)
  t.equal(preview.find(ANYBODY, 'above', PUBLIC)?.digest, digest('above'))
  await catalog.change([{ kind: 'drop', name: 'other' }], NEVER)
  t.equal(digest('above'), overMid, 'and as before once it is gone')
  t.equal(before.find(ANYBODY, 'ABOVE', PUBLIC)?.digest, overMid)
})

t.test('a view whose text does not pass the gate has its own digest', async (t) => {
  const namesIn = createNamesIn(KNOWN_NAMES)
  const catalog = createCatalog({ name: 'service', defaultTable: 'default', formats: FORMATS, namesIn })
  await catalog.change([putView('v', 'SELECT * FROM duckdb_tables()')], NEVER)
  t.ok(catalog.snapshot().find(ANYBODY, 'v', PUBLIC)?.digest)
})
