import { fault } from '../../fault.ts'
import type { JsonObject } from './json.ts'

/** The groups and arrays of a store. Both are nodes, and lie in groups. */
export interface Hierarchy {
  /** Whether one document lists all nodes. */
  readonly isConsolidated: boolean
  readonly root: Node
  /** The node of a key. Null: there is none. */
  nodeOf(key: string): Node | null
  /** The nodes directly in a group, in the order of the UTF-8 bytes of their names. */
  nodesIn(group: Node): readonly Node[]
}

/** A node, as the documents of its version say. */
export interface Node {
  /** The key of its folder. Empty: it is the root. */
  readonly key: string
  readonly kind: 'group' | 'array'
  /** Of the format. */
  readonly version: 2 | 3
  /** What `zarr.json` says of it, or `.zarray`; of a group in version 2 `.zgroup`. */
  readonly document: JsonObject
  readonly attributes: JsonObject
  /** The key of the document, for messages. */
  readonly from: string
}

/** How deeply groups may lie in each other. */
const MAX_DEPTH = 64

/**
 * The groups in `top` without groups in them, in the order of the UTF-8 bytes of their keys. A group that has neither arrays nor attributes is left out if there are
 * others.
 */
export function leafGroups(hierarchy: Hierarchy, top = hierarchy.root): readonly Node[] {
  const leaves = byKey(leavesIn(hierarchy, top, 0))
  const filled = leaves.filter((leaf) => !isEmpty(hierarchy, leaf))
  return filled.length > 0 ? filled : leaves.slice(0, 1)
}

function leavesIn(hierarchy: Hierarchy, group: Node, depth: number): readonly Node[] {
  if (depth > MAX_DEPTH) throw fault(`"${group.key}" lies in more than ${MAX_DEPTH} groups`)
  const groups = hierarchy.nodesIn(group).filter(({ kind }) => kind === 'group')
  return groups.length === 0 ? [group] : groups.flatMap((each) => leavesIn(hierarchy, each, depth + 1))
}

/** In the order of the UTF-8 bytes of their keys. */
export function byKey(nodes: readonly Node[]): readonly Node[] {
  return nodes
    .map((node) => ({ bytes: Buffer.from(node.key), node }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ node }) => node)
}

function isEmpty(hierarchy: Hierarchy, group: Node): boolean {
  return Object.keys(group.attributes).length === 0 && hierarchy.nodesIn(group).length === 0
}

/** The key of a node in a group. */
export function keyIn(group: string, name: string): string {
  return group === '' ? name : `${group}/${name}`
}

/** The key of the group in which a node lies. Null: the node is the root. */
export function parentOf(key: string): string | null {
  if (key === '') return null
  return key.slice(0, Math.max(0, key.lastIndexOf('/')))
}

/** The name of a node in its group. */
export function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}
