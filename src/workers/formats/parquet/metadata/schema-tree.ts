import { fault } from '../../fault.ts'
import type { SchemaElement } from './metadata.ts'

/** The deepest nesting that is read. Real schemas nest less, and deeper ones could exhaust the stack. */
const MAX_DEPTH = 64

/** A node of the schema tree. */
export interface RawNode {
  readonly element: SchemaElement
  /** Null: a leaf. */
  readonly children: readonly RawNode[] | null
}

/**
 * Makes a tree of the schema, which a file stores as a list in depth-first order. Returns the children of the root. Throws
 * `unreadable_file`; callers add the file's name.
 */
export function buildTree(elements: readonly SchemaElement[]): readonly RawNode[] {
  let next = 0
  const take = (depth: number): RawNode => {
    const element = elements[next++]
    if (element === undefined) throw fault('its schema ends in the middle of a group')
    if (depth > MAX_DEPTH) throw fault(`its schema is nested deeper than ${MAX_DEPTH} groups`)
    // A group without children and without a type is an empty struct; a leaf has a type.
    if (element.type !== undefined && !element.children) return { element, children: null }
    const count = element.children ?? 0
    if (count < 0 || count > elements.length - next) throw fault('its schema ends in the middle of a group')
    return { element, children: Array.from({ length: count }, () => take(depth + 1)) }
  }
  const root = take(0)
  if (next !== elements.length || root.children === null) throw fault('its schema is not one tree')
  return root.children
}
