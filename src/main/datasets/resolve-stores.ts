import { ServiceError } from '../../plan/errors.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { markedFolder } from '../../plan/source/object.ts'
import { versionOf } from '../../plan/source/version.ts'
import type { FingerprintRecorder } from './fingerprint/fingerprint.ts'
import { findStores, type Markers } from './patterns/find-stores.ts'
import type { ResolvedFiles } from './resolve.ts'
import type { DatasetRoot } from './root.ts'
import { settle } from './settle.ts'

/**
 * `resolveFiles` for datasets that are folders. Each has the version of its marker; its other documents become known when a worker
 * inspects it.
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
          `No folder with ${markers.own.join(' or ')} matched ${JSON.stringify(path)}.`,
        )
      for (const [index, { path: shown, location, marker }] of stores.entries()) {
        const document = documents[index]
        if (!document || refs.has(location)) continue
        const version = versionOf(document.stats)
        const folder = markedFolder(location, marker, version)
        refs.set(location, Object.freeze({ path: shown, location, version, folder }))
      }
    }
    return Object.freeze({ files: Object.freeze([...refs.values()]), levels: [], testKey: null })
  } catch (error) {
    fingerprint.invalidate()
    throw error
  }
}
