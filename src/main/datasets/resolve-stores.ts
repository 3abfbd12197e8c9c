import { dirname } from 'node:path'
import { alternatives } from '../../plan/alternatives.ts'
import { ServiceError } from '../../plan/errors.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { markedFolder } from '../../plan/source/object.ts'
import { findStores, type Markers, noStore } from './find/find-stores.ts'
import type { FingerprintRecorder } from './fingerprint/fingerprint.ts'
import type { NamedDataset, ResolvedFiles } from './resolve.ts'
import type { DatasetRoot } from './root.ts'
import { settle } from './settle.ts'

/**
 * `resolveFiles` for datasets that are folders. Each has the version of its marker; its other documents become known when a worker
 * inspects it. One that lies in another one is left out, since that has its rows.
 */
export async function resolveStores(
  root: DatasetRoot,
  paths: readonly string[],
  markers: Markers,
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
): Promise<ResolvedFiles> {
  try {
    const refs = new Map<string, FileRef>()
    const others: NamedDataset[] = []
    for (const path of paths) {
      const stores = await findStores(root, path, markers, signal, fingerprint)
      const documents = await settle(
        root,
        stores.map(({ document }) => document),
        signal,
        fingerprint,
      )
      if (documents.every((document) => document === null))
        throw new ServiceError(
          'no_files',
          noStore(
            markers,
            `No folder with ${alternatives(markers.ofFormat)} matched ${JSON.stringify(path)}`,
          ),
          { about: path },
        )
      for (const [index, { path: shown, location, marker }] of stores.entries()) {
        const document = documents[index]
        if (!document) continue
        const { version } = document
        const folder = markedFolder(location, marker, version)
        const ref = Object.freeze({ path: shown, location, version, folder })
        if (refs.has(location)) others.push(ref)
        else refs.set(location, ref)
      }
    }
    const files: FileRef[] = []
    for (const ref of refs.values()) (isInOneOf(refs, ref.location) ? others : files).push(ref)
    return Object.freeze({
      files: Object.freeze(files),
      others: Object.freeze(others),
      levels: [],
      testKey: null,
    })
  } catch (error) {
    fingerprint.invalidate()
    throw error
  }
}

/** Whether a folder lies in one of these. Locations are absolute. */
function isInOneOf(folders: ReadonlyMap<string, unknown>, location: string): boolean {
  for (let at = dirname(location); at !== dirname(at); at = dirname(at)) if (folders.has(at)) return true
  return false
}
