import type { Store } from '../../../../store/store.ts'
import { locateErrors } from '../../../error-location.ts'
import { fault } from '../../../fault.ts'
import { consolidatedNodes } from '../consolidated-nodes.ts'
import { readDocument } from '../document.ts'
import { type Hierarchy, keyIn, type Node, nameOf, parentOf } from '../hierarchy.ts'
import { isObject, type JsonObject } from '../json.ts'
import { readHierarchyOnce } from '../kept-hierarchies.ts'
import { listedNodes } from '../listed-nodes.ts'
import { objectIn, show } from '../members.ts'

const DOCUMENTS = Object.freeze({ group: '.zgroup', array: '.zarray', attributes: '.zattrs' })
const CONSOLIDATED = '.zmetadata'

/** The nodes of a store of version 2: those of consolidated metadata, or else each by its own documents. Throws `unreadable_file`. */
export function hierarchyOfV2(store: Store): Hierarchy {
  return readHierarchyOnce(store, CONSOLIDATED, () => readHierarchy(store))
}

function readHierarchy(store: Store): Hierarchy {
  const consolidated = readDocument(store, CONSOLIDATED)
  if (consolidated !== null)
    return locateErrors(JSON.stringify(CONSOLIDATED), () => hierarchyIn(consolidated))
  const read = (key: string) => nodeOf(key, (name) => readDocument(store, keyIn(key, name)), null)
  const root = read('')
  if (root === null) throw fault('it has neither .zgroup nor .zarray')
  return listedNodes(store, root, read)
}

function hierarchyIn(document: JsonObject): Hierarchy {
  const { zarr_consolidated_format: format } = document
  if (format !== 1) throw fault(`"zarr_consolidated_format" must be 1, and is ${show(format)}`)
  const documents = objectIn(document, 'metadata')
  const keys = new Set(Object.keys(documents).flatMap((key) => folderOf(key) ?? []))
  const nodes = [...keys].flatMap((key) => {
    const documentOf = (name: string) => {
      const at = keyIn(key, name)
      return documents[at] === undefined ? null : objectIn(documents, at)
    }
    return nodeOf(key, documentOf, CONSOLIDATED) ?? []
  })
  const root = nodes.find(({ key }) => key === '') ?? {
    key: '',
    kind: 'group',
    version: 2,
    document: {},
    attributes: {},
    from: CONSOLIDATED,
  }
  return consolidatedNodes(root, nodes)
}

/** The key of the folder in which a document of a node lies. Null: it is another document. */
function folderOf(key: string): string | null {
  const name = nameOf(key)
  return name === DOCUMENTS.group || name === DOCUMENTS.array ? parentOf(key) : null
}

/** Null: neither an array nor a group. `from` is the document that has all of them, if one has. */
function nodeOf(
  key: string,
  documentOf: (name: string) => JsonObject | null,
  from: string | null,
): Node | null {
  const array = documentOf(DOCUMENTS.array)
  const document = array ?? documentOf(DOCUMENTS.group)
  if (document === null) return null
  const kind = array === null ? 'group' : 'array'
  const documentKey = keyIn(key, DOCUMENTS[kind])
  return locateErrors(JSON.stringify(documentKey), () => {
    const { zarr_format: format } = document
    if (format !== 2) throw fault(`"zarr_format" must be 2, and is ${show(format)}`)
    const attributes = documentOf(DOCUMENTS.attributes)
    return {
      key,
      kind,
      version: 2,
      document,
      attributes: isObject(attributes) ? attributes : {},
      from: from ?? documentKey,
    }
  })
}
