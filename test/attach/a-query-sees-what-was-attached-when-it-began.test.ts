import t from 'tap'
import { withAttached } from '../../src/main/catalog/attached/with-attached.ts'
import { createLookups, isStillTrue } from '../../src/main/catalog/lookups.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { CATALOG } from '../catalog/no-lookups.ts'
import { NEVER } from '../remotes/remote.ts'
import { ANYBODY, SUPER_CALLER } from '../support/callers.ts'
import { attachedInMemory } from './in-memory.ts'

const address = { kind: 'service', host: 'a', port: 1, tls: false, database: '', basePath: '' } as const
const row = FORMATS.storedAs.get('ARROW')
if (row === undefined) throw new Error('Arrow is not read')
const far = {
  name: 'far',
  address,
  secret: null,
  ownSecrets: null,
  format: FORMATS.withOptions(row),
  tables: [{ schema: 'public', name: 'Obs', isView: false }],
  isPersistent: false,
}
const written = { catalog: 'FAR', schema: 'public', name: 'obs' }

t.test('and other callers than the super-user see nothing', async (t) => {
  const attached = attachedInMemory()
  const catalog = withAttached(CATALOG, attached)
  t.equal(createLookups(catalog, SUPER_CALLER).table(written), null)
  await attached.put(far, NEVER)
  const earlier = createLookups(catalog, SUPER_CALLER)
  t.match(earlier.table(written)?.source, { kind: 'remote', table: { schema: 'public', name: 'Obs' } })
  t.equal(createLookups(catalog, ANYBODY).table(written), null)
  t.equal(catalog.snapshot(), catalog.snapshot(), 'nothing has changed')

  await attached.drop('Far', NEVER)
  t.ok(earlier.table(written), 'a query that has begun')
  t.equal(createLookups(catalog, SUPER_CALLER).table(written), null)
  t.notOk(isStillTrue(catalog.snapshot(), earlier))

  await attached.put(far, NEVER)
  const later = createLookups(catalog, SUPER_CALLER).table(written)
  t.not(later?.digest, earlier.table(written)?.digest, 'the name means another service')
})

t.test('and tells a table there from one of the same name here', async (t) => {
  const attached = attachedInMemory()
  await attached.put(far, NEVER)
  const catalog = withAttached(CATALOG, attached)
  const lookups = createLookups(catalog, SUPER_CALLER)
  lookups.table({ catalog: 'far', schema: 'public', name: 'default' })
  lookups.table({ catalog: null, schema: null, name: 'default' })
  t.equal(new Set(lookups.lookups.map(({ name }) => name)).size, 2)
  t.ok(isStillTrue(catalog.snapshot(), lookups))
})
