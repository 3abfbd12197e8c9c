import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../plan/errors.ts'
import type { Caller } from '../auth/caller.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { readersOfFile } from '../catalog/readers-of-file.ts'
import type { UploadStore } from '../catalog/store/begun-uploads.ts'
import type { DatasetRoot } from '../datasets/root.ts'
import { createFreeSpace, freeBytesOf } from '../output/temp/free-space.ts'
import { createFileCalls, type WritingSystem } from './file-calls.ts'
import { parseFilePath, stagingName } from './file-path.ts'
import { type Download, openDownload } from './open-download.ts'
import { findPlace } from './place.ts'
import { type Storage, storageOf } from './storage.ts'
import type { IncomingFile } from './uploads/incoming-file.ts'
import { createReservedPaths } from './uploads/reserved-paths.ts'
import { createStaging } from './uploads/staging.ts'
import type { UploadContext, UploadedFile } from './uploads/upload-context.ts'
import { uploadWhole } from './uploads/upload-whole.ts'
import { openUploadsInParts, type UploadsInParts } from './uploads/uploads-in-parts.ts'
import { fileNotFound, writeFailure } from './write-failure.ts'

/** Brings files into the dataset root, gives them out and deletes them, for the super-user. */
export interface DatasetFileService extends Pick<UploadsInParts, 'begin' | 'add' | 'complete' | 'abort'> {
  /** Brings in a file in one piece. */
  upload(path: string, replaces: boolean, incoming: IncomingFile): Promise<UploadedFile>
  download(path: string): Promise<Download>
  /** Deletes a file, but not one that a table or a view names by its path (`file_in_use`). Of a link it is the link itself. */
  remove(path: string, caller: Caller): Promise<void>
  storage(): Promise<Storage>
  /** Resolves when no upload is under way any more. */
  close(): Promise<void>
}

export interface DatasetFileOptions {
  /** The name of the service, after which the folder of uploads is called. */
  readonly name: string
  /** The dataset root as it is configured. */
  readonly datasetsDir: string
  /** A folder of the volume of which a part stays free. */
  readonly tmpDir: string
  readonly maxUploadBytes: number
  readonly minFreeBytes: number
  readonly root: DatasetRoot
  readonly catalog: Pick<Catalog, 'snapshot'>
  readonly store: UploadStore
  readonly log: { warn(details: object, message: string): void }
  /** Tests replace these. Absent: the host's. */
  readonly system?: WritingSystem
  readonly now?: () => number
}

/** How often uploads to which no part comes any more are looked for. Milliseconds. */
const EXPIRY_MS = 60_000

/** Deletes what an earlier process has left of uploads in one piece, and takes up those in parts. */
export async function openDatasetFileService(options: DatasetFileOptions): Promise<DatasetFileService> {
  const { root, catalog, store, log, now = Date.now } = options
  const folderName = stagingName(options.name)
  const calls = createFileCalls(root, options.system)
  const staging = createStaging(join(root.location, folderName), store.owner, calls)
  const reservedBytes = (await isSameVolume(root.location, options.tmpDir)) ? options.minFreeBytes : 0
  const context: UploadContext = {
    root,
    stagingName: folderName,
    staging,
    calls,
    reserved: createReservedPaths(),
    mostBytes: options.maxUploadBytes === 0 ? Number.POSITIVE_INFINITY : options.maxUploadBytes,
    freeSpace:
      reservedBytes === 0
        ? null
        : createFreeSpace(reservedBytes, () => freeBytesOf(root.location), undefined, nearlyFull),
    usableBytes: async () => (await freeBytesOf(root.location)) - reservedBytes,
  }
  const inParts = await openUploadsInParts(context, store, now)
  try {
    const swept = await staging.sweep(inParts.isBegun)
    if (swept > 0) log.warn({ swept }, 'deleted uploads that an earlier process had left unfinished')
  } catch (error) {
    log.warn({ err: error }, 'unfinished uploads of an earlier process could not be deleted')
  }
  const expiry = setInterval(() => {
    inParts.expire().catch((err: unknown) => log.warn({ err }, 'an upload could not be ended'))
  }, EXPIRY_MS).unref()
  const running = new Set<Promise<unknown>>()
  /** Has the service wait for work when it is closed. */
  function track<T>(work: Promise<T>): Promise<T> {
    running.add(work)
    const forget = (): void => void running.delete(work)
    work.then(forget, forget)
    return work
  }

  async function remove(path: string, caller: Caller): Promise<void> {
    try {
      const {
        location,
        folder,
        stats,
        path: normalPath,
      } = await findPlace(root, parseFilePath(path, folderName))
      if (stats === null) throw fileNotFound(normalPath)
      if (stats.isDirectory())
        throw new ServiceError(
          'invalid_path',
          `${normalPath} is a folder; delete the files in it one by one.`,
        )
      const readers = readersOfFile(normalPath, catalog.snapshot().all(caller))
      if (readers.length > 0)
        throw new ServiceError(
          'file_in_use',
          `${normalPath} is read by ${readers.map(({ type, name }) => `${type === 'VIEW' ? 'the view' : 'the table'} ${JSON.stringify(name)}`).join(', ')}; drop what names it first.`,
        )
      await calls.run(location, () => calls.system.unlink(location))
      await calls.syncFolder(folder)
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? fileNotFound(path)
        : writeFailure(error, path)
    }
  }

  return {
    upload: (path, replaces, incoming) => track(uploadWhole(context, path, replaces, incoming)),
    begin: (path, replaces) => track(inParts.begin(path, replaces)),
    add: (id, number, incoming) => track(inParts.add(id, number, incoming)),
    complete: (id) => track(inParts.complete(id)),
    abort: (id) => track(inParts.abort(id)),
    download: async (path) => openDownload(root, parseFilePath(path, folderName), calls),
    remove: (path, caller) => track(remove(path, caller)),
    storage: () => storageOf(options.datasetsDir, root.location, calls),
    async close() {
      clearInterval(expiry)
      await Promise.allSettled(running)
    },
  }
}

async function isSameVolume(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all([a, b].map((folder) => stat(folder).catch(() => null)))
  return first != null && second != null && first.dev === second.dev
}

function nearlyFull(reservedBytes: number): ServiceError {
  return new ServiceError(
    'volume_full',
    `The disk of the dataset root is nearly full: ${reservedBytes} bytes of it stay free (SERVICE_MIN_FREE_BYTES). Delete files, or enlarge it.`,
  )
}
