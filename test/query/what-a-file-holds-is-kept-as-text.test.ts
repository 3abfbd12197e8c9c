// In a process of its own: it has V8 collect all garbage.
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { createKeptStructures } from '../../src/main/query/source/structure/kept-structures.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import type { FileStructure } from '../../src/plan/source/structure.ts'
import { PARQUET } from '../formats/product.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const FILE: FileRef = {
  path: 'a.nc',
  location: '/a.nc',
  version: { device: 1n, inode: 1n, size: 1n, mtimeNs: 1n, ctimeNs: 1n },
}

function structure(): FileStructure {
  const attributes = [{ name: 'Ω \ud800', type: 'string', json: '"°C"', cutFrom: 3 }]
  return {
    groups: [{ path: '/', attributes }],
    dimensions: [{ group: '/', name: 'x', size: 2 ** 52, isUnlimited: false, isInGrid: true }],
    variables: [],
    grids: [{ group: '/', dimensions: ['x'] }],
    leftOut: { groups: 0, dimensions: 0, variables: 1, attributes: 0 },
  }
}

t.test('what a file holds is the same after its objects were collected', async (t) => {
  const structures = createKeptStructures()
  structures.put(PARQUET, FILE, structure())
  // A reference that was looked at stays until the end of the turn.
  await turn()
  collect()
  const again = structures.get(PARQUET, FILE)
  t.same(again, structure())
  t.equal(structures.get(PARQUET, FILE), again, 'objects are made once')
  const other = { ...FILE, version: { ...FILE.version, mtimeNs: 2n } }
  t.equal(structures.get(PARQUET, other), undefined)
  const folder = { ...FILE, folder: { marker: 'zarr.json', plannedAt: null } } as FileRef
  structures.put(PARQUET, folder, structure())
  t.equal(structures.get(PARQUET, folder), undefined)
})
