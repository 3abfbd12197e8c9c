import { dirname } from 'node:path'
import { alternatives } from '../../plan/alternatives.ts'
import { ServiceError } from '../../plan/errors.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { markedFolder } from '../../plan/source/object.ts'
import { versionOf } from '../../plan/source/version.ts'
import type { FingerprintRecorder } from './fingerprint/fingerprint.ts'
import { findStores, type Markers, noStore } from './patterns/find-stores.ts'
import { nearestPath } from './patterns/nearest-path.ts'
import type { ResolvedFiles } from './resolve.ts'
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
            `No folder with ${alternatives(markers.own)} matched ${JSON.stringify(path)}${await nearestPath(root, path, signal)}`,
          ),
          { about: path },
        )
      for (const [index, { path: shown, location, marker }] of stores.entries()) {
        const document = documents[index]
        if (!document || refs.has(location)) continue
        const version = versionOf(document.stats)
        const folder = markedFolder(location, marker, version)
        refs.set(location, Object.freeze({ path: shown, location, version, folder }))
      }
    }
    const files = [...refs.values()].filter(({ location }) => !isInOneOf(refs, location))
    return Object.freeze({ files: Object.freeze(files), levels: [], testKey: null })
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
