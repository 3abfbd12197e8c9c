import t from 'tap'
import { leafGroups } from '../../src/workers/formats/zarr/metadata/hierarchy.ts'
import { hierarchyOfV2 } from '../../src/workers/formats/zarr/metadata/v2/hierarchy.ts'
import { hierarchyOfV3 } from '../../src/workers/formats/zarr/metadata/v3/hierarchy.ts'
import { memoryObjects } from '../formats/objects.ts'

const GROUP = { zarr_format: 3, node_type: 'group', attributes: { title: 'a group' } }
const ARRAY = { zarr_format: 3, node_type: 'array' }

/** Nodes by their keys. Those of the keys `a`, `a-b` and `a/c` are in another order if they are visited group by group. */
const NODES: Readonly<Record<string, object>> = {
  '': GROUP,
  beside: ARRAY,
  'a/c': GROUP,
  'a/c/v': ARRAY,
  a: GROUP,
  'a-b': GROUP,
  'a-b/v': ARRAY,
  'é/x': GROUP,
  é: GROUP,
  empty: { zarr_format: 3, node_type: 'group' },
}
const LEAVES = ['a-b', 'a/c', 'é/x']

function storeOf(documents: Readonly<Record<string, object>>) {
  const objects = Object.entries(documents).map(
    ([key, document]) => [key, Buffer.from(JSON.stringify(document))] as const,
  )
  return memoryObjects(new Map(objects), 'x.zarr')
}

/** Nodes as documents of their own, by the keys of those. */
function apart(nodes: Readonly<Record<string, object>>, nameOf: (node: object) => string) {
  return Object.fromEntries(
    Object.entries(nodes).map(([key, node]) => [`${key === '' ? '' : `${key}/`}${nameOf(node)}`, node]),
  )
}

/** The same nodes as version 2 has them. */
const NODES_2 = apart(NODES, (node) => (node === ARRAY ? '.zarray' : '.zgroup'))
const DOCUMENTS_2 = Object.fromEntries(
  Object.entries(NODES_2).flatMap(([key, node]) => [
    [key, { zarr_format: 2 }],
    ...('attributes' in node ? [[key.replace('.zgroup', '.zattrs'), node.attributes]] : []),
  ]),
)

t.test('without consolidated metadata, by listing groups', (t) => {
  const v3 = hierarchyOfV3(storeOf(apart(NODES, () => 'zarr.json')))
  t.same(
    leafGroups(v3).map(({ key }) => key),
    LEAVES,
  )
  const v2 = hierarchyOfV2(storeOf(DOCUMENTS_2))
  t.same(
    leafGroups(v2).map(({ key }) => key),
    LEAVES,
  )
  t.end()
})

t.test('in consolidated metadata, also if groups are left out', (t) => {
  const { a: _, é: __, '': ___, ...metadata } = NODES
  const consolidated = { kind: 'inline', must_understand: false, metadata }
  const v3 = hierarchyOfV3(storeOf({ 'zarr.json': { ...GROUP, consolidated_metadata: consolidated } }))
  t.same(
    leafGroups(v3).map(({ key }) => key),
    LEAVES,
  )
  t.same(
    v3.nodesIn(v3.root).map(({ key }) => key),
    ['a', 'a-b', 'beside', 'empty', 'é'],
  )
  const v2 = hierarchyOfV2(storeOf({ '.zmetadata': { zarr_consolidated_format: 1, metadata: DOCUMENTS_2 } }))
  t.same(
    leafGroups(v2).map(({ key }) => key),
    LEAVES,
  )
  t.end()
})

t.test('a store of groups without arrays and attributes has one', (t) => {
  const nodes = {
    '': GROUP,
    a: { zarr_format: 3, node_type: 'group' },
    b: { zarr_format: 3, node_type: 'group' },
  }
  t.same(
    leafGroups(hierarchyOfV3(storeOf(apart(nodes, () => 'zarr.json')))).map(({ key }) => key),
    ['a'],
  )
  t.end()
})
