import { closeSync, constants, openSync } from 'node:fs'
import { ServiceError } from '../../plan/errors.ts'
import type { WriterOpenTask } from '../../plan/task/file-tasks.ts'
import { cancelCheck } from '../store/cancel.ts'
import type { FileWriter, WriterFiles } from './file-writer.ts'

/** The files that a worker is writing, by their keys. */
export interface OpenWriters {
  /** The writer of a key. Throws `worker_lost` if there is none: it was in a worker that is gone. */
  at(key: string): FileWriter
  /** Opens a file with `open`, and keeps it until it is closed. Rejects with `cancelled` if the query is over. */
  open(
    task: Pick<WriterOpenTask, 'key' | 'descriptor' | 'spool' | 'cancel'>,
    open: (files: WriterFiles) => FileWriter | Promise<FileWriter>,
  ): Promise<FileWriter>
  close(key: string): void
  /** The number of files. */
  readonly size: number
  /** Closes the files of queries that are over, however they have ended. */
  closeEnded(): void
}

export function createOpenWriters(): OpenWriters {
  const writers = new Map<string, { writer: FileWriter; files: WriterFiles; cancel: Int32Array }>()

  function close(key: string): void {
    const open = writers.get(key)
    if (open === undefined) return
    writers.delete(key)
    open.writer.close()
    closeFiles(open.files)
  }

  return {
    at(key) {
      const open = writers.get(key)
      if (open !== undefined) return open.writer
      throw new ServiceError('worker_lost', 'The worker that wrote the file of the query died; try again.')
    },
    async open({ key, descriptor, spool, cancel }, open) {
      const files = createWriterFiles(descriptor, spool)
      try {
        // Main sets the flag before it closes its descriptors. If it is not set now, they are still of this query's files.
        cancelCheck(cancel)()
        const writer = await open(files)
        writers.set(key, { writer, files, cancel: new Int32Array(cancel) })
        return writer
      } catch (error) {
        closeFiles(files)
        throw error
      }
    },
    close,
    get size() {
      return writers.size
    },
    closeEnded() {
      for (const [key, { cancel }] of writers) if (Atomics.load(cancel, 0) !== 0) close(key)
    },
  }
}

/**
 * Descriptors of the worker's own for files that main has open. If main's number were used, a thread that is late could write into
 * another file: main closes its descriptor when the query has ended, and the number is then given to the next file. Node closes those
 * of a worker that is terminated.
 */
function createWriterFiles(descriptor: number, spool: number | null): WriterFiles {
  const reopen = (number: number): number => openSync(`/proc/self/fd/${number}`, constants.O_RDWR)
  const files = { descriptor: reopen(descriptor), spool: null }
  try {
    return spool === null ? files : { ...files, spool: reopen(spool) }
  } catch (error) {
    closeFiles(files)
    throw error
  }
}

function closeFiles({ descriptor, spool }: WriterFiles): void {
  closeSync(descriptor)
  if (spool !== null) closeSync(spool)
}
