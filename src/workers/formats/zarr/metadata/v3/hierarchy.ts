import type { Store } from '../../../../store/store.ts'
import { locateErrors } from '../../../error-location.ts'
import { fault } from '../../../fault.ts'
import { consolidatedNodes } from '../consolidated-nodes.ts'
import { readDocument } from '../document.ts'
import { type Hierarchy, keyIn, type Node } from '../hierarchy.ts'
import { isObject, type JsonObject } from '../json.ts'
import { readHierarchyOnce } from '../kept-hierarchies.ts'
import { listedNodes } from '../listed-nodes.ts'
import { objectIn, show } from '../members.ts'

const DOCUMENT = 'zarr.json'

/** The nodes of a store of version 3: those of consolidated metadata, or else each by its own document. Throws `unreadable_file`. */
export function hierarchyOfV3(store: Store): Hierarchy {
  return readHierarchyOnce(store, DOCUMENT, () => readHierarchy(store))
}

function readHierarchy(store: Store): Hierarchy {
  const read = (key: string) => {
    const from = keyIn(key, DOCUMENT)
    const document = readDocument(store, from)
    return document === null ? null : locateErrors(JSON.stringify(from), () => nodeOf(key, from, document))
  }
  const root = read('')
  if (root === null) throw fault(`it has no ${DOCUMENT}`)
  const consolidated = root.document['consolidated_metadata']
  if (!isObject(consolidated)) return listedNodes(store, root, read)
  return locateErrors(JSON.stringify(DOCUMENT), () => {
    const { kind } = consolidated
    if (kind !== 'inline')
      throw fault(`the kind of its consolidated metadata must be "inline", and is ${show(kind)}`)
    const documents = objectIn(consolidated, 'metadata')
    const nodes = Object.keys(documents).map((key) => nodeOf(key, DOCUMENT, objectIn(documents, key)))
    return consolidatedNodes(root, nodes)
  })
}

function nodeOf(key: string, from: string, document: JsonObject): Node {
  const { zarr_format: format, node_type: kind, attributes = {} } = document
  if (format !== 3) throw fault(`"zarr_format" must be 3, and is ${show(format)}`)
  if (kind !== 'group' && kind !== 'array')
    throw fault(`"node_type" must be "group" or "array", and is ${show(kind)}`)
  if (!isObject(attributes)) throw fault(`"attributes" must be an object, and is ${show(attributes)}`)
  return { key, kind, version: 3, document, attributes, from }
}
