import { fault } from '../../fault.ts'
import { byKey, type Hierarchy, type Node, parentOf } from './hierarchy.ts'
import { show } from './members.ts'

/**
 * The nodes that one document lists, by their keys. What else lies in the store does not count, as xarray has it. Groups that the
 * document leaves out are groups without attributes. Throws `unreadable_file` for a key that is no plain path.
 */
export function consolidatedNodes(root: Node, nodes: readonly Node[]): Hierarchy {
  const nodesByKey = new Map<string, Node>([['', root]])
  const inGroup = new Map<string, Node[]>()

  function add(node: Node): void {
    const parent = parentOf(node.key)
    nodesByKey.set(node.key, node)
    if (parent === null) return
    const group = nodesByKey.get(parent) ?? missingGroup(parent, root)
    if (group.kind === 'array') throw fault(`${show(node.key)} lies in an array`)
    if (!nodesByKey.has(parent)) add(group)
    const siblings = inGroup.get(parent)
    if (siblings === undefined) inGroup.set(parent, [node])
    else siblings.push(node)
  }

  // A group comes before what lies in it.
  for (const node of byKey(nodes)) {
    if (node.key === '') continue
    requirePlain(node.key)
    add(node)
  }
  // A group that the document leaves out was found late.
  const inOrder = new Map([...inGroup].map(([key, siblings]) => [key, byKey(siblings)]))
  return {
    isConsolidated: true,
    root,
    nodeOf: (key) => nodesByKey.get(key) ?? null,
    nodesIn: ({ key }) => inOrder.get(key) ?? [],
  }
}

function missingGroup(key: string, { from, version }: Node): Node {
  return { key, kind: 'group', version, document: {}, attributes: {}, from }
}

function requirePlain(key: string): void {
  const names = key.split('/')
  if (
    !key.isWellFormed() ||
    key.length > MAX_KEY ||
    names.some((name) => name === '' || name === '.' || name === '..')
  )
    throw fault(`its consolidated metadata have the key ${show(key)}, which is no path in the store`)
}

/** The longest key in characters. That of the store's objects is limited in bytes. */
const MAX_KEY = 4096
